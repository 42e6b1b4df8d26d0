import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { parley, url } from '../connect.ts'

// The browser gets no token: this server adds one to each request, which may only converse, as one user, for a day.
const expires_at = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '')
const { token } = await parley.tokens.create({ name: 'useChat example', role: 'user', user_id: 'ada', expires_at })

const vite = await createServer({
  configFile: false,
  root: import.meta.dirname,
  plugins: [react()],
  server: {
    port: Number(process.env.PORT ?? 5173),
    proxy: { '/api': { target: url, headers: { authorization: `Bearer ${token}` } } },
  },
})
await vite.listen()
vite.printUrls()

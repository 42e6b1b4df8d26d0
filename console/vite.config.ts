import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  resolve: { alias: { '@parley/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    emptyOutDir: true,
    reportCompressedSize: false,
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        // The framework changes rarely, so it is cached apart from the pages.
        codeSplitting: {
          groups: [{ name: 'framework', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ }],
        },
      },
    },
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:3000', '/docs': 'http://127.0.0.1:3000', '/diagrams': 'http://127.0.0.1:3000' },
  },
})

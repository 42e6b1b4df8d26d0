import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))
const server = fileURLToPath(new URL('src/commands/server.ts', import.meta.url))
const withoutServer = fileURLToPath(new URL('src/commands/without-server.ts', import.meta.url))

/** Bundles the command line with its dependencies, so that the package needs nothing but Node. */
await build({
  root: folder,
  configFile: false,
  logLevel: 'warn',
  plugins: [
    {
      name: 'without-server',
      enforce: 'pre',
      async resolveId(source, importer) {
        if (!source.endsWith('/server.ts')) return null
        const found = await this.resolve(source, importer, { skipSelf: true })
        return found?.id === server ? withoutServer : found
      },
    },
  ],
  ssr: { noExternal: true },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    minify: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js' } },
  },
})

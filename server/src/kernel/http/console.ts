import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { App } from './app.ts'
import { contentHash, contentTypes, forever, pageSecurity, type StaticFile, sendStatic } from './static-file.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const security = { ...pageSecurity, 'content-security-policy': policy }

const hidden = { config: { may: 'public', unlimited: true }, schema: { hide: true } } as const

/**
 * Serves the console from memory. Assets have a content hash in their name and are cached forever; the page itself is
 * revalidated each time. Every other path that is neither an asset nor the API is a page of the console.
 */
export function serveConsole(app: App, folder: string): void {
  const files = readFiles(folder)
  const page = files.get('index.html')
  if (!page) {
    app.get('/', hidden, (_request, reply) => reply.redirect('/docs'))
    return
  }
  app.get('/', hidden, (request, reply) => sendStatic(request, reply, page, security))
  for (const [name, file] of files) {
    if (name !== 'index.html')
      app.get(`/${name}`, hidden, (request, reply) => sendStatic(request, reply, file, security))
  }
  const anyPage = '/:page(^(?!api$|docs$|assets$)[a-z][a-z-]*$)'
  for (const path of [anyPage, `${anyPage}/*`])
    app.get(path, hidden, (request, reply) => sendStatic(request, reply, page, security))
}

function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  if (!existsSync(folder)) return files
  for (const name of globSync('**/*', { cwd: folder })) {
    const path = join(folder, name)
    const type = contentTypes[extname(name)]
    if (type === undefined || !statSync(path).isFile()) continue
    const body = readFileSync(path)
    files.set(name.replaceAll('\\', '/'), {
      body,
      gzipped: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : null,
      type,
      etag: `"${contentHash(body)}"`,
      cache: name.startsWith('assets') ? forever : 'no-cache',
    })
  }
  return files
}

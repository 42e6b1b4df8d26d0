import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { App, Reply, Request } from './app.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

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

const security = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

interface File {
  body: Buffer
  gzipped: Buffer | null
  type: string
  etag: string
  cache: string
}

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
  app.get('/', hidden, (request, reply) => send(request, reply, page))
  for (const [name, file] of files) {
    if (name !== 'index.html') app.get(`/${name}`, hidden, (request, reply) => send(request, reply, file))
  }
  const anyPage = '/:page(^(?!api$|docs$|assets$)[a-z][a-z-]*$)'
  for (const path of [anyPage, `${anyPage}/*`]) app.get(path, hidden, (request, reply) => send(request, reply, page))
}

function readFiles(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  if (!existsSync(folder)) return files
  for (const name of globSync('**/*', { cwd: folder })) {
    const path = join(folder, name)
    const type = types[extname(name)]
    if (type === undefined || !statSync(path).isFile()) continue
    const body = readFileSync(path)
    files.set(name.replaceAll('\\', '/'), {
      body,
      gzipped: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : null,
      type,
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      cache: name.startsWith('assets') ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
  return files
}

function send(request: Request, reply: Reply, file: File): Reply {
  const acceptsGzip = file.gzipped !== null && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
  reply.headers({ ...security, etag: file.etag, 'cache-control': file.cache, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === file.etag) return reply.status(304).send()
  if (acceptsGzip) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(acceptsGzip ? file.gzipped : file.body)
}

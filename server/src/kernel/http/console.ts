import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { App, Reply, Request } from './app.ts'
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

/**
 * The frame that draws diagrams has an origin of its own, by the sandbox, so that what it draws reaches neither the console nor
 * the API. Mermaid writes styles into its drawings.
 */
const diagramPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ')

const diagramSecurity = {
  ...pageSecurity,
  'content-security-policy': diagramPolicy,
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-resource-policy': 'cross-origin',
}

const security = { ...pageSecurity, 'content-security-policy': policy }

const hidden = { config: { may: 'public', unlimited: true }, schema: { hide: true } } as const

/**
 * Serves the console. Assets have a content hash in their name and are cached forever; the page itself is revalidated each
 * time. Every other path that is neither an asset nor the API is a page of the console.
 */
export function serveConsole(app: App, folder: string): void {
  const names = findNames(folder)
  if (!names.has('index.html')) {
    app.get('/', hidden, (_request, reply) => reply.redirect('/docs'))
    return
  }
  const files = new Map<string, StaticFile>()
  const serve = (request: Request, reply: Reply, name: string) => {
    const file = files.get(name) ?? (names.has(name) && existsSync(join(folder, name)) && readFile(folder, name))
    if (!file) return reply.callNotFound()
    files.set(name, file)
    return sendStatic(request, reply, file, name.startsWith('diagrams/') ? diagramSecurity : security)
  }
  const page = (request: Request, reply: Reply) => serve(request, reply, 'index.html')
  app.get('/', hidden, page)
  for (const name of names)
    if (!name.startsWith(assets) && name !== 'index.html')
      app.get(`/${name}`, hidden, (request, reply) => serve(request, reply, name))
  app.get(`/${assets}*`, hidden, (request, reply) =>
    serve(request, reply, `${assets}${(request.params as { '*': string })['*']}`),
  )
  const anyPage = '/:page(^(?!api$|docs$|assets$)[a-z][a-z-]*$)'
  for (const path of [anyPage, `${anyPage}/*`]) app.get(path, hidden, page)
}

const assets = 'assets/'

function findNames(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  return new Set(names.filter((name) => extname(name) in contentTypes))
}

/** Reads a file when it is asked for the first time: most people never open most pages. */
function readFile(folder: string, name: string): StaticFile {
  const path = join(folder, name)
  const body = readFileSync(path)
  return {
    body,
    gzipped: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : null,
    type: contentTypes[extname(name)] as string,
    etag: `"${contentHash(body)}"`,
    cache: name.startsWith(assets) ? forever : 'no-cache',
  }
}

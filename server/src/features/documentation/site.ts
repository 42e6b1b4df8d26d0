import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { App, Reply, Request } from '../../kernel/http/app.ts'
import {
  contentHash,
  contentTypes,
  forever,
  pageSecurity,
  type StaticFile,
  sendStatic,
  staticFile,
} from '../../kernel/http/static-file.ts'
import { notFound, page, type Site, searchResults } from './layout.ts'
import { documentPath, documentUrl, findFiles, findPages } from './library.ts'
import { type NavigationGroup, readNavigation } from './navigation.ts'
import type { Rendered } from './render.ts'
import type { DocsSearch } from './search.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
const security = { ...pageSecurity, 'content-security-policy': policy }

/** Pictures contain their styles, for light and dark. */
const pictureSecurity = {
  ...pageSecurity,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

const types: Record<string, string> = {
  ...contentTypes,
  '.png': 'image/png',
  '.json': 'application/json',
  '.yaml': 'text/yaml; charset=utf-8',
}
const mediaType = (name: string): string => types[extname(name)] ?? 'application/octet-stream'

const maxQuery = 200
/** Left out of the search: the table of contents, and pages about the code instead of its use. */
const notSearched = /^\/docs(?:$|\/(?:changelog|contributing|decisions\/.*)$)/

const open = { config: { may: 'public', unlimited: true }, schema: { hide: true } } as const
const limited = { config: { may: 'public' }, schema: { hide: true } } as const

/** The addresses of the stylesheet and the script, which have a content hash. */
export interface DocsAssets {
  style: string
  script: string
}

/** Serves the Markdown files of the installation as a site. Pages are rendered when they are first asked for. */
export function serveDocs(app: App, version: string): DocsAssets {
  const library = new Library(version)
  app.get('/docs', open, (request, reply) => library.send(request, reply, '/docs'))
  app.get('/docs/*', open, (request, reply) => {
    const { pathname } = new URL(request.url, 'http://docs')
    return library.send(request, reply, pathname)
  })
  app.get('/docs/search', limited, async (request, reply) => {
    const { q } = request.query as { q?: unknown }
    const query = typeof q === 'string' ? q.slice(0, maxQuery).trim() : ''
    return html(reply, await library.search(query))
  })
  return library.assets
}

const html = (reply: Reply, text: string): Reply =>
  reply
    .headers({ ...security, 'cache-control': 'no-cache' })
    .type(mediaType('page.html'))
    .send(text)

class Library {
  readonly #pages = findPages()
  readonly #paths = findFiles(['.svg', '.png', '.json', '.yaml'])
  readonly #files = new Map<string, StaticFile>()
  readonly #site: Site
  readonly assets: DocsAssets
  #search: Promise<DocsSearch> | undefined

  constructor(version: string) {
    const asset = (name: string): string => {
      const body = readFileSync(new URL(name, import.meta.url))
      const url = `/docs/${contentHash(body)}/${name}`
      this.#files.set(url, staticFile(body, mediaType(name), forever))
      return url
    }
    this.#files.set(
      '/docs/icon.svg',
      staticFile(readFileSync(new URL('icon.svg', import.meta.url)), mediaType('icon.svg')),
    )
    this.assets = { style: asset('site.css'), script: asset('site.js') }
    this.#site = { version, navigation: this.#navigation(), ...this.assets }
  }

  /** The pages in the order of the home page; pages that it does not name follow. */
  #navigation(): NavigationGroup[] {
    const file = this.#pages.get('/docs')
    const groups = file === undefined ? [] : readNavigation(readFileSync(documentPath(file), 'utf8'))
    const listed = new Set(groups.flatMap(({ links }) => links.map(({ url }) => url)))
    const others = [...this.#pages].filter(
      ([url]) => url !== '/docs' && !listed.has(url) && !/^\/docs\/\w+\//.test(url),
    )
    const links = others.map(([url, path]) => ({ url, title: documentTitle(path) }))
    return links.length === 0 ? groups : [...groups, { title: 'More', links }]
  }

  async send(request: Request, reply: Reply, url: string): Promise<Reply> {
    const file = await this.#file(url)
    if (file) return sendStatic(request, reply, file, url.endsWith('.svg') ? pictureSecurity : security)
    const moved = documentUrl(`${url.slice(1)}${url.endsWith('/') ? 'README.md' : ''}`) ?? null
    if (moved !== null && moved !== url) return reply.redirect(moved, 301)
    return html(reply.status(404), notFound(this.#site))
  }

  async #file(url: string): Promise<StaticFile | undefined> {
    const known = this.#files.get(url)
    if (known) return known
    const path = this.#paths.get(url)
    const source = this.#pages.get(url)
    if (path === undefined && source === undefined) return
    const file =
      path !== undefined
        ? staticFile(readFileSync(path), mediaType(path))
        : staticFile(
            Buffer.from(page(this.#site, { url, ...(await rendered(source as string)) })),
            mediaType('page.html'),
          )
    this.#files.set(url, file)
    return file
  }

  async search(query: string): Promise<string> {
    this.#search ??= this.#index()
    return searchResults(this.#site, query, query === '' ? [] : (await this.#search).find(query))
  }

  async #index(): Promise<DocsSearch> {
    const { DocsSearch } = await import('./search.ts')
    const pages = [...this.#pages].filter(([url]) => !notSearched.test(url))
    const entries = await Promise.all(
      pages.map(async ([url, file]) => {
        const { title, sections } = await rendered(file)
        return sections.map((section, at) => ({
          ...section,
          page: title,
          url: at === 0 ? url : `${url}#${section.id}`,
        }))
      }),
    )
    return new DocsSearch(entries.flat())
  }
}

/** The renderer is loaded with the first page. */
async function rendered(file: string): Promise<Rendered> {
  const { render } = await import('./render.ts')
  return render(file, readFileSync(documentPath(file), 'utf8'))
}

const documentTitle = (file: string): string => /^# (.+)$/m.exec(readFileSync(documentPath(file), 'utf8'))?.[1] ?? file

import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { fetcher } from '../test/fetcher.ts'
import { type Page, startSite } from '../test/site.ts'
import { type CrawlRequest, crawl } from './crawl.ts'
import { BlockedError, type Fetcher } from './fetcher.ts'
import type { CrawledPage, KnownPage } from './page.ts'

const defaults: CrawlRequest = {
  urls: [],
  mediaTypes: ['application/pdf'],
  userAgent: 'parley',
  maxPages: 100,
  maxDepth: 5,
  known: new Map(),
  signal: new AbortController().signal,
}

async function read(request: Partial<CrawlRequest>, fetch = fetcher): Promise<CrawledPage[]> {
  const pages: CrawledPage[] = []
  for await (const page of crawl(fetch, { ...defaults, ...request })) pages.push(page)
  return pages
}

const link = (...hrefs: string[]): string => hrefs.map((href) => `<a href="${href}">to ${href}</a>`).join('')
const statuses = (pages: CrawledPage[]): Record<string, string> =>
  Object.fromEntries(pages.map((page) => [new URL(page.url).pathname + new URL(page.url).search, page.status]))
const robots = (rules: string): Page => ({ headers: { 'content-type': 'text/plain' }, body: `User-agent: *\n${rules}` })

it('crawls a site from its first page, each page once, and stays on it', async () => {
  const other = await startSite({ '/': 'elsewhere' })
  const site = await startSite({
    '/': link('/a', 'b#x', 'b#y', 'b?utm_source=mail', other.url, 'mailto:a@b', '/p.png'),
    '/a': link('/', '/c'),
    '/b': link('/a'),
    '/c': 'the end',
  })
  const pages = await read({ urls: [site.url] })
  expect(statuses(pages)).toEqual({ '/': 'fetched', '/a': 'fetched', '/b': 'fetched', '/c': 'fetched' })
  expect(pages.at(-1)).toMatchObject({ mediaType: 'text/html; charset=utf-8', body: Buffer.from('the end') })
  expect(site.paths().sort()).toEqual(['/', '/a', '/b', '/c', '/robots.txt'])
  expect(site.requests.every(({ headers }) => headers['user-agent'] === 'parley')).toBe(true)
  expect(other.requests).toEqual([])
})

it('obeys maxDepth and maxPages, nearest pages first', async () => {
  const site = await startSite((path) => {
    if (path === '/robots.txt') return undefined
    const name = path === '/' ? '' : path.slice(1)
    return link(...['0', '1', '2'].map((digit) => `/${name}${digit}`))
  })
  expect(Object.keys(statuses(await read({ urls: [site.url], maxDepth: 0 })))).toEqual(['/'])
  expect(Object.keys(statuses(await read({ urls: [site.url], maxDepth: 2 })))).toHaveLength(13)
  const few = Object.keys(statuses(await read({ urls: [site.url], maxPages: 8 })))
  expect(few.length).toBe(8)
  expect(few.every((path) => path.length <= 3)).toBe(true)
  expect(Object.keys(statuses(await read({ urls: [site.url], maxPages: 8 }))).sort()).toEqual(few.sort())
})

it('obeys robots.txt, and reports it for a requested page', async () => {
  const site = await startSite({
    '/robots.txt': robots('Disallow: /private'),
    '/': link('/private/a', '/open'),
    '/open': '',
    '/private/b': '',
  })
  const pages = await read({ urls: [site.url, `${site.url}/private/b`] })
  expect(statuses(pages)).toEqual({ '/': 'fetched', '/private/b': 'failed', '/open': 'fetched' })
  expect(pages.find(({ status }) => status === 'failed')?.error).toContain('robots.txt')
  expect(site.paths().filter((path) => path.startsWith('/private'))).toEqual([])
})

it.each([
  [404, 'fetched'],
  [403, 'fetched'],
  [500, 'failed'],
  [503, 'failed'],
])('a robots.txt with status %i: the page is %s', async (status, outcome) => {
  const site = await startSite({ '/robots.txt': { status }, '/': '' })
  expect(statuses(await read({ urls: [site.url] }))).toEqual({ '/': outcome })
})

it('obeys Crawl-delay', async () => {
  const site = await startSite({ '/robots.txt': robots('Crawl-delay: 0.2'), '/': link('/a', '/b'), '/a': '', '/b': '' })
  const waits: number[] = []
  const clock = { now: () => 0, sleep: async (milliseconds: number) => waits.push(milliseconds) }
  await read({ urls: [site.url], clock })
  expect(waits).toEqual([200, 400])
})

it('sends conditional requests for known pages, and still follows their links', async () => {
  let version = 1
  const page =
    (tag: string, body: string): Page =>
    (request, response) => {
      if (request.headers['if-none-match'] === tag) response.writeHead(304, { etag: tag }).end()
      else response.writeHead(200, { 'content-type': 'text/html', etag: tag }).end(body)
    }
  const site = await startSite((path) => {
    if (path === '/') return page('"home"', link('/a'))
    if (path === '/a') return page(`"a${version}"`, link('/b', ...(version > 1 ? ['/new'] : [])))
    if (path === '/b') return page('"b"', 'b')
    return path === '/new' ? page('"new"', 'new') : undefined
  })
  const remember = (pages: CrawledPage[], withLinks: boolean) =>
    new Map<string, KnownPage>(
      pages.map(({ url, etag, lastModified, links }) => [
        url,
        { etag: etag ?? null, lastModified: lastModified ?? null, ...(withLinks && links && { links }) },
      ]),
    )
  const first = await read({ urls: [site.url] })
  expect(statuses(first)).toEqual({ '/': 'fetched', '/a': 'fetched', '/b': 'fetched' })
  const unchanged = { '/': 'unchanged', '/a': 'unchanged', '/b': 'unchanged' }
  expect(statuses(await read({ urls: [site.url], known: remember(first, true) }))).toEqual(unchanged)
  expect(statuses(await read({ urls: [site.url], known: remember(first, false) }))).toEqual(unchanged)
  version = 2
  expect(statuses(await read({ urls: [site.url], known: remember(first, true) }))).toEqual({
    '/': 'unchanged',
    '/a': 'fetched',
    '/b': 'unchanged',
    '/new': 'fetched',
  })
})

it('sends If-Modified-Since for a known page without an ETag', async () => {
  const stamp = 'Wed, 21 Oct 2026 07:28:00 GMT'
  const site = await startSite({
    '/': (request, response) =>
      response
        .writeHead(request.headers['if-modified-since'] === stamp ? 304 : 200, { 'content-type': 'text/plain' })
        .end(),
  })
  const known = new Map([[`${site.url}/`, { etag: null, lastModified: stamp }]])
  expect(statuses(await read({ urls: [site.url], known }))).toEqual({ '/': 'unchanged' })
})

it('follows redirects on the site, reports the final URL, and does not leave the site', async () => {
  const other = await startSite({ '/': 'elsewhere' })
  const to = (location: string, status = 302): Page => ({ status, headers: { location } })
  const site = await startSite({
    '/': link('/old', '/away', '/loop', '/chain/0'),
    '/old': to('/new', 301),
    '/new': 'new',
    '/away': to(other.url),
    '/gone': to(other.url, 308),
    '/loop': to('/loop'),
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`/chain/${n}`, to(`/chain/${n + 1}`)])),
  })
  const pages = await read({ urls: [site.url, `${site.url}/gone`] })
  expect(statuses(pages)).toEqual({ '/': 'fetched', '/gone': 'failed', '/new': 'fetched' })
  expect(pages.find(({ status }) => status === 'failed')?.error).toContain('another site')
  expect(site.paths()).not.toContain('/chain/7')
  expect(other.requests).toEqual([])
})

it('reports why an address is blocked, not that its robots.txt is', async () => {
  const pages = await read({ urls: ['http://127.0.0.1'] }, async () => {
    throw new BlockedError('The address is private.')
  })
  expect(pages).toEqual([{ url: 'http://127.0.0.1/', status: 'failed', error: 'The address is private.' }])
})

it('reads sitemaps, sitemap indexes and gzipped sitemaps, and stays on the site', async () => {
  const site = await startSite((path) => {
    const home = `http://127.0.0.1:${site.port}`
    const locations = (...paths: string[]) => paths.map((each) => `<loc>${home}${each}</loc>`)
    if (path === '/index.xml')
      return `<sitemapindex>${locations('/one.xml', '/two.xml.gz', '/broken.xml', '/index.xml').map((each) => `<sitemap>${each}</sitemap>`)}</sitemapindex>`
    if (path === '/one.xml')
      return `<urlset>${locations('/a').map((each) => `<url>${each}</url>`)}<url><loc>https://elsewhere.example/</loc></url></urlset>`
    if (path === '/two.xml.gz')
      return {
        headers: { 'content-type': 'application/gzip' },
        body: gzipSync(`<urlset><url>${locations('/b')}</url></urlset>`),
      }
    return path === '/a' || path === '/b' ? 'page' : undefined
  })
  const pages = await read({ sitemap: `${site.url}/index.xml`, maxDepth: 0 })
  expect(statuses(pages)).toEqual({ '/broken.xml': 'failed', '/a': 'fetched', '/b': 'fetched' })
})

async function* endless() {
  for (;;) yield Buffer.alloc(1024 * 1024)
}

it('goes on after pages that fail', async () => {
  const site = await startSite({
    '/': link('/missing', '/reset', '/huge', '/fine'),
    '/reset': (request) => void request.socket.destroy(),
    '/huge': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      Readable.from(endless()).pipe(response)
    },
    '/fine': 'fine',
  })
  const pages = await read({ urls: [site.url, 'not an address', 'ftp://example.com/'] })
  expect(pages.filter(({ status }) => status === 'fetched').map(({ url }) => new URL(url).pathname)).toEqual([
    '/',
    '/fine',
  ])
  const errors = Object.fromEntries(
    pages.flatMap(({ url, error }) => (error ? [[url.replace(site.url, ''), error]] : [])),
  )
  expect(errors['/missing']).toContain('404')
  expect(errors['/huge']).toContain('larger than')
  expect(errors['/reset']).toBeTruthy()
  expect(Object.keys(errors)).toHaveLength(5)
})

it('skips unwanted media types and noindex pages, but follows their links', async () => {
  const site = await startSite({
    '/': link('/picture', '/hidden', '/header', '/paper.pdf'),
    '/picture': { headers: { 'content-type': 'image/png' }, body: 'x' },
    '/hidden': `<meta name="robots" content="noindex">${link('/behind')}`,
    '/header': { headers: { 'content-type': 'text/html', 'x-robots-tag': 'none' }, body: link('/nowhere') },
    '/behind': 'behind',
    '/nowhere': 'nowhere',
    '/paper.pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-' },
  })
  expect(statuses(await read({ urls: [site.url] }))).toEqual({
    '/': 'fetched',
    '/paper.pdf': 'fetched',
    '/behind': 'fetched',
  })
})

it('backs off when the site is busy, and retries', async () => {
  let busy = true
  const site = await startSite({
    '/': (_request, response) => {
      response.writeHead(busy ? 503 : 200, { 'content-type': 'text/plain', 'retry-after': '0' }).end('here')
      busy = false
    },
  })
  expect(statuses(await read({ urls: [site.url] }))).toEqual({ '/': 'fetched' })
})

it('sends at most four requests at once', async () => {
  let open = 0
  let maxOpen = 0
  const counted: Fetcher = async (...request) => {
    maxOpen = Math.max(maxOpen, ++open)
    return fetcher(...request).finally(() => open--)
  }
  const site = await startSite((path) => {
    if (path === '/robots.txt') return undefined
    return path === '/' ? link(...Array.from({ length: 20 }, (_, n) => `/${n}`)) : 'A page.'
  })
  expect(await read({ urls: [site.url] }, counted)).toHaveLength(21)
  expect(maxOpen).toBe(4)
})

it('stops when it is aborted, and when the caller stops reading', async () => {
  const site = await startSite((path) => (path === '/robots.txt' ? undefined : link(`${path}a`, `${path}b`)))
  const control = new AbortController()
  const reading = (async () => {
    const request = { ...defaults, urls: [site.url], maxPages: 1e6, maxDepth: 1e6, signal: control.signal }
    for await (const _page of crawl(fetcher, request)) if (site.requests.length > 10) control.abort(new Error('enough'))
  })()
  await expect(reading).rejects.toThrow('enough')
  for await (const page of crawl(fetcher, { ...defaults, urls: [site.url], maxPages: 9, maxDepth: 9 })) {
    expect(page.status).toBe('fetched')
    break
  }
})

it('gives up on endless redirects', async () => {
  const site = await startSite((path) =>
    path === '/robots.txt' ? undefined : { status: 302, headers: { location: `${path}x` } },
  )
  expect((await read({ urls: [site.url], maxPages: 10 }))[0]?.error).toContain('more than 5 times')
})

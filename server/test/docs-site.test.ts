import { beforeAll, describe, expect, it } from 'vitest'
import { type Service, startService } from './harness.ts'

let service: Service
const visit = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' })
const pageText = async (path: string) => (await visit(path)).text()
const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)

beforeAll(async () => {
  service = await startService()
})

describe('the documentation', () => {
  it('is open to everyone, with a strict policy', async () => {
    const response = await visit('/docs')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(await response.text()).toMatch(/<h1[^>]*>Parley<\/h1>[\s\S]*href="\/docs\/getting-started"/)
  })

  it('has no broken link: every page, picture and heading that a page links to exists', async () => {
    const pages = new Map<string, string>()
    const others = new Set<string>()
    const fragments: [from: string, to: string][] = []
    const waiting = ['/docs']
    for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
      if (pages.has(url)) continue
      const response = await visit(url)
      expect([url, response.status]).toEqual([url, 200])
      if (!response.headers.get('content-type')?.startsWith('text/html')) {
        others.add(url)
        pages.set(url, '')
        continue
      }
      const html = await response.text()
      pages.set(url, html)
      for (const link of linksIn(html)) {
        const { pathname, hash, origin } = new URL(link, `http://docs${url}`)
        if (origin !== 'http://docs' || !pathname.startsWith('/docs')) continue
        waiting.push(pathname)
        if (hash) fragments.push([url, `${pathname}${hash}`])
      }
    }
    const broken = fragments.filter(([, to]) => {
      const [path = '', id = ''] = to.split('#')
      return !pages.get(path)?.includes(` id="${decodeURIComponent(id)}"`)
    })
    expect(broken).toEqual([])
    expect(pages.size - others.size).toBeGreaterThan(25)
    expect([...others].some((url) => url.startsWith('/docs/images/'))).toBe(true)
  })

  it('shows the same pages as the repository, with tables, code and the neighbours of a page', async () => {
    const html = await pageText('/docs/errors')
    expect(html).toContain('<title>Errors · Parley docs</title>')
    expect(html).toContain('<h2 id="retries">Retries')
    expect(html).toContain('<tr id="budget_exceeded">')
    expect(html).toMatch(/<figcaption>JSON<\/figcaption><pre[^>]*><code>.*hljs-attr/s)
    expect(html).toMatch(/<a rel="prev" href="\/docs\/[\w-]+">.*<a rel="next" href="\/docs\/[\w-]+">/s)
    expect(html).toContain('<a href="/docs/errors" aria-current="page">')
    expect(html).not.toContain('.md"')
  })

  it('sends a page once, compressed, until it changes', async () => {
    const first = await visit('/docs/openai')
    expect([first.headers.get('content-encoding'), first.headers.get('cache-control')]).toEqual(['gzip', 'no-cache'])
    const again = await visit('/docs/openai', { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const assets = linksIn(await first.text()).filter((link) => /site\.(css|js)$/.test(link))
    expect(assets.length).toBe(2)
    for (const asset of assets) expect((await visit(asset)).headers.get('cache-control')).toContain('immutable')
  })

  it('leads from file names and old addresses to the pages', async () => {
    for (const [from, to] of [
      ['/docs/errors.md', '/docs/errors'],
      ['/docs/README.md', '/docs'],
      ['/docs/', '/docs'],
    ] as const) {
      const { status, headers } = await visit(from)
      expect([from, status, headers.get('location')]).toEqual([from, 301, to])
    }
  })

  it('says inside of the site that a page does not exist, and serves nothing outside of it', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/../package.json',
      '/docs/%2e%2e%2fpackage.json',
      '/docs/%00',
      '/docs/images',
    ]) {
      const response = await visit(path)
      const html = await response.text()
      expect([path, response.status]).toEqual([path, 404])
      expect(html).not.toContain('workspaces')
    }
    expect(await pageText('/docs/nothing')).toMatch(/<h1>Page not found<\/h1>[\s\S]*<\/html>/)
    expect(await pageText('/docs/nothing')).toContain('aria-label="Pages"')
  })

  it('finds sections by their words', async () => {
    const found = async (words: string) => {
      const html = await pageText(`/docs/search?q=${encodeURIComponent(words)}`)
      return linksIn(html.slice(html.indexOf('<article>'), html.indexOf('</article>')))
    }
    expect((await found('verifying a webhook signature'))[0]).toBe('/docs/webhooks#verify-signatures')
    expect((await found('idempotency key retries')).slice(0, 3)).toContain('/docs/errors#retries')
    expect(await found('useChat')).toContain('/docs/conversations#ai-sdk-usechat')
    expect(await found('zyzzyva')).toEqual([])
    expect(await found('')).toEqual([])
    const hostile = await pageText(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(hostile).not.toContain('<script>alert')
    expect(hostile).toContain('&lt;script&gt;alert(1)')
    expect((await visit('/docs/search?q=a&q=b')).status).toBe(200)
  })

  it('limits searches like other requests without a token, but not pages', async () => {
    const { url } = await startService({ shared: true, environment: { RATE_LIMIT: '3' } })
    const statuses = async (path: string) => {
      const answers = []
      for (let count = 0; count < 5; count++) answers.push((await fetch(`${url}${path}`)).status)
      return answers
    }
    expect(await statuses('/docs/errors')).toEqual([200, 200, 200, 200, 200])
    expect(await statuses('/docs/search?q=agent')).toEqual([200, 200, 200, 429, 429])
  })
})

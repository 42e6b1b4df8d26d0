import { fetchPage, type PageOutcome } from './fetch-page.ts'
import { errorMessage, type Fetcher } from './fetcher.ts'
import type { CrawledPage, KnownPage } from './page.ts'
import { mayBePage, normalizeUrl, siteKey } from './page-url.ts'
import { type Clock, loadSite, type Site, systemClock } from './site.ts'
import { walkSitemaps } from './sitemap-walk.ts'

export interface CrawlRequest {
  urls: string[]
  sitemap?: string | null
  /** Extra media types to keep, in addition to text. */
  mediaTypes: Iterable<string>
  /** Sent with each request, and matched with the agents of robots.txt and robots meta elements. */
  userAgent: string
  maxPages: number
  maxDepth: number
  /** Pages of an earlier crawl by URL. They are only sent again if they have changed. */
  known: Map<string, KnownPage>
  signal: AbortSignal
  /** Default: the clock of the system. */
  clock?: Clock
}

interface Visit {
  url: URL
  /** One of the requested URLs, so its failure is reported. A link to something unwanted is not. */
  isRequested: boolean
  redirects: number
}

const maxConcurrency = 4
const maxRedirects = 5
const maxSeen = 200_000

/**
 * Crawls a site breadth first. A page that fails does not stop the crawl; only an abort does. Each level is finished
 * before the next one starts, so that the same site gives the same pages.
 */
export async function* crawl(fetcher: Fetcher, request: CrawlRequest): AsyncGenerator<CrawledPage> {
  const control = new AbortController()
  const crawler = new Crawler(fetcher, request, AbortSignal.any([request.signal, control.signal]))
  try {
    yield* crawler.run()
  } finally {
    control.abort() // the caller may stop early
  }
}

class Crawler {
  readonly #fetch: Fetcher
  readonly #request: CrawlRequest
  readonly #signal: AbortSignal
  readonly #sites = new Map<string, Promise<Site>>()
  readonly #mediaTypes: ReadonlySet<string>
  /** The sites that the crawl stays on. */
  readonly #allowedSites = new Set<string>()
  readonly #seen = new Set<string>()
  #reported = 0
  #requested = 0
  #hasUnknownLinks = false

  constructor(fetcher: Fetcher, request: CrawlRequest, signal: AbortSignal) {
    this.#fetch = (url, options) =>
      fetcher(url, { ...options, headers: { 'user-agent': request.userAgent, ...options.headers } })
    this.#mediaTypes = new Set(request.mediaTypes)
    this.#request = request
    this.#signal = signal
  }

  async *run(): AsyncGenerator<CrawledPage> {
    const { maxDepth, known } = this.#request
    let level: Visit[] = []
    yield* this.#collectStarts(level)
    for (let depth = 0; depth <= maxDepth; depth++) {
      // The links of some unchanged pages are unknown, so all known pages are visited at the last level.
      if (depth > 0 && depth === maxDepth && this.#hasUnknownLinks) level.push(...this.#newVisits(known.keys()))
      const links: string[][] = []
      yield* this.#readLevel(level, links)
      level = depth < maxDepth ? this.#newVisits(links.flat()) : []
    }
  }

  async *#collectStarts(level: Visit[]): AsyncGenerator<CrawledPage> {
    const { urls, sitemap } = this.#request
    for (const start of [...urls, ...(urls.length === 0 && sitemap ? [sitemap] : [])]) {
      const url = normalizeUrl(start)
      if (url) this.#allowedSites.add(siteKey(url))
    }
    for (const start of urls) {
      const url = normalizeUrl(start)
      if (url === null)
        yield this.#report({ url: start, status: 'failed', error: 'It is not the address of a web page.' })
      else if (this.#isNew(url)) level.push({ url, isRequested: true, redirects: 0 })
    }
    if (!sitemap) return
    for await (const { url, isFirst, pages, error } of walkSitemaps(this.#fetch, sitemap, this.#signal)) {
      if (error !== undefined) yield this.#report({ url, status: 'failed', error, sitemap: isFirst ? 'whole' : 'part' })
      level.push(...this.#newVisits(pages))
      if (level.length > this.#maxRequests) return
    }
  }

  async *#readLevel(level: Visit[], links: string[][]): AsyncGenerator<CrawledPage> {
    const running = new Map<number, Promise<{ index: number; outcome: PageOutcome }>>()
    let next = 0
    while (true) {
      while (running.size < maxConcurrency && this.#mayRequest(running.size)) {
        const visit = level[next]
        if (!visit) break
        const index = next++
        running.set(
          index,
          this.#visit(visit).then((outcome) => ({ index, outcome })),
        )
      }
      if (running.size === 0) return
      const { index, outcome } = await Promise.race(running.values())
      running.delete(index)
      this.#signal.throwIfAborted()
      const visit = level[index] as Visit
      if (outcome.kind === 'redirect') {
        const target = this.#follow(visit, outcome.to)
        if (target && 'status' in target) yield this.#report(target)
        else if (target) level.push(target)
        continue
      }
      links[index] = outcome.links
      if (outcome.kind === 'page') {
        if (outcome.page.status === 'unchanged' && !this.#request.known.get(visit.url.href)?.links)
          this.#hasUnknownLinks = true
        yield this.#report(outcome.page)
      } else if (visit.isRequested) yield this.#report({ url: visit.url.href, status: 'failed', error: outcome.reason })
    }
  }

  /** Never throws. The caller checks for an abort. */
  async #visit({ url }: Visit): Promise<PageOutcome> {
    try {
      const { userAgent, clock = systemClock } = this.#request
      const options = { userAgent, clock, signal: this.#signal }
      const loading = this.#sites.get(url.origin) ?? loadSite(this.#fetch, url.origin, options)
      this.#sites.set(url.origin, loading)
      const site = await loading
      const reason = site.disallowedReason(url)
      if (reason !== null) return { kind: 'skipped', reason, links: [] }
      this.#requested++
      return await fetchPage(url.href, {
        fetch: this.#fetch,
        site,
        userAgent,
        mediaTypes: this.#mediaTypes,
        known: this.#request.known.get(url.href),
        signal: this.#signal,
      })
    } catch (error) {
      return { kind: 'skipped', reason: errorMessage(error), links: [] }
    }
  }

  /** A redirect on the site is one more visit on the same level. The page is reported under its final URL. */
  #follow(visit: Visit, location: string): Visit | CrawledPage | null {
    const target = normalizeUrl(location, visit.url.href)
    const failed = (error: string): CrawledPage | null =>
      visit.isRequested ? { url: visit.url.href, status: 'failed', error } : null
    if (target === null) return failed('It redirects to something that is not a web page.')
    if (!this.#allowedSites.has(siteKey(target))) return failed(`It redirects to another site: ${target.host}`)
    if (visit.redirects >= maxRedirects) return failed(`It redirects more than ${maxRedirects} times.`)
    if (target.href === visit.url.href) return failed('It redirects to itself.')
    return this.#isNew(target) ? { url: target, isRequested: visit.isRequested, redirects: visit.redirects + 1 } : null
  }

  #newVisits(links: Iterable<string>): Visit[] {
    const visits: Visit[] = []
    for (const link of links) {
      const url = normalizeUrl(link)
      if (url && this.#allowedSites.has(siteKey(url)) && mayBePage(url) && this.#isNew(url))
        visits.push({ url, isRequested: false, redirects: 0 })
    }
    return visits
  }

  #isNew({ href }: URL): boolean {
    if (this.#seen.has(href) || this.#seen.size >= maxSeen) return false
    this.#seen.add(href)
    return true
  }

  /** Skipped pages do not count as pages, so requests have a separate limit. */
  get #maxRequests(): number {
    return this.#request.maxPages * 4 + 100
  }

  #mayRequest(running: number): boolean {
    return this.#reported + running < this.#request.maxPages && this.#requested < this.#maxRequests
  }

  #report(page: CrawledPage): CrawledPage {
    this.#reported++
    return page
  }
}

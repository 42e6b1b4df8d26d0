import type { Egress } from '../../../server/src/kernel/egress/egress.ts'
import { reason } from '../../../server/src/kernel/errors.ts'
import { fetchPage, type PageOutcome } from './fetch-page.ts'
import { mayBePage, pageAddress, siteOf } from './page-address.ts'
import { meetSite, type Site } from './site.ts'
import { walkSitemaps } from './sitemap-walk.ts'

export interface CrawledPage {
  url: string
  status: 'fetched' | 'unchanged' | 'failed'
  mediaType?: string
  body?: Buffer
  etag?: string | null
  lastModified?: string | null
  /** Where it leads. Worth giving back in `known`, as an unchanged page does not show its links again. */
  links?: string[]
  error?: string
  /** It is no page, but the sitemap or a part of it that could not be read. */
  sitemap?: 'whole' | 'part'
}

export interface KnownPage {
  etag: string | null
  lastModified: string | null
  links?: string[]
}

export interface CrawlRequest {
  urls: string[]
  sitemap?: string | null
  maxPages: number
  maxDepth: number
  known: Map<string, KnownPage>
  signal: AbortSignal
}

interface Visit {
  url: URL
  /** Asked for by name, so that the caller hears of it in any case; a mere link may turn out to be nothing for us. */
  wanted: boolean
  hops: number
}

const lanes = 4
const mostHops = 5
const mostSeen = 200_000

/**
 * Reads a site breadth first, politely, within its own bounds and ours. Each page is its own success or failure; only
 * an abort ends the whole. A level is finished before the next begins, so that the same site gives the same pages.
 */
export async function* crawl(egress: Egress, request: CrawlRequest): AsyncGenerator<CrawledPage> {
  const control = new AbortController()
  const reader = new SiteReader(egress, request, AbortSignal.any([request.signal, control.signal]))
  try {
    yield* reader.read()
  } finally {
    control.abort() // a caller that has seen enough leaves nothing running
  }
}

class SiteReader {
  readonly #egress: Egress
  readonly #request: CrawlRequest
  readonly #signal: AbortSignal
  readonly #sites = new Map<string, Promise<Site>>()
  readonly #ours = new Set<string>()
  readonly #seen = new Set<string>()
  #told = 0
  #asked = 0
  #linksUnknown = false

  constructor(egress: Egress, request: CrawlRequest, signal: AbortSignal) {
    this.#egress = egress
    this.#request = request
    this.#signal = signal
  }

  async *read(): AsyncGenerator<CrawledPage> {
    const { maxDepth, known } = this.#request
    let level: Visit[] = []
    yield* this.#collectStarts(level)
    for (let depth = 0; depth <= maxDepth; depth++) {
      // What was found through a page that has not changed, and that nobody remembers the links of, is looked at last.
      if (depth > 0 && depth === maxDepth && this.#linksUnknown) level.push(...this.#newVisits(known.keys()))
      const links: string[][] = []
      yield* this.#readLevel(level, links)
      level = depth < maxDepth ? this.#newVisits(links.flat()) : []
    }
  }

  async *#collectStarts(level: Visit[]): AsyncGenerator<CrawledPage> {
    const { urls, sitemap } = this.#request
    for (const address of [...urls, ...(urls.length === 0 && sitemap ? [sitemap] : [])]) {
      const url = pageAddress(address)
      if (url) this.#ours.add(siteOf(url))
    }
    for (const address of urls) {
      const url = pageAddress(address)
      if (url === null)
        yield this.#tell({ url: address, status: 'failed', error: 'It is not the address of a web page.' })
      else if (this.#isNew(url)) level.push({ url, wanted: true, hops: 0 })
    }
    if (!sitemap) return
    for await (const { address, isFirst, pages, error } of walkSitemaps(this.#egress, sitemap, this.#signal)) {
      if (error !== undefined)
        yield this.#tell({ url: address, status: 'failed', error, sitemap: isFirst ? 'whole' : 'part' })
      level.push(...this.#newVisits(pages))
      if (level.length > this.#mostRequests) return
    }
  }

  async *#readLevel(level: Visit[], links: string[][]): AsyncGenerator<CrawledPage> {
    const running = new Map<number, Promise<{ index: number; outcome: PageOutcome }>>()
    let next = 0
    while (true) {
      while (running.size < lanes && this.#mayAsk(running.size)) {
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
        const further = this.#follow(visit, outcome.to)
        if (further && 'status' in further) yield this.#tell(further)
        else if (further) level.push(further)
        continue
      }
      links[index] = outcome.links
      if (outcome.kind === 'page') {
        if (outcome.page.status === 'unchanged' && !this.#request.known.get(visit.url.href)?.links)
          this.#linksUnknown = true
        yield this.#tell(outcome.page)
      } else if (visit.wanted) yield this.#tell({ url: visit.url.href, status: 'failed', error: outcome.why })
    }
  }

  /** Never throws: an abort is found by the one who waits. */
  async #visit({ url }: Visit): Promise<PageOutcome> {
    try {
      const met = this.#sites.get(url.origin) ?? meetSite(this.#egress, url.origin, this.#signal)
      this.#sites.set(url.origin, met)
      const site = await met
      const objection = site.objection(url)
      if (objection !== null) return { kind: 'passed over', why: objection, links: [] }
      this.#asked++
      const known = this.#request.known.get(url.href)
      return await fetchPage(url.href, { egress: this.#egress, site, known, signal: this.#signal })
    } catch (error) {
      return { kind: 'passed over', why: reason(error), links: [] }
    }
  }

  /** A redirect is one more visit on the same level, if it stays on the site; the page goes by the address it ends at. */
  #follow(visit: Visit, location: string): Visit | CrawledPage | null {
    const target = pageAddress(location, visit.url.href)
    const failed = (error: string): CrawledPage | null =>
      visit.wanted ? { url: visit.url.href, status: 'failed', error } : null
    if (target === null) return failed('It redirects to something that is not a web page.')
    if (!this.#ours.has(siteOf(target))) return failed(`It redirects to another site: ${target.host}`)
    if (visit.hops >= mostHops) return failed(`It redirects more than ${mostHops} times.`)
    if (target.href === visit.url.href) return failed('It redirects to itself.')
    return this.#isNew(target) ? { url: target, wanted: visit.wanted, hops: visit.hops + 1 } : null
  }

  #newVisits(addresses: Iterable<string>): Visit[] {
    const visits: Visit[] = []
    for (const address of addresses) {
      const url = pageAddress(address)
      if (url && this.#ours.has(siteOf(url)) && mayBePage(url) && this.#isNew(url))
        visits.push({ url, wanted: false, hops: 0 })
    }
    return visits
  }

  #isNew({ href }: URL): boolean {
    if (this.#seen.has(href) || this.#seen.size >= mostSeen) return false
    this.#seen.add(href)
    return true
  }

  /** Pages that turn out to be nothing for us do not count as pages, but they are not asked for without end either. */
  get #mostRequests(): number {
    return this.#request.maxPages * 4 + 100
  }

  #mayAsk(running: number): boolean {
    return this.#told + running < this.#request.maxPages && this.#asked < this.#mostRequests
  }

  #tell(page: CrawledPage): CrawledPage {
    this.#told++
    return page
  }
}

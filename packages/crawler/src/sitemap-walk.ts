import { errorMessage, type Fetcher } from './fetcher.ts'
import { normalizeUrl } from './page-url.ts'
import { maxSitemapBytes, readSitemap } from './sitemap.ts'

const maxSitemaps = 200

interface WalkedSitemap {
  url: string
  /** This is the requested sitemap, not one that it refers to. */
  isFirst: boolean
  pages: string[]
  error?: string
}

/** Yields a sitemap and all those it refers to, each with its pages or an error. */
export async function* walkSitemaps(fetch: Fetcher, url: string, signal: AbortSignal): AsyncGenerator<WalkedSitemap> {
  const waiting = [normalizeUrl(url)?.href ?? url]
  const seen = new Set(waiting)
  for (let read = 0; read < maxSitemaps; read++) {
    const next = waiting.shift()
    if (next === undefined) return
    try {
      const { pages, sitemaps } = await readSitemap(await fetchSitemap(fetch, next, signal))
      for (const location of sitemaps) {
        const child = normalizeUrl(location, next)?.href
        if (child === undefined || seen.has(child)) continue
        seen.add(child)
        waiting.push(child)
      }
      yield { url: next, isFirst: read === 0, pages }
    } catch (error) {
      signal.throwIfAborted()
      const why = `The sitemap ${next} could not be read: ${errorMessage(error)}`
      yield { url: next, isFirst: read === 0, pages: [], error: why }
    }
  }
}

async function fetchSitemap(fetch: Fetcher, url: string, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, {
    headers: { accept: 'application/xml,text/xml,text/plain,*/*;q=0.1' },
    maxRedirects: 5,
    maxBytes: maxSitemapBytes,
    timeoutMs: 60_000,
    signal,
  })
  if (response.status !== 200) throw new Error(`it answered ${response.status}.`)
  return response.body
}

import type { Egress } from '../../../server/src/kernel/egress/egress.ts'
import { reason } from '../../../server/src/kernel/errors.ts'
import { second } from '../../../server/src/kernel/time.ts'
import { pageAddress } from './page-address.ts'
import { agentName } from './site.ts'
import { mostSitemapBytes, readSitemap } from './sitemap.ts'

const mostSitemaps = 200

interface WalkedSitemap {
  address: string
  /** The one that was asked for, not one that it names. */
  isFirst: boolean
  pages: string[]
  error?: string
}

/** Every sitemap that can be reached from one, each with its pages or with why it could not be read. */
export async function* walkSitemaps(
  egress: Egress,
  address: string,
  signal: AbortSignal,
): AsyncGenerator<WalkedSitemap> {
  const waiting = [pageAddress(address)?.href ?? address]
  const seen = new Set(waiting)
  for (let read = 0; read < mostSitemaps; read++) {
    const next = waiting.shift()
    if (next === undefined) return
    try {
      const { pages, sitemaps } = await readSitemap(await fetchSitemap(egress, next, signal))
      for (const location of sitemaps) {
        const further = pageAddress(location, next)?.href
        if (further === undefined || seen.has(further)) continue
        seen.add(further)
        waiting.push(further)
      }
      yield { address: next, isFirst: read === 0, pages }
    } catch (error) {
      signal.throwIfAborted()
      const why = `The sitemap ${next} could not be read: ${reason(error)}`
      yield { address: next, isFirst: read === 0, pages: [], error: why }
    }
  }
}

async function fetchSitemap(egress: Egress, address: string, signal: AbortSignal): Promise<Buffer> {
  const answer = await egress.request(address, {
    headers: { 'user-agent': agentName, accept: 'application/xml,text/xml,text/plain,*/*;q=0.1' },
    redirects: 5,
    maxBytes: mostSitemapBytes,
    timeout: 60 * second,
    signal,
  })
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}.`)
  return answer.body
}

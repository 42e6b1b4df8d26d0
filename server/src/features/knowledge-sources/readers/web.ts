import { createHash } from 'node:crypto'
import type { CrawledPage, KnownPage } from '@parley/crawler'
import { mediaTypes } from '@parley/documents'
import {
  type Content,
  type Item,
  type Known,
  type Reader,
  type Reading,
  SyncError,
  Unreadable,
  unchanged,
} from './reader.ts'

const defaults = { maxPages: 100, maxDepth: 3 }
const readableTypes = [
  ...Object.values(mediaTypes),
  'application/xhtml+xml',
  'application/x-ndjson',
  'application/xml',
  'application/javascript',
]
/** A sitemap is never gone: pages that nobody can name any more may still be there. */
const isGone = (page: CrawledPage): boolean => page.sitemap === undefined && /\b(404|410)\b/.test(page.error ?? '')

/** The pages of a site. A page that fails keeps what was read of it before; one that is gone goes. */
export const readSite: Reader = async function* (reading) {
  const { ctx, source, known, signal } = reading
  const { urls = [], sitemap = null, max_pages, max_depth } = source.configuration
  const asked = new Set(urls.flatMap((url) => (URL.canParse(url) ? [url, new URL(url).href] : [url])))
  let incomplete = false
  let noSitemap: string | undefined
  const request = {
    urls,
    sitemap,
    mediaTypes: readableTypes,
    userAgent: 'parley',
    maxPages: max_pages ?? defaults.maxPages,
    maxDepth: max_depth ?? defaults.maxDepth,
    known: pagesIn(known),
    signal,
  }
  const [{ crawl }, { crawlFetcher }] = await Promise.all([import('@parley/crawler'), import('./crawl-fetcher.ts')])
  for await (const page of crawl(crawlFetcher(ctx.egress), request)) {
    if (page.sitemap === 'whole') {
      noSitemap = page.error
      continue
    }
    if (page.status === 'failed' && isGone(page) && !asked.has(page.url)) continue
    // What is behind a page that fails for now may still be there.
    if (page.status === 'failed' && !isGone(page)) incomplete = true
    yield itemFor(reading, page)
  }
  if (noSitemap !== undefined) throw new SyncError(noSitemap)
  return { incomplete }
}

function pagesIn(known: ReadonlyMap<string, Known>): Map<string, KnownPage> {
  const pages = new Map<string, KnownPage>()
  for (const { key, stamp, version, indexed_version } of known.values()) {
    if (stamp !== null && version !== null && version === indexed_version) {
      pages.set(key, JSON.parse(stamp) as KnownPage)
    }
  }
  return pages
}

function itemFor({ ctx, known }: Reading, page: CrawledPage): Item {
  const before = known.get(page.url)
  const { etag = null, lastModified = null } = page
  const links = page.links ?? (before?.stamp ? (JSON.parse(before.stamp) as KnownPage).links : undefined)
  return {
    key: page.url,
    name: page.url,
    metadata: { url: page.url },
    stamp: page.status === 'failed' ? (before?.stamp ?? null) : JSON.stringify({ etag, lastModified, links }),
    open: async (): Promise<Content> => {
      if (page.status === 'unchanged' && before) {
        return unchanged({ sha256: before.sha256 ?? '', size: Number(before.size) })
      }
      const { body, mediaType } = page
      if (page.status === 'failed' || body === undefined) throw new Unreadable(page.error ?? 'The page cannot be read.')
      return {
        sha256: createHash('sha256').update(body).digest('hex'),
        size: body.length,
        read: (signal) =>
          ctx.parser.parseDocument(body, {
            name: new URL(page.url).pathname,
            signal,
            ...(mediaType !== undefined && { mediaType }),
          }),
      }
    },
  }
}

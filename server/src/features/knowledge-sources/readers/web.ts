import { createHash } from 'node:crypto'
import type { CrawledPage, KnownPage } from '@parley/crawler'
import { mediaTypes } from '@parley/documents'
import { readingOptions } from '../reading.ts'
import {
  type Content,
  type Item,
  type KnownDocument,
  type Reader,
  type ReadRequest,
  SyncError,
  Unreadable,
  unchanged,
} from './reader.ts'

const defaults = { maxPages: 100, maxDepth: 3 }
const readableTypes = [
  ...Object.values(mediaTypes).filter((type) => !type.startsWith('image/')),
  'application/xhtml+xml',
  'application/x-ndjson',
  'application/xml',
  'application/javascript',
]

/** A missing sitemap does not mean that its pages are gone. */
const isGone = (page: CrawledPage): boolean => page.sitemap === undefined && /\b(404|410)\b/.test(page.error ?? '')

/** Crawls a site. A page that fails keeps its last text; a page that is gone (404, 410) is removed. */
export const readSite: Reader = async function* (request) {
  const { ctx, source, known, signal } = request
  const { urls = [], sitemap = null, max_pages, max_depth } = source.configuration
  const requested = new Set(urls.flatMap((url) => (URL.canParse(url) ? [url, new URL(url).href] : [url])))
  let incomplete = false
  let sitemapError: string | undefined
  const crawlRequest = {
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
  for await (const page of crawl(crawlFetcher(ctx.egress), crawlRequest)) {
    if (page.sitemap === 'whole') {
      sitemapError = page.error
      continue
    }
    if (page.status === 'failed' && isGone(page) && !requested.has(page.url)) continue
    // The pages that a failed page links to may still exist.
    if (page.status === 'failed' && !isGone(page)) incomplete = true
    yield itemFor(request, page)
  }
  if (sitemapError !== undefined) throw new SyncError(sitemapError)
  return { incomplete }
}

function pagesIn(known: ReadonlyMap<string, KnownDocument>): Map<string, KnownPage> {
  const pages = new Map<string, KnownPage>()
  for (const { key, stamp, version, indexed_version, parent_id } of known.values()) {
    if (parent_id === null && stamp !== null && version !== null && version === indexed_version) {
      pages.set(key, JSON.parse(stamp) as KnownPage)
    }
  }
  return pages
}

function itemFor({ ctx, workspace, source, known }: ReadRequest, page: CrawledPage): Item {
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
      if (page.status === 'failed' || body === undefined)
        throw new Unreadable(page.error ?? 'The page could not be read.')
      return {
        sha256: createHash('sha256').update(body).digest('hex'),
        size: body.length,
        read: (signal, _onProgress, onOcr) =>
          ctx.parser.parseDocument(body, {
            name: new URL(page.url).pathname,
            signal,
            onOcr,
            ...readingOptions(workspace, source),
            ...(mediaType !== undefined && { mediaType }),
          }),
      }
    },
  }
}

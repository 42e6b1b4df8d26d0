import { errorMessage, type Fetcher, type FetchResponse } from './fetcher.ts'
import { readLinks, robotsRules } from './links.ts'
import type { CrawledPage, KnownPage } from './page.ts'
import type { Site } from './site.ts'

const maxPageBytes = 25 * 1024 * 1024
const maxBackOffMs = 30_000
const maxAttempts = 3

export type PageOutcome =
  | { kind: 'page'; page: CrawledPage; links: string[] }
  | { kind: 'redirect'; to: string }
  /** Unwanted media type, or `noindex`. */
  | { kind: 'skipped'; reason: string; links: string[] }

interface FetchPageOptions {
  fetch: Fetcher
  site: Site
  userAgent: string
  /** Extra media types to keep, in addition to text. */
  mediaTypes: ReadonlySet<string>
  known: KnownPage | undefined
  signal: AbortSignal
}

/** Errors become outcomes; it throws only when it is aborted. */
export async function fetchPage(url: string, options: FetchPageOptions): Promise<PageOutcome> {
  const { fetch, site, mediaTypes, known, signal } = options
  try {
    for (let attempt = 1; ; attempt++) {
      await site.waitTurn(signal)
      const response = await fetch(url, {
        headers: requestHeaders(known),
        maxBytes: maxPageBytes,
        timeoutMs: 60_000,
        wantsBody: ({ status, headers }) => isSuccess(status) && isWanted(headers['content-type'], url, mediaTypes),
        signal,
      })
      const isBusy = response.status === 429 || response.status === 503
      if (!isBusy || attempt === maxAttempts) return await crawlOutcome(url, response, options)
      site.backOff(backOffMs(response.headers['retry-after'], attempt))
    }
  } catch (error) {
    signal.throwIfAborted()
    return failed(url, errorMessage(error))
  }
}

function requestHeaders(known: KnownPage | undefined): Record<string, string> {
  return {
    accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
}

async function crawlOutcome(
  url: string,
  { status, headers, body }: FetchResponse,
  { known, mediaTypes, userAgent }: FetchPageOptions,
): Promise<PageOutcome> {
  const { location } = headers
  if (status === 304 && known) {
    const page: CrawledPage = {
      url,
      status: 'unchanged',
      etag: headers.etag ?? known.etag,
      lastModified: headers['last-modified'] ?? known.lastModified,
    }
    return { kind: 'page', page, links: known.links ?? [] }
  }
  if (status >= 300 && status < 400 && location !== undefined) return { kind: 'redirect', to: location }
  if (!isSuccess(status)) return failed(url, `It answered ${status}.`)
  if (!isWanted(headers['content-type'], url, mediaTypes))
    return { kind: 'skipped', reason: `A document of type ${headers['content-type']} cannot be read.`, links: [] }

  const mediaType = headers['content-type'] ?? 'application/octet-stream'
  const isHtml = /^(text\/html|application\/xhtml\+xml)\b/i.test(mediaType)
  const headerRules = robotsRules(headers['x-robots-tag'] ?? '')
  const read = isHtml ? await readLinks(decode(body, mediaType), url, userAgent) : { links: [], mayIndex: true }
  const links = headerRules.mayFollow ? read.links : []
  if (!headerRules.mayIndex || !read.mayIndex)
    return { kind: 'skipped', reason: 'It asks not to be indexed (noindex).', links }
  const page: CrawledPage = {
    url,
    status: 'fetched',
    mediaType,
    body,
    etag: headers.etag ?? null,
    lastModified: headers['last-modified'] ?? null,
    links,
  }
  return { kind: 'page', page, links }
}

const failed = (url: string, error: string): PageOutcome => ({
  kind: 'page',
  page: { url, status: 'failed', error },
  links: [],
})

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** A response without a media type is wanted: the caller can look at its content. */
function isWanted(contentType: string | undefined, url: string, mediaTypes: ReadonlySet<string>): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === '') return true
  if (type === 'application/octet-stream')
    return /\.(?:pdf|docx|pptx|xlsx|epub|eml|md|txt|csv|jsonl?)$/i.test(new URL(url).pathname)
  return mediaTypes.has(type) || (type.startsWith('text/') && type !== 'text/css' && type !== 'text/javascript')
}

function decode(body: Buffer, mediaType: string): string {
  const label = /charset="?([\w-]+)/i.exec(mediaType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

function backOffMs(retryAfter: string | undefined, attempt: number): number {
  const requested =
    retryAfter === undefined
      ? Number.NaN
      : /^\d+$/.test(retryAfter)
        ? Number(retryAfter) * 1000
        : Date.parse(retryAfter) - Date.now()
  const wait = Number.isNaN(requested) ? attempt * 1000 : requested
  return Math.min(Math.max(wait, 0), maxBackOffMs)
}

import { mediaTypes } from '@parley/documents'
import type { Egress, EgressResponse } from '../../../server/src/kernel/egress/egress.ts'
import { reason } from '../../../server/src/kernel/errors.ts'
import { second } from '../../../server/src/kernel/time.ts'
import type { CrawledPage, KnownPage } from './crawl.ts'
import { readLinks, robotsRules } from './links.ts'
import { agentName, type Site } from './site.ts'

const mostPageBytes = 25 * 1024 * 1024
const longestRest = 30 * second
const tries = 3

/** What came of asking for a page. */
export type PageOutcome =
  | { kind: 'page'; page: CrawledPage; links: string[] }
  | { kind: 'redirect'; to: string }
  /** Nothing to keep: not a kind of document that is read, or it asks not to be kept. */
  | { kind: 'passed over'; why: string; links: string[] }

interface Errand {
  egress: Egress
  site: Site
  known: KnownPage | undefined
  signal: AbortSignal
}

/** Asks for one page. Whatever is wrong with it becomes its own outcome; only an abort is thrown. */
export async function fetchPage(url: string, { egress, site, known, signal }: Errand): Promise<PageOutcome> {
  try {
    for (let attempt = 1; ; attempt++) {
      await site.turn(signal)
      const answer = await egress.request(url, {
        headers: requestHeaders(known),
        maxBytes: mostPageBytes,
        timeout: 60 * second,
        wantsBody: ({ status, headers }) => isSuccess(status) && isReadable(headers['content-type'], url),
        signal,
      })
      const busy = answer.status === 429 || answer.status === 503
      if (!busy || attempt === tries) return await judge(url, answer, known)
      site.rest(restAsked(answer.headers['retry-after'], attempt))
    }
  } catch (error) {
    signal.throwIfAborted()
    return failed(url, reason(error))
  }
}

function requestHeaders(known: KnownPage | undefined): Record<string, string> {
  return {
    'user-agent': agentName,
    accept: 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5',
    ...(known?.etag && { 'if-none-match': known.etag }),
    ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
  }
}

async function judge(url: string, answer: EgressResponse, known: KnownPage | undefined): Promise<PageOutcome> {
  const { status, headers, body } = answer
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
  if (!isReadable(headers['content-type'], url))
    return { kind: 'passed over', why: `A document of type ${headers['content-type']} cannot be read.`, links: [] }

  const mediaType = headers['content-type'] ?? 'application/octet-stream'
  const isHtml = /^(text\/html|application\/xhtml\+xml)\b/i.test(mediaType)
  const header = robotsRules(headers['x-robots-tag'] ?? '')
  const read = isHtml ? await readLinks(decode(body, mediaType), url, agentName) : { links: [], mayIndex: true }
  const links = header.mayFollow ? read.links : []
  if (!header.mayIndex || !read.mayIndex)
    return { kind: 'passed over', why: 'It asks not to be kept (noindex).', links }
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

const readable = new Set<string>([
  ...Object.values(mediaTypes),
  'application/xhtml+xml',
  'application/x-ndjson',
  'application/xml',
  'application/javascript',
])

/** Whether the parser reads such documents. One without a type, or with none that says anything, is judged by its content later. */
function isReadable(contentType: string | undefined, url: string): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === '') return true
  if (type === 'application/octet-stream')
    return /\.(?:pdf|docx|pptx|xlsx|epub|eml|md|txt|csv|jsonl?)$/i.test(new URL(url).pathname)
  return readable.has(type) || (type.startsWith('text/') && type !== 'text/css' && type !== 'text/javascript')
}

function decode(body: Buffer, mediaType: string): string {
  const label = /charset="?([\w-]+)/i.exec(mediaType)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    return body.toString('utf8')
  }
}

function restAsked(retryAfter: string | undefined, attempt: number): number {
  const asked =
    retryAfter === undefined
      ? Number.NaN
      : /^\d+$/.test(retryAfter)
        ? Number(retryAfter) * second
        : Date.parse(retryAfter) - Date.now()
  const wait = Number.isNaN(asked) ? attempt * second : asked
  return Math.min(Math.max(wait, 0), longestRest)
}

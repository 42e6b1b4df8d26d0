import { errorFrom, isParleyError, ParleyError, readError } from './errors.ts'
import { type Http, type RequestOptions, randomKey } from './http.ts'
import type { Schemas, Shape } from './types.ts'
import { sendByXhr, xhr } from './xhr.ts'

type Document = Shape<'KnowledgeDocument'>

/** A name and content, as an alternative to a browser `File`. */
export interface UploadFile {
  /** The name of the file, with its extension. */
  name: string
  /** The bytes, with their type if it is known. */
  content: Blob
}

export interface UploadProgress {
  /** Position in the list of files, from 0. */
  index: number
  /** The name of the file. */
  name: string
  /** Bytes that were sent. */
  sent: number
  /** Bytes of the file. */
  size: number
  /** `failed`: the server did not take the file. */
  state: 'sending' | 'done' | 'failed'
  /** Why it failed. */
  error?: ParleyError
}

export interface UploadOptions extends RequestOptions {
  /** Called for each file while it is sent and when it has ended. */
  onProgress?(progress: UploadProgress): void
  /** Start a sync after the upload. Default: true. */
  sync?: boolean
  /** Metadata of every file, which searches can filter by. Default: a replaced document keeps its own. */
  metadata?: Record<string, unknown>
  /** The people who may see the files. Null applies the rules of the source. Default: a replaced document keeps its own. */
  access?: Schemas['Access'] | null
}

interface Entry extends UploadFile {
  index: number
}

const maxFiles = 20
const maxBytes = 64 * 1024 * 1024

/**
 * Uploads files in batches to stay within the rate limit. A file that the server does not take is a document of status
 * `failed` with the reason in `error`. If it takes none of a request, the other files are still uploaded, then the first
 * error is thrown.
 */
export async function upload(
  http: Http,
  path: string,
  files: Iterable<File | UploadFile>,
  options: UploadOptions = {},
): Promise<Document[]> {
  const entries = Array.from(files, (file, index) => ({
    index,
    name: file.name,
    content: file instanceof Blob ? file : file.content,
  }))
  const batches = splitIntoBatches(entries)
  const stored: Document[] = []
  const failures: ParleyError[] = []

  // A key belongs to one request, and repeating the upload gives each request the same key again.
  const batchKey = (batch: Entry[]): string => {
    const key = options.idempotencyKey
    if (key === undefined) return randomKey()
    return batch.length === entries.length ? key : `${key}-${batch[0]?.index}-${batch.length}`
  }

  const attempt = async (batch: Entry[], isLast: boolean): Promise<void> => {
    const request = { ...options, idempotencyKey: batchKey(batch), sync: isLast && options.sync !== false }
    try {
      const documents = await sendForm<Document[]>(http, path, batch, request)
      stored.push(...documents)
      for (const [position, { index, name, content }] of batch.entries()) {
        const { status, error: message } = documents[position] ?? {}
        const outcome =
          status === 'failed' && message
            ? { state: 'failed' as const, error: new ParleyError({ code: 'invalid_request', message }) }
            : { state: 'done' as const }
        options.onProgress?.({ index, name, sent: content.size, size: content.size, ...outcome })
      }
    } catch (error) {
      if (!isParleyError(error) || error.code === 'aborted') throw error
      if (batch.length > 1 && error.status >= 400 && error.status < 500 && error.status !== 401) {
        for (const [position, entry] of batch.entries()) await attempt([entry], isLast && position === batch.length - 1)
        return
      }
      failures.push(error)
      for (const { index, name, content } of batch)
        options.onProgress?.({ index, name, sent: 0, size: content.size, state: 'failed', error })
    }
  }
  for (const [position, batch] of batches.entries()) await attempt(batch, position === batches.length - 1)
  if (failures[0]) throw failures[0]
  return stored
}

function splitIntoBatches(entries: Entry[]): Entry[][] {
  const batches: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const last = batches.at(-1)
    if (last && last.length < maxFiles && bytes + entry.content.size <= maxBytes) last.push(entry)
    else {
      batches.push([entry])
      bytes = 0
    }
    bytes += entry.content.size
  }
  return batches
}

const escapeFileName = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => ({ '\r': '%0D', '\n': '%0A', '"': '%22' })[character] ?? '')

/** Sends files as one form. Returns `data` of the response. */
export async function sendForm<T>(
  http: Http,
  path: string,
  batch: Entry[],
  options: UploadOptions & { idempotencyKey: string },
): Promise<T> {
  const { onProgress, sync, metadata, access, ...plain } = options
  // The boundary is derived from the key, so that a retry has the same bytes.
  const boundary = `parley-${plain.idempotencyKey.replace(/[^\w]/g, '').slice(0, 60)}`
  const parts: (string | Blob)[] = []
  const starts: number[] = []
  let offset = 0
  const add = (part: string | Blob) => {
    parts.push(part)
    offset += typeof part === 'string' ? new TextEncoder().encode(part).length : part.size
  }
  for (const [name, value] of Object.entries({ metadata, access })) {
    if (value === undefined) continue
    const disposition = `Content-Disposition: form-data; name="${name}"`
    add(`--${boundary}\r\n${disposition}\r\n\r\n${JSON.stringify(value)}\r\n`)
  }
  for (const { name, content } of batch) {
    const type = content.type || 'application/octet-stream'
    const disposition = `Content-Disposition: form-data; name="file"; filename="${escapeFileName(name)}"`
    add(`--${boundary}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n`)
    starts.push(offset)
    add(content)
    add('\r\n')
  }
  add(`--${boundary}--\r\n`)
  const body = new Blob(parts)

  const report = (sent: number) => {
    for (const [position, { index, name, content }] of batch.entries()) {
      const sentOfFile = Math.min(content.size, Math.max(0, sent - (starts[position] ?? 0)))
      onProgress?.({ index, name, sent: sentOfFile, size: content.size, state: 'sending' })
    }
  }
  const url = http.url(path, sync === false ? { sync: false } : {})
  const once = () =>
    http.attempt(plain, async (signal) => {
      const headers = {
        ...(await http.headers(plain)),
        'content-type': `multipart/form-data; boundary=${boundary}`,
      }
      report(0)
      return sendBody<T>(http, url, headers, body, report, signal)
    })
  return http.withRetries(
    once,
    (error) => ['rate_limited', 'overloaded', 'connection_failed'].includes(error.code),
    plain,
  )
}

async function sendBody<T>(
  http: Http,
  url: string,
  headers: Record<string, string>,
  body: Blob,
  report: (sent: number) => void,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted()
  if (xhr && http.customFetch === null) {
    const response = await sendByXhr(xhr, url, headers, body, report, signal)
    if (response.status >= 200 && response.status < 300) return (JSON.parse(response.text) as { data: T }).data
    throw errorFrom(response.status, response.text, response)
  }
  let sent = 0
  const countedBody = body.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.length
        report(sent)
        controller.enqueue(chunk)
      },
    }),
  )
  // Progress needs a stream body, and fetch requires `duplex` for it.
  const init = { method: 'POST', headers, body: countedBody, duplex: 'half', signal }
  const response = await (http.customFetch ?? fetch)(url, init as RequestInit)
  if (!response.ok) throw await readError(response)
  return ((await response.json()) as { data: T }).data
}

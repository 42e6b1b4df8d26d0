import { errorFrom, errorOf, isParleyError, ParleyError } from './errors.ts'
import { type Http, type RequestOptions, randomKey } from './http.ts'
import type { Shape } from './types.ts'
import { sendByXhr, xhr } from './xhr.ts'

type Document = Shape<'KnowledgeDocument'>

/** A file of a browser (`File`), or anything with a name and content. */
export interface UploadFile {
  name: string
  content: Blob
}

export interface UploadProgress {
  /** Which of the files, from 0. */
  index: number
  name: string
  sent: number
  size: number
  state: 'sending' | 'done' | 'failed'
  error?: ParleyError
}

export interface UploadOptions extends RequestOptions {
  onProgress?(progress: UploadProgress): void
  /** Only store the files; `false` leaves the synchronisation to you. */
  sync?: boolean
}

interface Entry extends UploadFile {
  index: number
}

const mostFiles = 20
const mostBytes = 64 * 1024 * 1024

/**
 * Sends files in a few requests, so that many small ones stay inside the rate limit. Where one of them is refused the
 * others still arrive; the error of the first refused one is thrown at the end.
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
  const groups = grouped(entries)
  const stored: Document[] = []
  const failures: ParleyError[] = []

  const attempt = async (group: Entry[], isLast: boolean): Promise<void> => {
    try {
      stored.push(...(await sendGroup(http, path, group, { ...options, sync: isLast && options.sync !== false })))
      for (const { index, name, content } of group)
        options.onProgress?.({ index, name, sent: content.size, size: content.size, state: 'done' })
    } catch (error) {
      if (!isParleyError(error)) throw error
      if (group.length > 1 && error.status >= 400 && error.status < 500 && error.status !== 401) {
        for (const [place, entry] of group.entries()) await attempt([entry], isLast && place === group.length - 1)
        return
      }
      failures.push(error)
      for (const { index, name, content } of group)
        options.onProgress?.({ index, name, sent: 0, size: content.size, state: 'failed', error })
    }
  }
  for (const [place, group] of groups.entries()) await attempt(group, place === groups.length - 1)
  if (failures[0]) throw failures[0]
  return stored
}

function grouped(entries: Entry[]): Entry[][] {
  const groups: Entry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const last = groups.at(-1)
    if (last && last.length < mostFiles && bytes + entry.content.size <= mostBytes) last.push(entry)
    else {
      groups.push([entry])
      bytes = 0
    }
    bytes += entry.content.size
  }
  return groups
}

const quoted = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => ({ '\r': '%0D', '\n': '%0A', '"': '%22' })[character] ?? '')

async function sendGroup(http: Http, path: string, group: Entry[], options: UploadOptions): Promise<Document[]> {
  const idempotencyKey = options.idempotencyKey ?? randomKey()
  // The boundary is made of the key, so that a repetition is the same to the byte.
  const boundary = `parley-${idempotencyKey.replace(/[^\w]/g, '').slice(0, 60)}`
  const parts: (string | Blob)[] = []
  const starts: number[] = []
  let position = 0
  const add = (part: string | Blob) => {
    parts.push(part)
    position += typeof part === 'string' ? new TextEncoder().encode(part).length : part.size
  }
  for (const { name, content } of group) {
    const type = content.type || 'application/octet-stream'
    const disposition = `Content-Disposition: form-data; name="file"; filename="${quoted(name)}"`
    add(`--${boundary}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n`)
    starts.push(position)
    add(content)
    add('\r\n')
  }
  add(`--${boundary}--\r\n`)
  const body = new Blob(parts)

  const report = (sent: number) => {
    for (const [place, { index, name, content }] of group.entries()) {
      const ofThis = Math.min(content.size, Math.max(0, sent - (starts[place] ?? 0)))
      options.onProgress?.({ index, name, sent: ofThis, size: content.size, state: 'sending' })
    }
  }
  const { onProgress: _, sync, ...plain } = options
  const url = http.url(path, sync === false ? { sync: false } : {})
  const once = async (): Promise<Document[]> => {
    const headers = {
      ...(await http.headers({ ...plain, idempotencyKey })),
      'content-type': `multipart/form-data; boundary=${boundary}`,
    }
    report(0)
    return sendBody(url, headers, body, report, plain.signal)
  }
  return http.persist(once, (error) => ['rate_limited', 'overloaded', 'connection_failed'].includes(error.code), plain)
}

async function sendBody(
  url: string,
  headers: Record<string, string>,
  body: Blob,
  report: (sent: number) => void,
  signal?: AbortSignal,
): Promise<Document[]> {
  signal?.throwIfAborted()
  if (xhr) {
    const answer = await sendByXhr(xhr, url, headers, body, report, signal)
    if (answer.status >= 200 && answer.status < 300) return (JSON.parse(answer.text) as { data: Document[] }).data
    throw errorFrom(answer.status, answer.text, answer)
  }
  let sent = 0
  const counted = body.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.length
        report(sent)
        controller.enqueue(chunk)
      },
    }),
  )
  // Only a body that is a stream tells how far it is; `duplex` is what the standard asks for with one.
  const init = { method: 'POST', headers, body: counted, duplex: 'half', ...(signal && { signal }) }
  const response = await fetch(url, init as RequestInit).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new ParleyError({ code: 'connection_failed', message: 'The files could not be sent.', cause })
  })
  if (!response.ok) throw await errorOf(response)
  return ((await response.json()) as { data: Document[] }).data
}

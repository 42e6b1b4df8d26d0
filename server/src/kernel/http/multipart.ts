import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { Access } from '../access.ts'
import { invalid, Problem } from '../errors.ts'
import { type Files, FileTooLarge, type ReceivedFile } from '../files/files.ts'
import { safeName, uniqueNames } from '../files/safe-name.ts'
import { mebibyte } from './app.ts'
import { rejectUnsafeJson } from './json-text.ts'

export interface UploadedFile extends ReceivedFile {
  name: string
  declaredType: string | undefined
}

/** A file that is not taken. Its content is not kept. */
export interface RefusedFile {
  name: string
  size: number
  refusal: Problem
}

export const isRefused = (file: UploadedFile | RefusedFile): file is RefusedFile => 'refusal' in file

/** A received form. Its files are on the disk, but belong to no document yet. */
export interface Upload {
  files: (UploadedFile | RefusedFile)[]
  /** If undefined, a replaced document keeps its metadata. */
  metadata: Record<string, unknown> | undefined
  /** If undefined, a replaced document keeps its access. */
  access: Access | null | undefined
}

const maxFiles = 100
const maxFields = 20
const maxFieldSize = mebibyte
const maxDiscarded = 1024 * mebibyte
const jsonFields = new Set(['metadata', 'access'])
const fileFields = new Set(['file', 'files', 'file[]', 'files[]'])

/** Receives a form and streams its files to the disk. If it fails, the files received so far are deleted. */
export async function receiveForm(
  files: Files,
  headers: IncomingHttpHeaders,
  body: Readable,
  maxBytes: number,
): Promise<Upload> {
  const form = openForm(headers)
  const arriving: Promise<UploadedFile | RefusedFile>[] = []
  const streams: Readable[] = []
  try {
    const fields = await new Promise<Map<string, string>>((resolve, reject) => {
      if (body.destroyed) return reject(interrupted())
      readFields(form, resolve, reject)
      form.on('file', (field, stream, name, _encoding, type) => {
        stream.on('error', () => {}) // the reader of the stream gets the error
        const file = fileFields.has(field)
          ? receiveFile(files, stream, name, type, maxBytes)
          : Promise.reject(unknownField(field))
        file.catch(reject)
        streams.push(stream)
        arriving.push(file)
      })
      form.on('filesLimit', () => reject(tooMuch(`A request may have at most ${maxFiles} files.`)))
      form.on('error', (error) => reject(unreadable((error as Error).message)))
      body.on('error', () => reject(interrupted()))
      body.on('close', () => body.readableEnded || reject(interrupted()))
      body.pipe(form)
    })
    return {
      files: uniqueNames(await Promise.all(arriving)),
      metadata: jsonIn(fields, 'metadata'),
      access: jsonIn(fields, 'access'),
    }
  } catch (error) {
    body.unpipe(form)
    discardRest(body)
    for (const stream of streams) stream.destroy(interrupted())
    for (const file of await Promise.allSettled(arriving)) {
      if (file.status === 'fulfilled' && !isRefused(file.value)) await files.discard(file.value)
    }
    throw error
  }
}

/** Equal for forms with the same files and metadata. Clients choose a new boundary for each request. */
export function fingerprint({ files, metadata, access }: Upload): Buffer {
  const content = files.map((file) => [file.name, isRefused(file) ? file.size : file.sha256])
  return createHash('sha256')
    .update(JSON.stringify([content, metadata, access]))
    .digest()
}

const unreadable = (why: string) => new Problem('invalid_request', `The form is invalid (${why.replace(/\.$/, '')}).`)
const interrupted = () => new Problem('invalid_request', 'The upload ended before it was complete.')
const tooMuch = (what: string) => new Problem('payload_too_large', what)
const unknownField = (name: string) => {
  const message = 'is not a known field; send files as "file", metadata as "metadata" and access as "access"'
  return new Problem('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] })
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { files: maxFiles, fields: maxFields, fieldSize: maxFieldSize, headerPairs: 50, headerSize: 16_384 },
      isPartAFile: (_field, _type, name) => name !== undefined,
      preservePath: true, // safeName removes the path
    })
  } catch (error) {
    throw unreadable((error as Error).message)
  }
}

function readFields(form: BusboyInstance, done: (fields: Map<string, string>) => void, fail: (error: Problem) => void) {
  const fields = new Map<string, string>()
  form.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) fail(tooMuch(`The field "${name}" is longer than ${maxFieldSize} bytes.`))
    else if (fileFields.has(name)) fail(unreadable('a file part has no file name'))
    else if (!jsonFields.has(name)) fail(unknownField(name))
    else fields.set(name, value)
  })
  form.on('fieldsLimit', () => fail(tooMuch(`A request may have at most ${maxFields} fields.`)))
  form.on('finish', () => done(fields))
}

async function receiveFile(
  files: Files,
  stream: Readable,
  givenName: string,
  type: string,
  maxBytes: number,
): Promise<UploadedFile | RefusedFile> {
  const name = safeName(givenName)
  try {
    const file = await files.receive(stream.iterator({ destroyOnReturn: false }), maxBytes)
    return { ...file, name, declaredType: type }
  } catch (error) {
    if (!(error instanceof FileTooLarge)) throw error
    const size = maxBytes + (await discard(stream))
    const message = `${name} is larger than the limit of this source (${maxBytes} bytes).`
    return { name, size, refusal: new Problem('file_too_large', message) }
  }
}

/** Reads the rest of a file, so that the form goes on with the next one. Returns how many bytes these were. */
async function discard(stream: Readable): Promise<number> {
  let discarded = 0
  for await (const piece of stream) {
    discarded += (piece as Buffer).length
    if (discarded > maxDiscarded) throw tooMuch(`A file is more than ${maxDiscarded} bytes too large.`)
  }
  return discarded
}

/** Its shape is checked later. */
function jsonIn<Value>(fields: Map<string, string>, name: string): Value | undefined {
  const text = fields.get(name)
  if (text === undefined || text.trim() === '') return undefined
  let value: Value
  try {
    value = JSON.parse(text)
  } catch {
    return invalid(name, 'must be a JSON object')
  }
  if (typeof value === 'object' && value !== null) rejectUnsafeJson(name, value)
  return value
}

/** Many clients read the response only after sending the whole request, so the rest is read, up to a limit. */
function discardRest(body: Readable): void {
  let discarded = 0
  body.on('data', (piece: Buffer) => {
    discarded += piece.length
    if (discarded > maxDiscarded) body.destroy()
  })
  body.resume()
}

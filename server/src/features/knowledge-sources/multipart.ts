import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { invalid, Problem } from '../../kernel/errors.ts'
import { type Files, TooManyBytes } from '../../kernel/files/files.ts'
import { apart, safeName } from '../../kernel/files/safe-name.ts'
import { mebibyte } from '../../kernel/http/app.ts'
import { refuseUnfit } from '../../kernel/http/body.ts'
import type { Upload, UploadedFile } from './uploads.ts'

const mostFiles = 100
const mostFields = 20
const longestField = mebibyte
const mostDiscarded = 1024 * mebibyte
const fileFields = new Set(['file', 'files', 'file[]', 'files[]'])

/**
 * Takes in a form with files, each of them straight to the disk. Nothing remains of a form that is refused or breaks off:
 * when this fails, everything that had come of it is gone again.
 */
export async function receiveForm(
  files: Files,
  headers: IncomingHttpHeaders,
  body: Readable,
  mostBytes: number,
): Promise<Upload> {
  const form = openForm(headers)
  const arriving: Promise<UploadedFile>[] = []
  const streams: Readable[] = []
  try {
    const fields = await new Promise<Map<string, string>>((resolve, reject) => {
      readFields(form, resolve, reject)
      form.on('file', (field, stream, name, _encoding, type) => {
        stream.on('error', () => {}) // whoever reads it hears of it
        const file = fileFields.has(field)
          ? receiveFile(files, stream, name, type, mostBytes)
          : Promise.reject(unknownField(field))
        file.catch(reject)
        streams.push(stream)
        arriving.push(file)
      })
      form.on('filesLimit', () => reject(tooMuch(`More than ${mostFiles} files were sent at once.`)))
      form.on('error', (error) => reject(unreadable((error as Error).message)))
      body.on('error', () => reject(brokenOff()))
      body.on('close', () => body.readableEnded || reject(brokenOff()))
      body.pipe(form)
    })
    return { files: apart(await Promise.all(arriving)), metadata: metadataIn(fields) }
  } catch (error) {
    body.unpipe(form)
    discardRest(body)
    for (const stream of streams) stream.destroy(brokenOff())
    for (const file of await Promise.allSettled(arriving)) {
      if (file.status === 'fulfilled') await files.discard(file.value)
    }
    throw error
  }
}

/** The same files in another form are the same request, whatever the boundary between them was. */
export function fingerprint({ files, metadata }: Upload): Buffer {
  const content = files.map(({ name, sha256 }) => [name, sha256])
  return createHash('sha256')
    .update(JSON.stringify([content, metadata]))
    .digest()
}

const unreadable = (why: string) =>
  new Problem('invalid_request', `The form cannot be read (${why.replace(/\.$/, '')}).`)
const brokenOff = () => new Problem('invalid_request', 'The upload broke off before it was complete.')
const tooMuch = (what: string) => new Problem('payload_too_large', what)
const unknownField = (name: string) => {
  const message = 'is not a known field; send files as "file" and labels as "metadata"'
  return new Problem('invalid_request', `${name}: ${message}`, { details: [{ path: name, message }] })
}

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: { files: mostFiles, fields: mostFields, fieldSize: longestField, headerPairs: 50, headerSize: 16_384 },
      isPartAFile: (_field, _type, name) => name !== undefined,
      preservePath: true, // the name is made safe here
    })
  } catch (error) {
    throw unreadable((error as Error).message)
  }
}

function readFields(form: BusboyInstance, done: (fields: Map<string, string>) => void, fail: (error: Problem) => void) {
  const fields = new Map<string, string>()
  form.on('field', (name, value, _nameTruncated, truncated) => {
    if (truncated) fail(tooMuch(`The field "${name}" is longer than ${longestField} bytes.`))
    else if (fileFields.has(name)) fail(unreadable('a part with a file has no file name'))
    else if (name !== 'metadata') fail(unknownField(name))
    else fields.set(name, value)
  })
  form.on('fieldsLimit', () => fail(tooMuch(`More than ${mostFields} fields were sent.`)))
  form.on('finish', () => done(fields))
}

async function receiveFile(
  files: Files,
  stream: Readable,
  givenName: string,
  type: string,
  mostBytes: number,
): Promise<UploadedFile> {
  const name = safeName(givenName)
  try {
    const file = await files.receive(stream, mostBytes)
    return { ...file, name, declaredType: type }
  } catch (error) {
    if (!(error instanceof TooManyBytes)) throw error
    throw new Problem('file_too_large', `${name} is larger than the ${mostBytes} bytes that this source takes.`)
  }
}

function metadataIn(fields: Map<string, string>): Upload['metadata'] {
  const text = fields.get('metadata')
  if (text === undefined || text.trim() === '') return undefined
  let metadata: Record<string, unknown>
  try {
    metadata = JSON.parse(text)
  } catch {
    return invalid('metadata', 'must be a JSON object')
  }
  refuseUnfit('metadata', metadata)
  return metadata
}

/** A client that is still sending can only read the answer if what it sends is taken; but not without end. */
function discardRest(body: Readable): void {
  let discarded = 0
  body.on('data', (piece: Buffer) => {
    discarded += piece.length
    if (discarded > mostDiscarded) body.destroy()
  })
  body.resume()
}

import { open, stat } from 'node:fs/promises'
import { type Sample, sampleBytes, takeSample } from './detect.ts'
import { DocumentError, type Limits, type Source } from './document.ts'
import { Zip } from './zip.ts'

/** Returns a plain array: pdf.js takes no `Buffer`, and a message from another process may be a part of one. */
export const readSource = async (source: Source, limits: Limits): Promise<Uint8Array> =>
  typeof source === 'string' ? readPart(source, 0, await fileSize(source, limits)) : new Uint8Array(source)

export async function readSample(source: Source, limits: Limits): Promise<Sample> {
  if (typeof source !== 'string') return takeSample(source)
  const size = await fileSize(source, limits)
  if (size <= sampleBytes) return takeSample(await readPart(source, 0, size))
  const [head, tail] = await Promise.all([
    readPart(source, 0, sampleBytes),
    readPart(source, size - sampleBytes, sampleBytes),
  ])
  return { head: Buffer.from(head.buffer), tail: Buffer.from(tail.buffer) }
}

export async function fileSize(source: Source, { fileBytes }: Limits): Promise<number> {
  if (typeof source !== 'string') return source.length
  const { size } = await stat(source).catch(() => {
    throw new DocumentError('broken', 'The stored file is missing.')
  })
  if (size > fileBytes) {
    throw new DocumentError('too_large', `The file is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB.`)
  }
  return size
}

/** The size of a file that has no more than `maxBytes`, with what a zip in it unpacks to. Larger files are not opened. */
export async function unpackedSize(source: Source, limits: Limits, maxBytes: number): Promise<number> {
  const size = await fileSize(source, limits)
  if (size > maxBytes) return size
  const bytes = await readSource(source, limits)
  if (Buffer.from(bytes.subarray(0, 2)).toString('latin1') !== 'PK') return size
  try {
    return [...new Zip(bytes, limits).entries.values()].reduce((sum, entry) => sum + entry.bytes, size)
  } catch {
    return Number.POSITIVE_INFINITY // the process that reads it explains what is wrong
  }
}

async function readPart(path: string, start: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(bytes, 0, size, start)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

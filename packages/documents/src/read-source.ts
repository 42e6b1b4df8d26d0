import { isUtf8 } from 'node:buffer'
import { open, stat } from 'node:fs/promises'
import { DocumentError, type Limits, type Source } from './document.ts'

const sampleBytes = 1024 * 1024

export const readSource = async (source: Source, limits: Limits): Promise<Uint8Array> =>
  typeof source === 'string' ? readStart(source, await checkedSize(source, limits)) : source

/** Enough of a file to detect its type: the start of a text, all of a zip or OLE container. */
export async function readSample(source: Source, limits: Limits): Promise<Uint8Array> {
  if (typeof source !== 'string') return source
  const size = await checkedSize(source, limits)
  if (size <= sampleBytes) return readStart(source, size)
  const sample = await readStart(source, sampleBytes)
  return isContainer(sample) ? readStart(source, size) : withoutPartialCharacter(sample)
}

async function checkedSize(path: string, { fileBytes }: Limits): Promise<number> {
  const { size } = await stat(path).catch(() => {
    throw new DocumentError('broken', 'The stored file is missing.')
  })
  if (size > fileBytes) {
    throw new DocumentError('too_large', `The file is larger than ${Math.floor(fileBytes / 1024 / 1024)} MB.`)
  }
  return size
}

async function readStart(path: string, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  const file = await open(path)
  try {
    const { bytesRead } = await file.read(bytes, 0, size, 0)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const isContainer = ([first, second]: Uint8Array): boolean =>
  (first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)

/** A sample may end inside a UTF-8 character. */
function withoutPartialCharacter(bytes: Uint8Array): Uint8Array {
  for (let cut = 0; cut < 4; cut++) {
    const part = bytes.subarray(0, bytes.length - cut)
    if (isUtf8(part)) return part
  }
  return bytes
}

import { strFromU8, type Unzipped, unzipSync, zipSync } from 'fflate'
import { DocumentError, type Limits } from './document.ts'

export interface ZipEntry {
  name: string
  bytes: number
}

export type ZipLimits = Pick<Limits, 'unzippedBytes' | 'zipEntries'>

/** A zip file whose directory is checked against the limits before anything is unpacked. */
export class Zip {
  readonly entries: ReadonlyMap<string, ZipEntry>
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, limits: ZipLimits) {
    this.#bytes = bytes
    this.entries = directory(bytes, limits)
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  names(pattern: RegExp): string[] {
    return [...this.entries.keys()].filter((name) => pattern.test(name))
  }

  /** Never writes more than the sizes in the directory, even if these are wrong. */
  unpack(wanted: (name: string) => boolean): Unzipped {
    try {
      return unzipSync(this.#bytes, { filter: ({ name }) => wanted(name) })
    } catch {
      throw new DocumentError('broken', 'The file is damaged: its zip container cannot be unpacked.')
    }
  }

  bytes(name: string): Uint8Array | undefined {
    return this.has(name) ? this.unpack((entry) => entry === name)[name] : undefined
  }

  text(name: string): string | undefined {
    const bytes = this.bytes(name)
    return bytes && decodeXml(bytes)
  }
}

/** Repacks entries for libraries that unpack without limits. */
export const pack = (entries: Unzipped): Uint8Array => zipSync(entries, { level: 0 })

/** XML is UTF-8 unless its byte order mark says otherwise. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return strFromU8(first === 0xef ? bytes.subarray(3) : bytes)
}

function directory(bytes: Uint8Array, limits: ZipLimits): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  let total = 0
  let count = 0
  try {
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        total += originalSize
        entries.set(name, { name, bytes: originalSize })
        if (++count > limits.zipEntries) {
          throw new DocumentError('too_large', `The file holds more than ${limits.zipEntries} parts.`)
        }
        if (total > limits.unzippedBytes) {
          const maxMb = Math.floor(limits.unzippedBytes / 1024 / 1024)
          throw new DocumentError('too_large', `The file would unpack to more than ${maxMb} MB.`)
        }
        return false
      },
    })
  } catch (error) {
    if (error instanceof DocumentError) throw error
    throw new DocumentError('broken', 'The file is damaged: its zip container cannot be read.')
  }
  return entries
}

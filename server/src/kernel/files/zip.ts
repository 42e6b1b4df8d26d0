import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

interface Written {
  name: Buffer
  crc: number
  packed: number
  size: number
  offset: number
}

const max32 = 0xffffffff
const max16 = 0xffff
/** Names are UTF-8, and sizes follow the content, because they are not known before. */
const flags = 0x0808
const deflated = 8
const version = 20
const version64 = 45

/**
 * A ZIP archive as a stream: one entry after the other, however long they are. Archives over 4 GiB and more than 65,535 entries
 * use ZIP64; a single entry has less than 4 GiB.
 */
export async function* zip(entries: AsyncIterable<ZipEntry>, modifiedAt: number): AsyncGenerator<Uint8Array> {
  const time = dosTime(new Date(modifiedAt))
  const written: Written[] = []
  let offset = 0
  const sent = (bytes: Uint8Array): Uint8Array => {
    offset += bytes.byteLength
    return bytes
  }
  for await (const { name, content } of entries) {
    const entry: Written = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset }
    yield sent(localHeader(entry, time))
    for await (const bytes of pack(entry, content)) yield sent(bytes)
    yield sent(descriptor(entry))
    written.push(entry)
  }
  const start = offset
  for (const entry of written) yield sent(directoryHeader(entry, time))
  yield ending(written.length, start, offset - start)
}

async function* pack(entry: Written, content: ZipEntry['content']): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw()
  const write = async () => {
    for await (const part of content) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      entry.crc = crc32(bytes, entry.crc)
      entry.size += bytes.byteLength
      if (entry.size > max32) throw new Error(`${entry.name} is larger than 4 GiB.`)
      if (!deflate.write(bytes)) await new Promise((resolve) => deflate.once('drain', resolve))
    }
    deflate.end()
  }
  write().catch((error) => deflate.destroy(error))
  for await (const bytes of deflate as AsyncIterable<Uint8Array>) {
    entry.packed += bytes.byteLength
    yield bytes
  }
}

/** Little-endian numbers of 2, 4 or 8 bytes. */
function record(...fields: [bytes: 2 | 4 | 8, value: number][]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at)
    else buffer.writeUIntLE(value, at, bytes)
    at += bytes
  }
  return buffer
}

const localHeader = ({ name }: Written, time: number): Buffer =>
  Buffer.concat([
    record([4, 0x04034b50], [2, version], [2, flags], [2, deflated], [4, time], [4, 0], [4, 0], [4, 0]),
    record([2, name.length], [2, 0]),
    name,
  ])

const descriptor = ({ crc, packed, size }: Written): Buffer => record([4, 0x08074b50], [4, crc], [4, packed], [4, size])

function directoryHeader({ name, crc, packed, size, offset }: Written, time: number): Buffer {
  const isFar = offset >= max32
  const extra = isFar ? record([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0)
  const needed = isFar ? version64 : version
  return Buffer.concat([
    record([4, 0x02014b50], [2, needed], [2, needed], [2, flags], [2, deflated], [4, time], [4, crc]),
    record([4, packed], [4, size], [2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0]),
    record([4, isFar ? max32 : offset]),
    name,
    extra,
  ])
}

function ending(entries: number, start: number, size: number): Buffer {
  const isLarge = entries >= max16 || start >= max32 || size >= max32
  const end = record(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
    ] as [2 | 4, number][]),
    [2, Math.min(entries, max16)],
    [2, Math.min(entries, max16)],
    [4, Math.min(size, max32)],
    [4, Math.min(start, max32)],
    [2, 0],
  )
  if (!isLarge) return end
  return Buffer.concat([
    record([4, 0x06064b50], [8, 44], [2, version64], [2, version64], [4, 0], [4, 0], [8, entries], [8, entries]),
    record([8, size], [8, start]),
    record([4, 0x07064b50], [4, 0], [8, start + size], [4, 1]),
    end,
  ])
}

/** In UTC. Two-second steps since 1980. */
function dosTime(at: Date): number {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return ((date << 16) | time) >>> 0
}

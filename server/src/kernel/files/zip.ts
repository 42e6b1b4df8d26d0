import { addAbortSignal, type PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export interface ZipEntry {
  name: string
  content: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>
}

/** A ZIP archive as a stream: one entry after the other, however long they are. */
export async function* zip(entries: AsyncIterable<ZipEntry>, modifiedAt: number): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  const output = archive.outputStream as PassThrough
  const abandoned = new AbortController()
  const write = async () => {
    for await (const { name, content } of entries) {
      const stream = addAbortSignal(abandoned.signal, Readable.from(content, { objectMode: false }))
      archive.addReadStream(stream, name, { mtime: new Date(modifiedAt) })
      await finished(stream)
    }
    archive.end()
  }
  write().catch((error) => output.destroy(error))
  try {
    yield* output
  } finally {
    abandoned.abort() // closes the entry that is being read if the reader stops early
  }
}

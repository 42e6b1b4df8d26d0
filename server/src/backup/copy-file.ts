import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Checksum {
  size: number
  sha256: string
}

/** Copies a file durably, readable by its owner only. Returns its checksum. Throws if the target exists. */
export async function copyFile(source: string, target: string): Promise<Checksum> {
  const content = await open(source, 'r')
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const handle = await open(target, 'wx', 0o600)
    try {
      const sum = await read(content.createReadStream({ autoClose: false }), (chunk) => handle.writeFile(chunk))
      await handle.sync()
      return sum
    } finally {
      await handle.close()
    }
  } finally {
    await content.close()
  }
}

export const checksum = (file: string): Promise<Checksum> => read(createReadStream(file))

async function read(content: AsyncIterable<Buffer>, use?: (chunk: Buffer) => Promise<void>): Promise<Checksum> {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    digest.update(chunk)
    await use?.(chunk)
  }
  return { size, sha256: digest.digest('hex') }
}

/** A new name in a folder is durable once the folder is flushed. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const concurrency = 4

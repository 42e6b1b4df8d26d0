import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../errors.ts'
import type { Clock } from '../time.ts'

/** A file that has arrived whole and on the disk, but belongs to nothing yet. */
export interface ReceivedFile {
  path: string
  size: number
  sha256: string
}

/**
 * Files in the data folder. Names are made by the service, never by a caller. A file is written under a passing name and
 * becomes visible at its place in one step, so what is at its place is whole.
 */
export interface Files {
  /** Writes what comes to the disk as it comes. Nothing is left of what breaks off or passes the limit. */
  receive(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
  /** Puts a received file at its place. */
  keep(file: ReceivedFile, place: readonly string[]): Promise<void>
  pathOf(place: readonly string[]): string
  /** Removes a file, or a folder with all that is in it. */
  remove(place: readonly string[]): Promise<void>
  /** The names in a folder; none where there is no such folder. */
  names(place: readonly string[]): Promise<string[]>
  /** Removes what arrived before this time and was never put at a place: what a crash left behind. */
  sweep(before: number): Promise<void>
}

/** More came than was allowed. */
export class TooManyBytes extends Error {}

const incoming = 'incoming'

export function openFiles(dataDir: string, now: Clock): Files {
  const root = join(dataDir, 'files')
  const pathOf = (place: readonly string[]): string => {
    for (const name of place) if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`"${name}" is not a name for a file.`)
    return join(root, ...place)
  }
  const remove = (place: readonly string[]) => rm(pathOf(place), { recursive: true, force: true })

  return {
    pathOf,
    remove,
    async receive(content, mostBytes) {
      const path = join(root, incoming, `${now()}-${randomUUID()}`)
      try {
        const handle = await create(path)
        try {
          return { path, ...(await writeAll(handle, content, mostBytes)) }
        } finally {
          await handle.close()
        }
      } catch (error) {
        await rm(path, { force: true }).catch(() => {}) // the sweep tries again
        throw explained(error)
      }
    },
    discard: (file) => rm(file.path, { force: true }),
    async keep(file, place) {
      const target = pathOf(place)
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(file.path, target)
        await settleFolder(dirname(target))
      } catch (error) {
        throw explained(error)
      }
    },
    names: (place) => readdir(pathOf(place)).catch(() => []),
    async sweep(before) {
      for (const name of await readdir(join(root, incoming)).catch(() => [])) {
        if (Number(name.split('-', 1)[0]) < before) await rm(join(root, incoming, name), { force: true })
      }
    },
  }
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

async function writeAll(handle: FileHandle, content: AsyncIterable<Uint8Array>, mostBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of content) {
    size += piece.byteLength
    if (size > mostBytes) throw new TooManyBytes(`More than ${mostBytes} bytes.`)
    hash.update(piece)
    await handle.writeFile(piece)
  }
  await handle.sync()
  return { size, sha256: hash.digest('hex') }
}

/** The name of a new file is on the disk when its folder is. */
async function settleFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const closed = new Set(['EACCES', 'EPERM', 'EROFS'])

function explained(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (full.has(code))
    return new Problem('overloaded', 'There is no room left on the disk for this file. Make room and send it again.')
  if (closed.has(code))
    return new Problem('overloaded', 'The data folder cannot be written. An operator must allow it (DATA_DIR).')
  return error
}

/** What a file holds, without holding it in memory. */
export async function hashFile(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return { size: (await stat(path)).size, sha256: hash.digest('hex') }
}

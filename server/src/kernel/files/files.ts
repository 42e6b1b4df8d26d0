import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../errors.ts'

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
  /**
   * Writes what comes to the disk as it comes. Nothing is left of what breaks off or passes the limit. What is only
   * passing through need not survive a power cut.
   */
  receive(content: AsyncIterable<Uint8Array>, mostBytes: number, more?: { passing?: boolean }): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
  /** Puts a received file at its place. */
  keep(file: ReceivedFile, place: readonly string[]): Promise<void>
  pathOf(place: readonly string[]): string
  /** Removes a file, or a folder with all that is in it. */
  remove(place: readonly string[]): Promise<void>
  /** The names in a folder; none where there is no such folder. */
  names(place: readonly string[]): Promise<string[]>
  /** When it came to its place or was last written, in real time; never, for what is not there. */
  changedAt(place: readonly string[]): Promise<number>
  /** Removes what arrived before this time and was never put at a place: what a crash left behind. */
  sweep(before: number): Promise<void>
}

/** More came than was allowed. */
export class TooManyBytes extends Error {}

const incoming = 'incoming'

export function openFiles(dataDir: string): Files {
  const root = join(dataDir, 'files')
  const pathOf = (place: readonly string[]): string => {
    for (const name of place) if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`"${name}" is not a name for a file.`)
    return join(root, ...place)
  }
  const remove = (place: readonly string[]) => rm(pathOf(place), { recursive: true, force: true })

  return {
    pathOf,
    remove,
    async receive(content, mostBytes, { passing = false } = {}) {
      const path = join(root, incoming, `${Date.now()}-${randomUUID()}`)
      try {
        const handle = await create(path)
        try {
          const written = await writeAll(handle, content, mostBytes)
          if (!passing) await handle.sync()
          return { path, ...written }
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
    changedAt: async (place) => (await stat(pathOf(place)).catch(() => null))?.ctimeMs ?? Number.POSITIVE_INFINITY,
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

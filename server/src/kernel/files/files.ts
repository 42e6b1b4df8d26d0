import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../errors.ts'

/** A completely received file that is not yet at its final path. */
export interface ReceivedFile {
  path: string
  size: number
  sha256: string
}

/**
 * Files in one folder. The service chooses all names. A file is written under a temporary name and then renamed, so a
 * file at its final path is always complete.
 */
export interface Files {
  /**
   * Streams content to the disk. If the stream fails or exceeds the limit, the file is deleted. A `temporary` file is not
   * flushed, as it need not survive a power failure.
   */
  receive(content: AsyncIterable<Uint8Array>, maxBytes: number, more?: { temporary?: boolean }): Promise<ReceivedFile>
  discard(file: ReceivedFile): Promise<void>
  /** Moves a received file to its final path. */
  keep(file: ReceivedFile, path: readonly string[]): Promise<void>
  pathOf(path: readonly string[]): string
  /** Removes a file or a folder with its content. */
  remove(path: readonly string[]): Promise<void>
  /** The names in a folder; empty if it does not exist. */
  names(path: readonly string[]): Promise<string[]>
  /** When the file was last moved or written (ms); infinity if it does not exist. */
  changedAt(path: readonly string[]): Promise<number>
  /** Removes received files that a crash left behind before this time. */
  sweep(before: number): Promise<void>
}

export class FileTooLarge extends Error {}

const incoming = 'incoming'

export function openFiles(root: string): Files {
  const pathOf = (path: readonly string[]): string => {
    for (const name of path) if (!/^[\w-][\w.-]*$/.test(name)) throw new Error(`"${name}" is not a valid file name.`)
    return join(root, ...path)
  }
  const remove = (path: readonly string[]) => rm(pathOf(path), { recursive: true, force: true })

  return {
    pathOf,
    remove,
    async receive(content, maxBytes, { temporary = false } = {}) {
      const path = join(root, incoming, `${Date.now()}-${randomUUID()}`)
      try {
        const handle = await create(path)
        try {
          const written = await writeAll(handle, content, maxBytes)
          if (!temporary) await handle.sync()
          return { path, ...written }
        } finally {
          await handle.close()
        }
      } catch (error) {
        await rm(path, { force: true }).catch(() => {}) // sweep removes it later
        throw toProblem(error)
      }
    },
    discard: (file) => rm(file.path, { force: true }),
    async keep(file, path) {
      const target = pathOf(path)
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(file.path, target)
        await syncFolder(dirname(target))
      } catch (error) {
        throw toProblem(error)
      }
    },
    names: (path) => readdir(pathOf(path)).catch(() => []),
    changedAt: async (path) => (await stat(pathOf(path)).catch(() => null))?.ctimeMs ?? Number.POSITIVE_INFINITY,
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

async function writeAll(handle: FileHandle, content: AsyncIterable<Uint8Array>, maxBytes: number) {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) throw new FileTooLarge(`The file is larger than ${maxBytes} bytes.`)
    hash.update(chunk)
    await handle.writeFile(chunk)
  }
  return { size, sha256: hash.digest('hex') }
}

/** A rename is durable once the folder is flushed. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const diskFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const notWritable = new Set(['EACCES', 'EPERM', 'EROFS'])

function toProblem(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  if (diskFull.has(code))
    return new Problem('overloaded', 'The disk is full. Free some space and upload the file again.')
  if (notWritable.has(code))
    return new Problem(
      'overloaded',
      'The folder of files is not writable. An operator must fix its permissions (DATA_DIR or FILES_URL).',
    )
  return error
}

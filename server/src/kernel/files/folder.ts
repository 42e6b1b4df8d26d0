import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigError } from '../config.ts'
import { reason } from '../errors.ts'
import type { Clock } from '../time.ts'
import { FileMissing, type FilePath, type Files, type StoredFile } from './files.ts'
import { checked, isValidName } from './paths.ts'
import { diskProblem, openSpool } from './spool.ts'

const incoming = 'incoming'

/** Files in a folder of this machine, or in one that several machines share. */
export async function openFolder(root: string, now: Clock): Promise<Files> {
  const spool = openSpool(join(root, incoming), now) // on the same file system, so that a file can be renamed
  const absolutePath = (path: FilePath): string => join(root, ...checked(path))
  const existing = async (path: FilePath): Promise<string> => {
    const stats = await stat(absolutePath(path)).catch(absent)
    if (!stats) throw new FileMissing('The stored file is missing.')
    return absolutePath(path)
  }
  const ping = async () => {
    await mkdir(root, { recursive: true, mode: 0o700 })
    await access(root, constants.W_OK)
  }

  async function* list(folder: FilePath, startingWith = ''): AsyncGenerator<StoredFile> {
    for (const entry of (await readdir(absolutePath(folder), { withFileTypes: true }).catch(absent)) ?? []) {
      const { name } = entry
      if (!name.startsWith(startingWith) || !isValidName(name) || (folder.length === 0 && name === incoming)) continue
      const path = [...folder, name]
      if (entry.isDirectory()) {
        yield* list(path)
        continue
      }
      const stats = await stat(absolutePath(path)).catch(absent)
      if (stats) yield { path, changedAt: stats.ctimeMs }
    }
  }

  await ping().catch((error) => {
    throw new ConfigError(`The folder of files ${root} cannot be written (${reason(error)}). Check FILES_URL.`)
  })
  return {
    engine: 'folder',
    ...spool,
    async keep(file, path) {
      const target = absolutePath(path)
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 })
        await rename(file.path, target)
        file.path = target
        await syncFolder(dirname(target))
      } catch (error) {
        throw diskProblem(error)
      }
    },
    read: async (path) => createReadStream(await existing(path)),
    withLocal: async (path, use) => use(await existing(path)),
    async remove(...paths) {
      for (const path of paths) await rm(absolutePath(path), { force: true })
    },
    removeAll: (folder) => rm(absolutePath(folder), { recursive: true, force: true }),
    list,
    ping,
    close() {},
  }
}

/** Other errors, such as those of a file server that is down, do not mean that there is nothing. */
function absent(error: unknown): null {
  const { code = '' } = error as { code?: string }
  if (code === 'ENOENT' || code === 'ENOTDIR') return null
  throw error
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

import { createHash, hash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Problem } from '../errors.ts'
import type { Clock } from '../time.ts'
import { FileTooLarge, type Spool } from './files.ts'

const machine = hash('sha256', hostname()).slice(0, 8)

export function openSpool(folder: string, now: Clock): Spool & { sweepDead(): Promise<void> } {
  const names = () => readdir(folder).catch(() => [])
  const drop = (name: string) => rm(join(folder, name), { force: true })
  return {
    async receive(content, maxBytes, { temporary = false } = {}) {
      const path = join(folder, `${now()}-${machine}-${process.pid}-${randomUUID()}`)
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
        throw diskProblem(error)
      }
    },
    async discard(file) {
      if (dirname(file.path) === folder) await rm(file.path, { force: true })
    },
    async sweep(before) {
      for (const name of await names()) if (Number(name.split('-', 1)[0]) < before) await drop(name)
    },
    /** Removes leftovers of dead processes of this machine at the start. Other machines may share the folder. */
    async sweepDead() {
      for (const name of await names()) {
        const [, where, pid] = name.split('-')
        if (where === machine && !isAnother(Number(pid))) await drop(name)
      }
    },
  }
}

/** Whether another process with this id is running. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function create(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return open(path, 'wx', 0o600)
}

async function writeAll(handle: FileHandle, content: AsyncIterable<Uint8Array>, maxBytes: number) {
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of content) {
    size += chunk.byteLength
    if (size > maxBytes) throw new FileTooLarge(`The file is larger than ${maxBytes} bytes.`)
    digest.update(chunk)
    await handle.writeFile(chunk)
  }
  return { size, sha256: digest.digest('hex') }
}

const diskFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const notWritable = new Set(['EACCES', 'EPERM', 'EROFS'])

export function diskProblem(error: unknown): unknown {
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

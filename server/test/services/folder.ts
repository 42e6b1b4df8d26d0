import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const minFreeBytes = 2 ** 30

/** In memory if there is enough, where fsync costs nothing. */
function place(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > minFreeBytes ? memory : tmpdir()
}

/** A folder for the temporary files of a whole run. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(place(), 'parley-run-'))
  chmodSync(folder, 0o711) // Postgres runs as another user
  return folder
}

export const makeFolder = (name: string): string => mkdtempSync(join(tmpdir(), `parley-${name}-`))

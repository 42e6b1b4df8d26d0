import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './failures.ts'
import type { Environment } from './io.ts'

export interface Profile {
  url: string
  token: string | null
  workspace?: string | null
}

export interface Profiles {
  /** The name of the profile that is used when none is named. */
  current: string | null
  profiles: Record<string, Profile>
}

const profilesFile = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config'), 'parley', 'profiles.json')

/** Reads the profile file. Fails if others may read it, because it has tokens. */
export function readProfiles(environment: Environment): Profiles {
  const file = profilesFile(environment)
  let text: string
  try {
    const { mode } = statSync(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CliError(
        `${file} has tokens, but other users of this machine may read it (mode ${(mode & 0o777).toString(8)}).`,
        `Run: chmod 600 ${file}. If others may have read it, revoke its tokens, too.`,
      )
    }
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} }
    throw error
  }
  try {
    const { current = null, profiles } = JSON.parse(text) as Profiles
    if (typeof profiles !== 'object' || profiles === null) throw new TypeError('"profiles" is missing')
    return { current, profiles }
  } catch (error) {
    throw new CliError(
      `${file} cannot be read: ${(error as Error).message}.`,
      'Mend or delete it, then run: parley login',
    )
  }
}

/** Replaces the profile file in one step. Only its owner may read it. */
export function writeProfiles(environment: Environment, profiles: Profiles): string {
  const file = profilesFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  chmodSync(next, 0o600)
  renameSync(next, file)
  return file
}

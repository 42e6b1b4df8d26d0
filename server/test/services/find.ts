import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of a program, or null. On Debian, the programs of Postgres are not in PATH. */
export function findProgram(...names: string[]): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...globSync('/usr/lib/postgresql/*/bin').sort().reverse(),
  ]
  for (const name of names) {
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return null
}

/** The programs of Chromium. The headless shell is the same engine without windows: the tests take a third less time. */
const chromiumPrograms = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
export const findChromium = (): string | null => findProgram(...chromiumPrograms)

/** The folder of pgvector's control file, or null. */
const findVectorExtension = (): string | null =>
  globSync([
    '/usr/share/postgresql/*/extension/vector.control',
    '/usr/{local/,}share/postgresql/extension/vector.control',
  ])[0] ?? null

const services = [
  { name: 'PostgreSQL', programs: ['initdb'], skips: 'the tests on Postgres' },
  {
    name: 'Redis',
    programs: ['redis-server'],
    skips: 'the tests of rate limits in Redis and of failures in a cluster',
  },
  { name: 'Chromium', programs: chromiumPrograms, skips: 'the tests in a browser' },
]

const vectorExtension = {
  name: 'The Postgres extension pgvector',
  skips: 'the tests of knowledge on Postgres and of failures in a cluster',
}

export const missingServices = (): { name: string; skips: string }[] => [
  ...services.filter((service) => findProgram(...service.programs) === null),
  ...(findProgram('initdb') !== null && findVectorExtension() === null ? [vectorExtension] : []),
]

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

const services = [
  { name: 'PostgreSQL', programs: ['initdb'], skips: 'the tests on Postgres' },
  { name: 'Redis', programs: ['redis-server'], skips: 'the tests of rate limits in Redis' },
  { name: 'Chromium', programs: ['chromium', 'chromium-browser', 'google-chrome'], skips: 'the tests in a browser' },
]

export const missingServices = () => services.filter((service) => findProgram(...service.programs) === null)

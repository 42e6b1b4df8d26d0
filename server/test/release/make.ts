/**
 * npm run release-data: after a release, makes a small data folder with it, and a database on Postgres, and keeps both
 * (`kept/`). From then on `upgrade.test.ts` checks that the next release opens them and shows everything that is in them.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { thisRelease } from '../../src/kernel/store/release.ts'
import { findProgram } from '../services/find.ts'
import { makeFolder } from '../services/folder.ts'
import { startPostgresServer } from '../services/postgres-server.ts'
import { makeContent } from './content.ts'
import { keep } from './kept.ts'

async function keepOnSqlite(): Promise<void> {
  const folder = makeFolder('release')
  try {
    keep('sqlite', folder, await makeContent({ DATA_DIR: folder }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function keepOnPostgres(): Promise<void> {
  const server = await startPostgresServer(['fsync=off'])
  const folder = makeFolder('release')
  try {
    const data = await makeContent({ DATA_DIR: folder, DATABASE_URL: server.url })
    keep('postgres', folder, data, dumpDatabase(server.url))
  } finally {
    await server.remove()
    rmSync(folder, { recursive: true })
  }
}

/** The database as SQL that any client can run: without the commands of psql, and settings of newer servers. */
function dumpDatabase(url: string): string {
  const dump = execFileSync(findProgram('pg_dump') ?? 'pg_dump', ['--inserts', '--no-owner', '--no-acl', url], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return dump.replace(/^(?:\\|--|SET transaction_timeout).*\n/gm, '')
}

function setPreviousRelease(version: string): void {
  const file = new URL('../../package.json', import.meta.url)
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify({ ...manifest, previousRelease: version }, null, 2)}\n`)
}

await keepOnSqlite()
await keepOnPostgres()
setPreviousRelease(thisRelease.version)
process.stdout.write(`Kept the data of ${thisRelease.version}.\n`)

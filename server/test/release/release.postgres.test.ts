import { readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { thisRelease } from '../../src/kernel/store/release.ts'
import { freshEnvironment } from '../harness.ts'
import { type Recorded, type RecordedRelease, serializeRelease } from './compact.ts'

/** Columns that the last release neither reads nor writes any more, so that a migration may drop them. */
const unused: string[] = []

const file = new URL('statements.json', import.meta.url)
const lastRelease: RecordedRelease = JSON.parse(readFileSync(file, 'utf8'))

/** A database with the schema of today, without foreign keys: a single statement has no rows that it could refer to. */
async function openDatabase(): Promise<pg.Client> {
  const { DATABASE_URL } = await freshEnvironment()
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  onTestFinished(() => client.end())
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  for (const { statement } of rows) await client.query(statement)
  return client
}

async function columnsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' order by table_name, column_name`,
  )
  return rows.map(({ name }) => name)
}

/** Runs statements, each alone. Returns those that fail. */
async function failing(client: pg.Client, statements: Recorded[]): Promise<Map<Recorded, string>> {
  const failed = new Map<Recorded, string>()
  for (const statement of statements) {
    const { sql, parameters } = statement
    await client.query('begin')
    const values = parameters.map((value) => {
      const { bytes } = (value ?? {}) as { bytes?: string }
      return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : value
    })
    await client.query(sql, values).catch((error) => failed.set(statement, `${error.message}: ${sql}`))
    await client.query('rollback')
  }
  return failed
}

it('runs the statements of the last release on the schema of today', async () => {
  const client = await openDatabase()
  const columns = await columnsOf(client)
  const failed = await failing(client, lastRelease.statements)
  if (process.env.PARLEY_STATEMENTS === 'finish') {
    // A statement that fails on the release's own schema comes from a test of failures.
    const statements = lastRelease.statements.filter((each) => !failed.has(each))
    return writeFileSync(file, serializeRelease({ ...lastRelease, columns, statements }))
  }
  expect(thisRelease.previous).toBe(lastRelease.version)
  expect([...failed.values()]).toEqual([])
  // The columns that the last release reads by `select *`.
  expect(lastRelease.columns.filter((name) => !columns.includes(name) && !unused.includes(name))).toEqual([])
})

it.each([
  ['drops a column', 'alter table agent drop column temperature', /column "temperature".* does not exist/],
  ['renames a table', 'alter table webhook rename to hook', /relation "webhook" does not exist/],
  ['adds a column that must be set', 'alter table agent add colour text not null', /null value in column "colour"/],
  ['changes a type', 'alter table job alter attempt type text', /operator does not exist: text \+/],
  ['adds a rule', `alter table token add check (role = 'nobody')`, /check constraint/],
])('finds a migration that %s', async (_what, migration, message) => {
  const client = await openDatabase()
  await client.query(migration)
  const table = / table (\w+)/.exec(migration)?.[1] ?? ''
  const statements = lastRelease.statements.filter(({ sql }) => sql.includes(`"${table}"`))
  expect([...(await failing(client, statements)).values()].join('\n')).toMatch(message)
})

// node bench/lists/fill.ts '{"folder": "…", "agents": ["agt_…"], "rows": 1000000}': fills the database of a service that is stopped.
// Runs as a separate process, because SQLite would block the bench.
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import { postgres, sqlite, statements, tables } from './statements.ts'

export interface Filling {
  folder: string
  databaseUrl?: string
  agents: string[]
  /** How many conversations, messages and model calls to insert, each. */
  rows: number
}

if (import.meta.main) {
  const filling = JSON.parse(process.argv[2] ?? '{}') as Filling
  if (filling.databaseUrl) await fillPostgres(filling.databaseUrl, filling)
  else fillSqlite(join(filling.folder, 'parley.db'), filling)
}

/** Triggers do their part. Indexes are dropped and built again at the end, which takes a fraction of the time. */
function fillSqlite(file: string, filling: Filling): void {
  const db = new BetterSqlite(file)
  for (const setting of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -524288', 'temp_store = MEMORY'])
    db.pragma(setting)
  const workspace = db.prepare('select id from workspace').pluck().get() as string
  const indexes = db
    .prepare(
      `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in (${tables.map((table) => `'${table}'`)})`,
    )
    .all() as { name: string; sql: string }[]
  db.transaction(() => {
    for (const { name } of indexes) db.exec(`drop index "${name}"`)
    for (const statement of statements(sqlite, workspace, filling)) db.exec(statement)
    for (const { sql } of indexes) db.exec(sql)
  })()
  db.pragma('journal_mode = WAL')
  db.close()
}

async function fillPostgres(url: string, filling: Filling): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const workspace = (await client.query('select id from workspace')).rows[0].id as string
    for (const statement of statements(postgres, workspace, filling)) await client.query(statement)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'

/** Everything a service has stored, as text by table or file: all tables of its databases, and all other files. */
export async function readDump(environment: Record<string, string>): Promise<Map<string, string>> {
  const dump = new Map<string, string>()
  const folder = environment.DATA_DIR ?? ''
  for (const file of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, file)
    if (!statSync(path).isFile() || /-(wal|shm)$/.test(file) || file === 'parley.lock') continue
    if (file.endsWith('.db')) dumpSqlite(dump, path)
    else dump.set(path, readFileSync(path, 'latin1'))
  }
  if (environment.DATABASE_URL) await dumpPostgres(dump, environment.DATABASE_URL)
  return dump
}

/** Also the tables in which SQLite keeps its full-text indexes. */
function dumpSqlite(dump: Map<string, string>, path: string): void {
  const sqlite = new BetterSqlite(path, { readonly: true })
  const tables = sqlite.prepare("select name, sql from sqlite_master where type = 'table'").all() as {
    name: string
    sql: string
  }[]
  for (const { name, sql } of tables) {
    if (/using fts5/.test(sql)) continue // it shows nothing by itself
    dump.set(`${path} ${name}`, asText(sqlite.prepare(`select * from "${name}"`).all()))
  }
  sqlite.close()
}

async function dumpPostgres(dump: Map<string, string>, url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query(
    "select table_schema, table_name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  )
  for (const { table_schema, table_name } of rows) {
    const { rows: cells } = await client.query(`select * from "${table_schema}"."${table_name}"`)
    dump.set(`${table_schema}.${table_name}`, asText(cells))
  }
  await client.end()
}

const asText = (rows: unknown[]): string =>
  JSON.stringify(rows, (_name, value) =>
    value?.type === 'Buffer'
      ? Buffer.from(value.data).toString('latin1')
      : typeof value === 'bigint'
        ? `${value}`
        : value,
  )

/** The tables and files in which one of the texts is found. */
export const findPlaces = (dump: ReadonlyMap<string, string>, ...texts: string[]): string[] => {
  const forms = texts.flatMap((text) => {
    const inJson = JSON.stringify(text).slice(1, -1)
    return [text, inJson, JSON.stringify(inJson).slice(1, -1), Buffer.from(text).toString('latin1')]
  })
  return [...dump].filter(([, content]) => forms.some((form) => content.includes(form))).map(([place]) => place)
}

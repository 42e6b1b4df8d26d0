import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import type pg from 'pg'
import type { Sealed } from '../kernel/secrets/sealed.ts'

export interface Column {
  name: string
  /** The type in Postgres. */
  type: string
}

export interface Table {
  name: string
  columns: Column[]
  sealed: Sealed | undefined
}

export const openFolder = (dataDir: string): BetterSqlite.Database =>
  new BetterSqlite(join(dataDir, 'parley.db'), { readonly: true })

/** Tables that are specific to one database, and not copied. */
const own = new Set(['kysely_migration', 'kysely_migration_lock', 'schema_release', 'key_check', 'data_copy'])

/** SQLite's index of texts; Postgres has an index of another kind. */
const isTextIndex = (name: string): boolean => /_index_row$/.test(name)

/** The tables to copy, referenced tables first. Both databases must have the schema of this version. */
export async function readTables(dataDir: string, client: pg.Client, sealed: readonly Sealed[]): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `select table_name as table, column_name as name, data_type as type
     from information_schema.columns where table_schema = current_schema()`,
  )
  const source = openFolder(dataDir)
  try {
    const names = source
      .prepare(
        `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite%'`,
      )
      .pluck()
      .all() as string[]
    return inOrder(
      source,
      names.filter((name) => !own.has(name) && !isTextIndex(name)),
    ).map((name) => {
      const columns = rows.filter(({ table }) => table === name)
      const expected = source.prepare('select name from pragma_table_info(?)').pluck().all(name) as string[]
      check(name, columns, expected, sealed)
      return { name, columns: columns.map(({ name, type }) => ({ name, type })), sealed: sealed.find(isInTable(name)) }
    })
  } finally {
    source.close()
  }
}

const isInTable = (name: string) => (each: Sealed) => each.table === name

function check(name: string, columns: readonly Column[], expected: string[], sealed: readonly Sealed[]): void {
  const found = columns.map((column) => column.name).sort()
  if (found.join() !== expected.toSorted().join())
    throw new Error(`The table ${name} has the columns ${expected} in SQLite, but ${found} in Postgres.`)
  const forgotten = found.filter(
    (column) => /_sealed$/.test(column) && !sealed.find(isInTable(name))?.columns.includes(column),
  )
  if (forgotten.length > 0) throw new Error(`No feature declares the encrypted column ${name}.${forgotten[0]}.`)
}

/** Sorts tables so that each comes after the tables it references. */
function inOrder(source: BetterSqlite.Database, names: readonly string[]): string[] {
  const ordered = new Set<string>()
  const add = (name: string): void => {
    if (ordered.has(name)) return
    const parents = source
      .prepare('select distinct "table" from pragma_foreign_key_list(?)')
      .pluck()
      .all(name) as string[]
    for (const parent of parents) if (parent !== name) add(parent)
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}

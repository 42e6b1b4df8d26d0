import { type Kysely, sql } from 'kysely'
import { isPostgres } from './database.ts'

/** Sums over the rows of a table, which triggers keep: they always equal the rows, whatever changes them. */
export interface Rollup {
  /** The prefix of its triggers. */
  name: string
  /** The table that is counted. Its rows have a `workspace_id`. */
  source: string
  /** The table of the sums. */
  table: string
  /** SQL over a row of the source, whose columns are written as `row.column`. */
  key: Record<string, string>
  sums: Record<string, string>
  /** The rows that count. */
  where: string
}

/** Transactions that update the same row of Postgres wait for each other, so a sum is spread over several rows. */
const shard = (onPostgres: boolean) => (onPostgres ? 'pg_backend_pid() % 16' : '0')

export interface RollupTable {
  table: string
  key: Record<string, 'text' | 'integer'>
  sums: readonly string[]
}

export async function createRollupTable(db: Kysely<unknown>, { table, key, sums }: RollupTable): Promise<void> {
  let created = db.schema
    .createTable(table)
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
  for (const [name, type] of Object.entries({ ...key, shard: 'integer' as const }))
    created = created.addColumn(name, type, (column) => column.notNull())
  for (const name of sums) created = created.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
  await created
    .addPrimaryKeyConstraint(`${table}_key`, ['workspace_id', ...Object.keys(key), 'shard'] as never[])
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute()
}

export async function createRollupTriggers(db: Kysely<unknown>, rollup: Rollup): Promise<void> {
  const onPostgres = isPostgres(db)
  const add = (row: 'new' | 'old') => `${addition(rollup, row, shard(onPostgres))};`
  await createTrigger(db, `${rollup.name}_inserted`, `after insert on ${rollup.source}`, add('new'))
  await createTrigger(db, `${rollup.name}_deleted`, `after delete on ${rollup.source}`, add('old'))
  const changed = `after update of ${columns(rollup).join(', ')} on ${rollup.source}`
  await createTrigger(db, `${rollup.name}_changed`, changed, add('old') + add('new'))
}

async function createTrigger(db: Kysely<unknown>, name: string, event: string, body: string): Promise<void> {
  if (isPostgres(db)) {
    const code = `begin ${body} return null; end`
    await sql.raw(`create function ${name}() returns trigger language plpgsql as $$ ${code} $$`).execute(db)
    await sql.raw(`create trigger ${name} ${event} for each row execute function ${name}()`).execute(db)
  } else await sql.raw(`create trigger ${name} ${event} begin ${body} end`).execute(db)
}

function addition({ table, key, sums, where }: Rollup, row: 'new' | 'old', shard: string): string {
  const sign = row === 'old' ? '-' : ''
  const cells = {
    workspace_id: 'row.workspace_id',
    ...key,
    shard,
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, `${sign}(${sum})`])),
  }
  // The deletion of a workspace cascades to its rows; by then it can have no sums.
  const exists = row === 'old' ? ' and exists (select 1 from workspace where id = old.workspace_id)' : ''
  const insert = `
    insert into ${table} (${Object.keys(cells).join(', ')})
    select ${Object.values(cells).join(', ')} where (${where})${exists}
    on conflict (workspace_id, ${Object.keys(key).join(', ')}, shard)
    do update set ${Object.keys(sums).map((name) => `${name} = ${table}.${name} + excluded.${name}`)}`
  return insert.replace(/\brow\./g, `${row}.`)
}

/** The columns of the source that its sums depend on. */
const columns = ({ key, sums, where }: Rollup): string[] => {
  const text = [...Object.values(key), ...Object.values(sums), where].join(' ')
  return [...new Set(Array.from(text.matchAll(/\brow\.(\w+)/g), ([, column]) => column as string))]
}

/** The rows of the source with the columns of the sums, for filters that the roll-up does not support. */
export function countedRows({ source, key, sums, where }: Rollup, names: readonly string[]): string {
  const cells = [
    ...Object.entries(key).map(([name, cell]) => `${cell} as ${name}`),
    ...names.map((name) => `${sums[name] ?? 0} as ${name}`),
  ]
  return `select ${cells.join(', ')} from ${source} as counted where (${where})`.replace(/\brow\./g, 'counted.')
}

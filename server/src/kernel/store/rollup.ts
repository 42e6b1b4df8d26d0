import { type Kysely, sql } from 'kysely'
import { isPostgres } from './database.ts'
import { createTrigger, dropTrigger } from './trigger.ts'
import { workspaceExists } from './workspaces.ts'

/** Sums over the rows of a table, which triggers keep: they always equal the rows, whatever changes them. */
export interface Rollup {
  /** The prefix of its triggers. */
  name: string
  /** The table that is counted. Its rows have a `workspace_id`. */
  source: string
  /** The table of the sums. */
  table: string
  /**
   * The cells of the key that differ between the sums that a row is added to, such as those of its day and of its month.
   * All SQL is over a row of the source, whose columns are written as `row.column`.
   */
  levels: Record<string, string>[]
  /** The other cells of the key. */
  key: Record<string, string>
  sums: Record<string, string>
  /** JSON objects that count rows by bucket. A row whose bucket is null is not counted. */
  histograms?: Record<string, string>
  /** The rows that count. It can name cells of the level as `level.cell`. */
  where: string
}

/** Transactions that update the same row of Postgres wait for each other, so a sum is spread over several rows. */
const shard = (onPostgres: boolean) => (onPostgres ? 'pg_backend_pid() % 16' : '0')

export interface RollupTable {
  table: string
  key: Record<string, 'text' | 'integer'>
  sums: readonly string[]
  histograms?: readonly string[]
}

export async function createRollupTable(
  db: Kysely<unknown>,
  { table, key, sums, histograms = [] }: RollupTable,
): Promise<void> {
  let created = db.schema
    .createTable(table)
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
  for (const [name, type] of Object.entries({ ...key, shard: 'integer' as const }))
    created = created.addColumn(name, type, (column) => column.notNull())
  for (const name of sums) created = created.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
  for (const name of histograms) created = created.addColumn(name, 'text', (column) => column.notNull().defaultTo('{}'))
  await created
    .addPrimaryKeyConstraint(`${table}_key`, ['workspace_id', ...Object.keys(key), 'shard'] as never[])
    .modifyEnd(isPostgres(db) ? sql`` : sql`without rowid`)
    .execute()
}

/** For a source whose rows stay as they are. */
export async function createInsertTrigger(db: Kysely<unknown>, rollup: Rollup): Promise<void> {
  const event = `after insert on ${rollup.source}`
  await createTrigger(db, `${rollup.name}_inserted`, event, `${addition(rollup, 'new', isPostgres(db))};`)
}

/** For a migration that creates it again with other sums. */
export const dropInsertTrigger = (db: Kysely<unknown>, { name, source }: Rollup): Promise<void> =>
  dropTrigger(db, `${name}_inserted`, source)

export async function createRollupTriggers(db: Kysely<unknown>, rollup: Rollup): Promise<void> {
  const add = (row: 'new' | 'old') => `${addition(rollup, row, isPostgres(db))};`
  await createInsertTrigger(db, rollup)
  await createTrigger(db, `${rollup.name}_deleted`, `after delete on ${rollup.source}`, add('old'))
  const changed = `after update of ${columns(rollup).join(', ')} on ${rollup.source}`
  await createTrigger(db, `${rollup.name}_changed`, changed, add('old') + add('new'))
}

export async function dropRollupTriggers(db: Kysely<unknown>, { name, source }: Rollup): Promise<void> {
  for (const event of ['inserted', 'deleted', 'changed']) await dropTrigger(db, `${name}_${event}`, source)
}

/**
 * Adds the rows that are there before the triggers are, or only some of them. Neither upserts of Postgres nor levels in SQLite
 * can count them in one statement.
 */
export async function countExistingRows(db: Kysely<unknown>, rollup: Rollup, only = 'true'): Promise<void> {
  const { source, name } = rollup
  const add = `${addition(rollup, 'new', isPostgres(db))};`
  if (isPostgres(db)) {
    const loop = `for new in select * from ${source} where ${only} loop ${add} end loop;`
    await sql.raw(`do $$ declare new ${source}%rowtype; begin ${loop} end $$`).execute(db)
    return
  }
  await sql.raw(`create trigger ${name}_counted after update of workspace_id on ${source} begin ${add} end`).execute(db)
  await sql.raw(`update ${source} set workspace_id = workspace_id where ${only}`).execute(db)
  await sql.raw(`drop trigger ${name}_counted`).execute(db)
}

function addition(rollup: Rollup, row: 'new' | 'old', onPostgres: boolean): string {
  const { table, levels, key, sums, histograms = {}, where } = rollup
  const sign = row === 'old' ? '-' : ''
  const levelCells = Object.keys(levels[0] ?? {})
  const cells = {
    workspace_id: 'row.workspace_id',
    ...Object.fromEntries(levelCells.map((name) => [name, `level.${name}`])),
    ...key,
    shard: shard(onPostgres),
    ...Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, `${sign}(${sum})`])),
    ...Object.fromEntries(
      Object.entries(histograms).map(([name, bucket]) => [name, countedBucket(bucket, `${sign}1`, onPostgres)]),
    ),
  }
  const changes = [
    ...Object.keys(sums).map((name) => `${name} = ${table}.${name} + excluded.${name}`),
    ...Object.entries(histograms).map(
      ([name, bucket]) => `${name} = ${addedBucket(`${table}.${name}`, bucket, `${sign}1`, onPostgres)}`,
    ),
  ]
  // The deletion of a workspace cascades to its rows; by then it can have no sums.
  const exists = row === 'old' ? ` and ${workspaceExists('old.workspace_id')}` : ''
  const insert = `
    insert into ${table} (${Object.keys(cells).join(', ')})
    select ${Object.values(cells).join(', ')} from (${levels.map(selected).join(' union all ')}) as level
    where (${where})${exists}
    on conflict (workspace_id, ${[...levelCells, ...Object.keys(key)].join(', ')}, shard)
    do update set ${changes.join(', ')}`
  return insert.replace(/\brow\./g, `${row}.`)
}

const selected = (cells: Record<string, string>): string =>
  `select ${Object.entries(cells).map(([name, cell]) => `${cell} as ${name}`)}`

/** SQL: a histogram with one row, or an empty one. */
function countedBucket(bucket: string, count: string, onPostgres: boolean): string {
  const object = onPostgres ? `json_build_object(${bucket}, ${count})::text` : `json_object('' || ${bucket}, ${count})`
  return `case when ${bucket} is null then '{}' else ${object} end`
}

/** SQL: the histogram with another row. */
function addedBucket(histogram: string, bucket: string, count: string, onPostgres: boolean): string {
  const object = `${histogram}::jsonb`
  const changed = onPostgres
    ? `jsonb_set(${object}, array['' || ${bucket}], to_jsonb(coalesce((${object} ->> ('' || ${bucket}))::bigint, 0) + ${count}))::text`
    : `json_set(${histogram}, '$.' || ${bucket}, coalesce(${histogram} ->> ('' || ${bucket}), 0) + ${count})`
  return `case when ${bucket} is null then ${histogram} else ${changed} end`
}

/** The columns of the source that its sums depend on. */
const columns = ({ levels, key, sums, histograms = {}, where }: Rollup): string[] => {
  const cells = [...levels, key, sums, histograms].flatMap((each) => Object.values(each))
  const matches = [...cells, where].join(' ').matchAll(/\brow\.(\w+)/g)
  return [...new Set(Array.from(matches, ([, column]) => column as string))]
}

/** The rows of the source with the columns of the sums, for filters that the roll-up does not support. */
export function countedRows(
  rollup: Rollup,
  level: Record<string, string>,
  columns: { sums: readonly string[]; histograms: readonly string[] },
  onPostgres: boolean,
): string {
  const { source, key, sums, histograms = {}, where } = rollup
  const cells = {
    ...level,
    ...key,
    ...Object.fromEntries(columns.sums.map((name) => [name, sums[name] ?? '0'])),
    ...Object.fromEntries(
      columns.histograms.map((name) => [name, countedBucket(histograms[name] ?? 'null', '1', onPostgres)]),
    ),
  }
  return `${selected(cells)} from ${source} as counted where (${where})`.replace(/\brow\./g, 'counted.')
}

import { type Kysely, sql } from 'kysely'
import { type Db, isPostgres } from './database.ts'
import { workspaceExists } from './workspaces.ts'

/**
 * The number of rows of a table by workspace and a few columns, in total and by day, kept by triggers: a list of a million
 * rows need not count them, and finds a late page without walking past all earlier rows.
 */
export interface Tally {
  table: string
  /** The columns that are counted by. Not null, with few values. */
  columns: readonly string[]
  /** The time columns whose days are counted. */
  days: readonly string[]
}

type Filters = Record<string, unknown>

const nameOf = ({ table }: Tally): string => `${table}_tally`

/** Creates the table of the counts and its triggers. */
export async function createTally(db: Kysely<unknown>, tally: Tally): Promise<void> {
  const name = nameOf(tally)
  const onPostgres = isPostgres(db)
  const columns = tally.columns.map((column) => `${column} text not null`)
  const key = ['workspace_id', 'days_of', 'day', ...tally.columns].join(', ')
  await run(
    db,
    `create table ${name} (
      workspace_id text not null references workspace (id) on delete cascade,
      days_of text not null, day text not null, ${[...columns, 'n bigint not null'].join(', ')}
      ${onPostgres ? '' : `, primary key (${key})`}) ${onPostgres ? '' : 'without rowid'}`,
  )
  if (onPostgres) await run(db, `create index ${name}_key on ${name} (workspace_id, days_of, day)`)
  if (onPostgres) await createPostgresTriggers(db, tally)
  else await createSqliteTriggers(db, tally)
}

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db)

/** The total has no day. */
const dayColumns = ({ days }: Tally): string[] => ['', ...days]
const dayOf = (column: string, row = ''): string => (column === '' ? "''" : `substr(${row}${column}, 1, 10)`)

const groups = (tally: Tally, from: string, n: string, where = 'true'): string =>
  dayColumns(tally)
    .map((column) => {
      const by = ['workspace_id', ...(column === '' ? [] : [dayOf(column)]), ...tally.columns].join(', ')
      const cells = ['workspace_id', `'${column}'`, dayOf(column), ...tally.columns, n].join(', ')
      return `select ${cells} from ${from} where ${where} group by ${by}`
    })
    .join(' union all ')

/** Adds to the count of one row. The deletion of a workspace cascades to its rows; by then it can have no counts. */
function add(tally: Tally, row: 'new' | 'old', n: 1 | -1, column: string): string {
  const cells = [
    `${row}.workspace_id`,
    `'${column}'`,
    dayOf(column, `${row}.`),
    ...tally.columns.map((each) => `${row}.${each}`),
  ]
  const exists = row === 'old' ? workspaceExists('old.workspace_id') : 'true'
  return `insert into ${nameOf(tally)} select ${cells.join(', ')}, ${n} where ${exists}`
}

/** Whether the row counts elsewhere after a change. */
const moved = (tally: Tally, column: string, differs: string): string =>
  ['workspace_id', ...tally.columns]
    .map((each) => `old.${each} ${differs} new.${each}`)
    .concat(column === '' ? [] : [`${dayOf(column, 'old.')} ${differs} ${dayOf(column, 'new.')}`])
    .join(' or ')

const changedBy = (tally: Tally, column: string): string =>
  ['workspace_id', ...tally.columns, ...(column === '' ? [] : [column])].join(', ')

async function createSqliteTriggers(db: Kysely<unknown>, tally: Tally): Promise<void> {
  const { table, columns } = tally
  const name = nameOf(tally)
  const key = ['workspace_id', 'days_of', 'day', ...columns].join(', ')
  const upsert = (row: 'new' | 'old', n: 1 | -1, column: string) =>
    `${add(tally, row, n, column)} on conflict (${key}) do update set n = n + excluded.n;`
  const all = (row: 'new' | 'old', n: 1 | -1) =>
    dayColumns(tally)
      .map((column) => upsert(row, n, column))
      .join(' ')
  await run(db, `create trigger ${name}_inserted after insert on ${table} begin ${all('new', 1)} end`)
  await run(db, `create trigger ${name}_deleted after delete on ${table} begin ${all('old', -1)} end`)
  for (const column of dayColumns(tally)) {
    const event = `after update of ${changedBy(tally, column)} on ${table} when ${moved(tally, column, 'is not')}`
    const steps = `${upsert('old', -1, column)} ${upsert('new', 1, column)}`
    await run(db, `create trigger ${name}_moved${column && `_${column}`} ${event} begin ${steps} end`)
  }
}

/** Rows are only added, so that no transaction waits for another one; `compactTally` sums them up. */
async function createPostgresTriggers(db: Kysely<unknown>, tally: Tally): Promise<void> {
  const { table } = tally
  const name = nameOf(tally)
  const trigger = async (suffix: string, body: string, event: string) => {
    const definition = `begin ${body}; return null; end`
    await run(db, `create function ${name}_${suffix}() returns trigger language plpgsql as $$ ${definition} $$`)
    await run(db, `create trigger ${name}_${suffix} ${event} execute function ${name}_${suffix}()`)
  }
  await trigger(
    'inserted',
    `insert into ${name} ${groups(tally, 'added', 'count(*)')}`,
    `after insert on ${table} referencing new table as added for each statement`,
  )
  await trigger(
    'deleted',
    `insert into ${name} ${groups(tally, 'removed', '-count(*)', workspaceExists('removed.workspace_id'))}`,
    `after delete on ${table} referencing old table as removed for each statement`,
  )
  for (const column of dayColumns(tally)) {
    const event = `after update of ${changedBy(tally, column)} on ${table} for each row`
    await trigger(
      `moved${column && `_${column}`}`,
      `${add(tally, 'old', -1, column)}; ${add(tally, 'new', 1, column)}`,
      `${event} when (${moved(tally, column, 'is distinct from')})`,
    )
  }
}

/** Replaces rows of the same count by their sum. Only needed on Postgres. */
export async function compactTally(db: Db, tally: Tally): Promise<void> {
  if (!isPostgres(db)) return
  const name = nameOf(tally)
  const key = ['workspace_id', 'days_of', 'day', ...tally.columns].join(', ')
  await sql
    .raw(`
      with summed as (
        delete from ${name} where (${key}) in (select ${key} from ${name} group by ${key} having count(*) > 1) returning *)
      insert into ${name} select ${key}, sum(n) from summed group by ${key} having sum(n) <> 0`)
    .execute(db)
}

const matching = (filters: Filters) =>
  sql.join(
    Object.entries(filters).map(([column, value]) => sql`and ${sql.ref(column)} = ${value}`),
    sql` `,
  )

/** Whether the tally can count rows with these filters. */
export const isTallied = (tally: Tally, filters: Filters): boolean =>
  Object.keys(filters).every((name) => tally.columns.includes(name))

/** The number of rows of a workspace with these values. */
export async function talliedTotal(db: Db, tally: Tally, workspace: string, filters: Filters = {}): Promise<number> {
  const { rows } = await sql<{ total: number | null }>`
    select sum(n) as total from ${sql.table(nameOf(tally))}
    where workspace_id = ${workspace} and days_of = '' ${matching(filters)}`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

export interface Start {
  /** The day on which the page starts or that comes before it. */
  day: string
  /** How many rows of that day, and of those after it in the order, come before the page. */
  offset: number
}

/** Where to start reading the rows after an offset, in the order of a time column. */
export async function startOf(
  db: Db,
  tally: Tally,
  { workspace, filters, sort, order, offset }: StartQuery,
): Promise<Start | undefined> {
  const { rows } = await sql<{ day: string; total: number }>`
    select day, sum(n) as total from ${sql.table(nameOf(tally))}
    where workspace_id = ${workspace} and days_of = ${sort} ${matching(filters)}
    group by day order by day ${sql.raw(order)}`.execute(db)
  let left = offset
  for (const { day, total } of rows) {
    if (left < Number(total)) return { day, offset: left }
    left -= Number(total)
  }
  return undefined
}

interface StartQuery {
  workspace: string
  filters: Filters
  sort: string
  order: 'asc' | 'desc'
  offset: number
}

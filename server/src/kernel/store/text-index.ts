import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction, isPostgres } from './database.ts'

/**
 * Finds the rows of a table whose column contains words, anywhere in it: by trigrams, in SQLite's full-text index or with
 * pg_trgm. Words of one or two letters have no trigrams, so they are not looked up.
 */
export interface TextIndex {
  table: string
  column: string
}

const run = (db: Kysely<unknown>, statement: string) => sql.raw(statement).execute(db)
const indexName = ({ table, column }: TextIndex): string => `${table}_${column}_index`

export async function createTextIndex(db: Kysely<unknown>, index: TextIndex): Promise<void> {
  if (isPostgres(db)) await createPostgresIndex(db, index)
  else await createSqliteIndex(db, index)
}

/** A database whose role may not add the extension works without the index, only slower. */
async function createPostgresIndex(db: Kysely<unknown>, index: TextIndex): Promise<void> {
  const { table, column } = index
  await run(
    db,
    `do $$ begin
      create extension if not exists pg_trgm;
      create index ${indexName(index)} on ${table} using gin (lower(${column}) gin_trgm_ops);
    exception when others then raise notice 'Searching % without an index: %', '${table}', sqlerrm;
    end $$`,
  )
}

/** The full-text index knows rows by number, so each row with a text gets one that never changes. */
async function createSqliteIndex(db: Kysely<unknown>, index: TextIndex): Promise<void> {
  const { table, column } = index
  const name = indexName(index)
  const numbers = `${name}_row`
  await run(
    db,
    `create table ${numbers} (number integer primary key, id text not null unique, workspace_id text not null)`,
  )
  await run(
    db,
    `create virtual table ${name} using fts5 (${column}, content = '', contentless_delete = 1, tokenize = 'trigram')`,
  )
  const selectNumber = (row: string) => `(select number from ${numbers} where id = ${row}.id)`
  const insert = `
    insert into ${numbers} (id, workspace_id) select new.id, new.workspace_id where new.${column} is not null;
    insert into ${name} (rowid, ${column}) select number, new.${column} from ${numbers} where id = new.id;`
  const remove = `
    delete from ${name} where rowid = ${selectNumber('old')};
    delete from ${numbers} where id = old.id;`
  await run(db, `create trigger ${name}_inserted after insert on ${table} begin ${insert} end`)
  await run(db, `create trigger ${name}_deleted after delete on ${table} begin ${remove} end`)
  await run(
    db,
    `create trigger ${name}_changed after update of ${column} on ${table} when old.${column} is not new.${column}
      begin ${remove} ${insert} end`,
  )
}

/** How many pages are merged in one transaction, which others wait for. */
const pagesAtOnce = 200

/**
 * SQLite keeps the words of deleted rows in a full-text index until it merges its parts. This merges them all, a few pages at
 * a time. On Postgres vacuuming does the same.
 */
export async function compactTextIndex(db: Db, index: TextIndex | string, signal: AbortSignal): Promise<void> {
  const name = sql.raw(typeof index === 'string' ? index : indexName(index))
  const merge = async (pages: number): Promise<boolean> => {
    const changes = () => sql<{ n: number }>`select total_changes() as n`
    return inTransaction(db, async (tx) => {
      const before = (await changes().execute(tx)).rows[0]?.n ?? 0
      await sql`insert into ${name} (${name}, rank) values ('merge', ${pages})`.execute(tx)
      return ((await changes().execute(tx)).rows[0]?.n ?? 0) - before >= 2
    })
  }
  // A negative number puts all parts into one level first.
  for (let more = await merge(-pagesAtOnce); more; more = await merge(pagesAtOnce)) signal.throwIfAborted()
}

const minLength = 3

/** Whether every word can be looked up. */
export const areIndexed = (words: string[]): boolean => words.every((word) => [...word].length >= minLength)

interface TextQuery {
  workspace: string
  words: string[]
  /** How many of them, in any order; all if undefined. */
  limit?: number
}

/** The ids of rows that contain all words. */
export const findByText = async (db: Db, index: TextIndex, query: TextQuery): Promise<string[]> =>
  (await idsByText(db, index, query).execute(db)).rows.map(({ id }) => id)

/** The condition for use in another query. */
export function idsByText(
  db: Db,
  index: TextIndex,
  { workspace, words, limit }: TextQuery,
): RawBuilder<{ id: string }> {
  const name = indexName(index)
  const limited = limit === undefined ? sql`` : sql`limit ${limit}`
  return isPostgres(db)
    ? sql<{ id: string }>`
        select id from ${sql.table(index.table)}
        where workspace_id = ${workspace} and ${contains(db, index.column, words)} ${limited}`
    : sql<{ id: string }>`
        select id from ${sql.table(name)} as found
        join ${sql.table(`${name}_row`)} as numbered on numbered.number = found.rowid
        where ${sql.ref(name)} match ${words.map(quoted).join(' AND ')} and numbered.workspace_id = ${workspace}
        ${limited}`
}

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`

/** Whether a column contains all words, in lower case. */
export const contains = (db: Db, column: string, words: string[]) =>
  sql<boolean>`(${sql.join(
    words.map((word) => containsWord(db, column, word)),
    sql` and `,
  )})`

/** SQLite's own comparison ignores the case of ASCII letters, without calling lower() for each row. */
export function containsWord(db: Db, column: string, word: string) {
  return hasText(isPostgres(db) || isNotAscii(word) ? sql`lower(${sql.ref(column)})` : sql.ref(column), word)
}

/** Whether a column contains a text. Kysely has no word for `escape`. */
export function hasText(cell: Expression<unknown>, text: string) {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${cell} like ${pattern} escape '\\'`
}

const isNotAscii = (word: string): boolean => /[^\0-\x7f]/.test(word)

import { type Kysely, PostgresAdapter, sql, type Transaction } from 'kysely'

/** The tables, each declared by the feature that owns it (`declare module` adds to this interface). */
// biome-ignore lint/suspicious/noEmptyInterface: features add their tables to it
export interface Tables {}

/** The database or a transaction: functions that take it work inside and outside of transactions. */
export type Db = Kysely<Tables>

export type Engine = 'sqlite' | 'postgres'

export const isPostgres = (db: Pick<Db, 'getExecutor'>): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * The workspace, where ids are given too. Without statistics SQLite expects fewer rows of a workspace than of the ids, and would
 * read all of them; + makes it use the ids.
 */
export const inWorkspace = (db: Db, workspace: string) =>
  sql<boolean>`${isPostgres(db) ? sql.ref('workspace_id') : sql`+workspace_id`} = ${workspace}`

/** Runs in the caller's transaction if there is one, otherwise in a new one. */
export const inTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction
    ? work(db)
    : repeatAfterDeadlock(() => db.transaction().execute((tx: Transaction<Tables>) => work(tx)))

const deadlock = '40P01'
const maxAttempts = 5

/** Postgres rolls back one of the transactions that wait for each other, and leaves it to the client to repeat it. */
export async function repeatAfterDeadlock<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if ((error as { code?: unknown } | null)?.code !== deadlock || attempt === maxAttempts) throw error
    }
  }
}

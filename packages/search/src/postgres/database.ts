import type { Pool, PoolClient } from 'pg'

/** Runs statements: the pool, or the connection of a transaction. */
export type Queryable = Pick<PoolClient, 'query'>

const begins = {
  /** Every statement sees the database as it is at the first one. */
  read: 'begin isolation level repeatable read read only',
  write: 'begin',
}

export async function transaction<T>(
  pool: Pool,
  mode: keyof typeof begins,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(begins[mode])
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // A connection whose transaction cannot be rolled back is not reused.
    await client.query('rollback').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

/** The rows of a statement. */
export async function rows<R>(db: Queryable, sql: string, parameters: unknown[] = []): Promise<R[]> {
  return (await db.query(sql, parameters)).rows as R[]
}

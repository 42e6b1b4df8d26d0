import { sql } from 'kysely'
import type pg from 'pg'
import { ConfigError } from '../kernel/config.ts'
import { type Db, inTransaction } from '../kernel/store/database.ts'
import { timestamp } from '../kernel/time.ts'
import type { Table } from './tables.ts'

const migrationLock = 7_015_922

/** One migration at a time. The lock ends with the connection. */
export async function lockTarget(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select pg_try_advisory_lock(${migrationLock}) as locked`)
  if (!rows[0].locked) throw new ConfigError('Another migration into this database is running.')
}

/** Accepts an empty database, and one with a copy that is not complete. */
export async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const has = async (query: string): Promise<boolean> => (await client.query(query)).rows.length > 0
  const hasTable = (name: string) => has(`select 1 where to_regclass('${name}') is not null`)
  if (!(await hasTable('workspace'))) return
  if ((await hasTable('data_copy')) && (await has('select 1 from data_copy where finished_at is null'))) return
  if (await has('select 1 from workspace limit 1'))
    throw new ConfigError('The database of --to already has data of Parley. Create an empty one and use that.')
}

/** Empties the tables after an earlier attempt. Disables triggers until the end, because the sums they keep are copied too. */
export async function startCopy(client: pg.Client, tables: readonly Table[], source: string): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into data_copy (id, source, started_at) values ('copy', $1, $2)
     on conflict (id) do update set source = excluded.source, started_at = excluded.started_at, finished_at = null`,
    [source, timestamp(Date.now())],
  )
  // Cascades to the tables that only Postgres has.
  await client.query(`truncate ${[...tables.map(({ name }) => `"${name}"`), 'key_check'].join(', ')} cascade`)
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  await client.query('commit')
}

/** Declares the copy complete. */
export async function finishCopy(db: Db, tables: readonly Table[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(tx)
    await tx
      .updateTable('data_copy')
      .set({ finished_at: timestamp(Date.now()) })
      .execute()
  })
}

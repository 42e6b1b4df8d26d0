import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { second } from '../time.ts'
import { openSession } from './session.ts'
import { type Announcements, localAnnouncements, noSignals, postgresSignals, type Signals } from './signals.ts'

/** The processes that share the database. */
export interface Nodes extends Announcements {
  /** Returns the nodes whose process has certainly ended. */
  dead(nodes: readonly string[]): Promise<string[]>
  /** Whether other processes can use the database. */
  isCluster: boolean
  /** Signals through the database. */
  signals: Signals
  close(): Promise<void>
}

/** No other process can use an embedded database. */
export const singleNode = (node: string): Nodes => ({
  ...localAnnouncements(),
  dead: async (nodes) => nodes.filter((each) => each !== node),
  isCluster: false,
  signals: noSignals,
  async close() {},
})

const lockSpace = 1_885_434_476
/** A live node that lost its connection has reacquired its lock by then. */
const observedFor = second

/** In a cluster each node holds a lock in the database. Postgres releases it when the connection of the process ends. */
export async function joinCluster(pool: pg.Pool, node: string): Promise<Nodes> {
  const { signals, announcements, listen } = postgresSignals(pool)
  const session = await openSession(pool, async (run, client) => {
    // Shared, because Postgres may not know yet that the last connection is lost.
    await run('select pg_advisory_lock_shared($1, hashtext($2))', [lockSpace, node])
    await listen(run, client)
  })
  const withoutLock = async (nodes: readonly string[]): Promise<string[]> => {
    if (nodes.length === 0) return []
    const { rows } = await pool.query<{ node: string }>(
      `select node from unnest($2::text[]) node where not exists (
         select 1 from pg_locks
         where locktype = 'advisory' and classid = $1::int4::oid and objid = hashtext(node)::oid and objsubid = 2
           and database = (select oid from pg_database where datname = current_database()))`,
      [lockSpace, nodes],
    )
    return rows.map((row) => row.node)
  }

  return {
    async dead(nodes) {
      const suspected = await withoutLock(nodes)
      if (suspected.length === 0) return []
      await delay(observedFor)
      return withoutLock(suspected)
    },
    isCluster: true,
    signals,
    ...announcements,
    async close() {
      session.close()
    },
  }
}

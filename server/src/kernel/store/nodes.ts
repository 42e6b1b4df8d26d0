import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { second } from '../time.ts'
import { openSession, type RunStatement, type SetUp } from './session.ts'
import {
  type Announcements,
  localAnnouncements,
  noSignals,
  postgresName,
  postgresSignals,
  type Signals,
} from './signals.ts'

/** The processes that share the database. */
export interface Nodes extends Announcements {
  /** Returns the nodes whose process has certainly ended. */
  dead(nodes: readonly string[]): Promise<string[]>
  /**
   * Calls back when a node may have ended, and when announcements may have been lost with the connection. Returns the
   * function that unsubscribes.
   */
  onLoss(listener: () => void): () => void
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
  onLoss: () => () => {},
  isCluster: false,
  signals: noSignals,
  async close() {},
})

const lockSpace = 1_885_434_476
const joinedChannel = 'nodes'
/** A live node that lost its connection has reacquired its lock by then. */
const observedFor = second

const isNodeLock = `where locktype = 'advisory' and classid = $1::int4::oid and objsubid = 2
  and database = (select oid from pg_database where datname = current_database())`

/** In a cluster each node holds a lock in the database. Postgres releases it when the connection of the process ends. */
export async function joinCluster(pool: pg.Pool, node: string): Promise<Nodes> {
  const { signals, announcements, listen } = postgresSignals(pool)
  const listeners = new Set<() => void>()
  const reportLoss = () => {
    for (const listener of listeners) listener()
  }
  /** The locks of the nodes that are there. One that joins announces its lock, so that it is missed if it soon leaves. */
  let present: readonly string[] = []
  signals.on(joinedChannel, (lock) => {
    present = [...present, lock]
  })
  const check = async (run: RunStatement): Promise<void> => {
    const query = `select distinct objid::text as lock from pg_locks ${isNodeLock}`
    const { rows } = (await run(query, [lockSpace])) as { rows: { lock: string }[] }
    const locks = rows.map(({ lock }) => lock)
    const hasLeft = present.some((lock) => !locks.includes(lock))
    present = locks
    if (hasLeft) reportLoss()
  }
  const setUp: SetUp = async (run, client) => {
    // Shared, because Postgres may not know yet that the last connection is lost.
    await run('select pg_advisory_lock_shared($1, hashtext($2))', [lockSpace, node])
    await listen(run, client)
    await run('select pg_notify($1, hashtext($2)::oid::text)', [postgresName(joinedChannel), node])
    await check(run)
    reportLoss()
  }
  const session = await openSession(pool, { setUp, check })
  const withoutLock = async (nodes: readonly string[]): Promise<string[]> => {
    if (nodes.length === 0) return []
    const { rows } = await pool.query<{ node: string }>(
      `select node from unnest($2::text[]) node where not exists (
         select 1 from pg_locks ${isNodeLock} and objid = hashtext(node)::oid)`,
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
    onLoss(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isCluster: true,
    signals,
    ...announcements,
    async close() {
      session.close()
    },
  }
}

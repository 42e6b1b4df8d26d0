import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { second } from '../time.ts'

/** The processes that share the database. */
export interface Nodes {
  /** Those of the given nodes whose process has certainly ended. */
  dead(nodes: readonly string[]): Promise<string[]>
  close(): Promise<void>
}

/** No other process can use an embedded database. */
export const singleNode = (node: string): Nodes => ({
  dead: async (nodes) => nodes.filter((each) => each !== node),
  async close() {},
})

const lockSpace = 1_885_434_476
const reconnectAfter = second / 5
/** A node that has lost its connection, but not its life, has its lock again by then. */
const observedFor = second

/** In a cluster each node holds a lock in the database. Postgres releases it when the connection of the process ends. */
export async function joinCluster(pool: pg.Pool, node: string): Promise<Nodes> {
  /** Releases the lock; undefined while it is not held. */
  let unlock: (() => void) | undefined
  let isClosed = false

  const holdLock = async (): Promise<void> => {
    const client = await pool.connect()
    const discard = () => {
      client.off('end', lost)
      client.release(true)
      unlock = undefined
    }
    const lost = () => {
      discard()
      void regainLock()
    }
    try {
      await client.query('select pg_advisory_lock($1, hashtext($2))', [lockSpace, node])
    } catch (error) {
      discard()
      throw error
    }
    if (isClosed) return discard() // closed while it waited for the lock
    client.on('error', () => {}) // 'end' follows
    client.once('end', lost)
    unlock = discard
  }
  const regainLock = async (): Promise<void> => {
    while (!isClosed && !unlock) {
      await delay(reconnectAfter, undefined, { ref: false })
      if (!isClosed) await holdLock().catch(() => {}) // the database cannot be reached
    }
  }
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

  await holdLock()
  return {
    async dead(nodes) {
      const suspected = await withoutLock(nodes)
      if (suspected.length === 0) return []
      await delay(observedFor)
      return withoutLock(suspected)
    },
    async close() {
      isClosed = true
      unlock?.()
    },
  }
}

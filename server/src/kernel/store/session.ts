import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { second } from '../time.ts'
import { within } from '../within.ts'

const reconnectAfter = second / 5
const checkEvery = 5 * second
/** A connection that does not answer by then is replaced. */
const checkTimeout = 3 * second

/** Runs one statement after another, in the order of the calls. */
export type RunStatement = (sql: string, parameters?: unknown[]) => Promise<unknown>

/** Sets up a new connection. */
export type SetUp = (run: RunStatement, client: pg.PoolClient) => Promise<void>

interface SessionSteps {
  setUp: SetUp
  /** Runs a statement every few seconds, to notice a connection that does not work any more. */
  check(run: RunStatement): Promise<void>
}

/**
 * One connection for the lifetime of the process, for features that Postgres ties to a connection: locks and LISTEN.
 * It is opened and set up again when it is lost or silent.
 */
export async function openSession(pool: pg.Pool, { setUp, check }: SessionSteps): Promise<{ close(): void }> {
  let discardCurrent: (() => void) | undefined
  let isClosed = false

  const open = async (): Promise<void> => {
    const client = await pool.connect()
    let last: Promise<unknown> = Promise.resolve()
    const run: RunStatement = (sql, parameters = []) => {
      const result = last.then(() => client.query(sql, parameters))
      last = result.catch(() => {})
      return result
    }
    let timer: NodeJS.Timeout | undefined
    const discard = () => {
      clearInterval(timer)
      client.off('end', lost)
      client.release(true)
      discardCurrent = undefined
    }
    const lost = () => {
      if (discardCurrent !== discard) return
      discard()
      void reopen()
    }
    client.on('error', () => {}) // 'end' follows
    try {
      await setUp(run, client)
    } catch (error) {
      discard()
      throw error
    }
    if (isClosed) return discard() // closed while it was set up
    client.once('end', lost)
    discardCurrent = discard
    timer = setInterval(() => void within(checkTimeout, check(run)).catch(lost), checkEvery)
    timer.unref()
  }
  const reopen = async (): Promise<void> => {
    while (!isClosed && !discardCurrent) {
      await delay(reconnectAfter, undefined, { ref: false })
      if (!isClosed) await open().catch(() => {}) // the database cannot be reached
    }
  }

  await open()
  return {
    close() {
      isClosed = true
      discardCurrent?.()
    },
  }
}

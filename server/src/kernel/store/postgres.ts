import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ConfigError } from '../config.ts'
import { minute, second } from '../time.ts'

const bigintType = 20
const connectTimeout = 10 * second
const keepAliveDelay = 10 * second
const defaultQueryTimeout = minute
const defaultPoolSize = 20
/** One connection holds the lock of the node. */
const minPoolSize = 4
const closeTimeout = 3 * second

/**
 * The settings of a connection pool. Statements and idle transactions are limited on the server. A connection that stays
 * silent during a statement is closed, so that the pool replaces it: a firewall or a failover can drop packets without
 * closing the connection. `?query_timeout=` in the URL sets the limit in milliseconds, `?pool_size=` the number of
 * connections for requests.
 */
export function postgresOptions(databaseUrl: string) {
  const { connectionString, queryTimeout, poolSize } = readUrl(databaseUrl)
  return {
    connectionString,
    max: poolSize,
    connectionTimeoutMillis: Math.min(connectTimeout, queryTimeout),
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    Client: clientWithLimit(queryTimeout),
    // The server cancels statements that nobody waits for any more.
    statement_timeout: queryTimeout,
    idle_in_transaction_session_timeout: queryTimeout,
  }
}

/** Reads bigints as numbers: none of ours exceeds 2^53. */
export function postgresTypes(): pg.TypeOverrides {
  const types = new pg.TypeOverrides()
  types.setTypeParser(bigintType, Number)
  return types
}

/** Options without a statement timeout, for migrations. */
export function postgresMigrationOptions(databaseUrl: string) {
  const { Client, statement_timeout, idle_in_transaction_session_timeout, ...options } = postgresOptions(databaseUrl)
  return options
}

function readUrl(databaseUrl: string) {
  const url = new URL(databaseUrl)
  /** Reads a parameter of Parley and removes it from the URL, because pg does not know it. */
  const take = (name: string, defaultValue: number, min: number): number => {
    const value = url.searchParams.get(name) ?? String(defaultValue)
    url.searchParams.delete(name)
    if (/^\d{1,9}$/.test(value) && Number(value) >= min) return Number(value)
    throw new ConfigError(`${name} in DATABASE_URL must be a number of at least ${min}.`)
  }
  const queryTimeout = take('query_timeout', defaultQueryTimeout, 1)
  const poolSize = take('pool_size', defaultPoolSize, minPoolSize)
  return { connectionString: url.href, queryTimeout, poolSize }
}

/** The parts of a client that pg does not declare. */
interface ClientInternals {
  connection: { stream: Socket }
  readyForQuery: boolean
}

function clientWithLimit(queryTimeout: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      const internals = this as unknown as ClientInternals
      this.on('error', () => {}) // also fails the running statement; the pool discards the client
      this.once('connect', () => {
        const { stream } = internals.connection
        stream.setTimeout(queryTimeout).on('timeout', () => {
          if (!internals.readyForQuery) stream.destroy(new Error('The database did not respond in time.'))
        })
      })
    }
  }
}

/** Waits until connections are closed, but not long: a silent database never confirms it. */
export const closed = (closing: Promise<void>): Promise<void> =>
  Promise.race([closing, delay(closeTimeout, undefined, { ref: false })])

import type { Redis } from 'ioredis'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible'
import { Problem } from '../errors.ts'
import { type Db, isPostgres } from '../store/database.ts'
import { type Clock, second } from '../time.ts'
import { within } from '../within.ts'
import type { Reply } from './app.ts'

const windowSeconds = 60
/** Health checks and metrics must not wait for a silent database. */
const showTimeout = second
const keyPrefix = 'limit'

declare module '../store/database.ts' {
  interface Tables {
    /** Only on Postgres. */
    rate_limit: { key: string; points: number; expire: number | null }
  }
}

export interface RateLimit {
  /**
   * Counts one request of this key and sets the headers. Throws if the limit is exceeded. With `duringOutage`, a request that
   * cannot be counted in time is not limited.
   */
  count(reply: Reply, key: string, limit: number, options?: { duringOutage?: boolean }): Promise<void>
  /** Sets the headers without counting. */
  show(reply: Reply, key: string, limit: number): Promise<void>
}

export async function createRateLimitTable(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return // a single process counts in memory
  await sql`create unlogged table rate_limit (key text primary key, points integer not null, expire bigint)`.execute(db)
}

/** Deletes the counter of a key. Where it is not in Postgres, it expires within a minute. */
export async function deleteCounter(db: Db, key: string): Promise<void> {
  if (isPostgres(db)) await db.deleteFrom('rate_limit').where('key', '=', `${keyPrefix}:${key}`).execute()
}

/** Counts in memory in a single process. A cluster counts in Redis, or without it in Postgres, or without both in memory. */
export function createRateLimit(settings: { redis: Redis | null; pool: Pool | null; now: Clock }): RateLimit {
  const { redis, pool } = settings
  // Limits differ by token, so the library only counts.
  const options = { points: Number.MAX_SAFE_INTEGER, duration: windowSeconds, keyPrefix }
  let limiter: RateLimiterAbstract = new RateLimiterMemory(options)
  if (pool) {
    const table = { tableName: 'rate_limit', tableCreated: true }
    limiter = new RateLimiterPostgres({
      ...options,
      ...table,
      insuranceLimiter: limiter,
      storeClient: pool,
      storeType: 'pool',
    })
  }
  if (redis) limiter = new RateLimiterRedis({ ...options, insuranceLimiter: limiter, storeClient: redis })

  const setHeaders = (reply: Reply, limit: number, used: number, milliseconds: number): void => {
    const left = Math.max(0, limit - used)
    const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
    reply.header('ratelimit-policy', `"default";q=${limit};w=${windowSeconds}`)
    reply.header('ratelimit', `"default";r=${left};t=${seconds}`)
    reply.header('x-ratelimit-limit', limit)
    reply.header('x-ratelimit-remaining', left)
    reply.header('x-ratelimit-reset', Math.floor(settings.now() / 1000) + seconds)
  }

  return {
    async count(reply, key, limit, { duringOutage = false } = {}) {
      if (limit === 0) return
      const counted = limiter.consume(key)
      const state = duringOutage ? await within(showTimeout, counted).catch(() => null) : await counted
      const { consumedPoints, msBeforeNext } = state ?? { consumedPoints: 0, msBeforeNext: windowSeconds * 1000 }
      setHeaders(reply, limit, consumedPoints, msBeforeNext)
      if (consumedPoints <= limit) return
      const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
      throw new Problem('rate_limited', `More than ${limit} requests in a minute. Try again in ${seconds} seconds.`, {
        headers: { 'retry-after': String(seconds) },
      })
    },
    async show(reply, key, limit) {
      if (limit === 0) return
      const state = await within(showTimeout, limiter.get(key)).catch(() => null)
      setHeaders(reply, limit, state?.consumedPoints ?? 0, state?.msBeforeNext ?? windowSeconds * 1000)
    },
  }
}

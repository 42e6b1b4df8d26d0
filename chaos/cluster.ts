import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type PostgresServer, startPostgresServer } from '../server/test/services/postgres-server.ts'
import { type RedisServer, startRedisServer } from '../server/test/services/redis.ts'
import { openTcpProxy, type TcpProxy } from '../server/test/services/tcp-proxy.ts'
import { NodeProcess } from './node-process.ts'
import { pause } from './wait.ts'

export const token = 'the-owner-in-the-chaos'
const hour = 3_600_000
/** Offsets of the clocks of the nodes in milliseconds. Each node starts with another one. */
const clockJumps = [0, hour, -hour, 20_000, -20_000]

export interface Cluster {
  apis: NodeProcess[]
  workers: NodeProcess[]
  postgres: PostgresServer
  redis: RedisServer | null
  /** Between the nodes and Postgres, and between the nodes and Redis. */
  toPostgres: TcpProxy
  toRedis: TcpProxy | null
  folder: string
  /** A connection for the auditor, past the proxy. */
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>
  whenReady(): Promise<void>
  close(): Promise<void>
}

export async function startCluster(size: { apis: number; workers: number; redis: boolean }): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'))
  // Commits are durable across a crash of Postgres; only a crash of the whole machine could lose them.
  const postgres = await startPostgresServer(['fsync=off', 'max_wal_size=256MB'])
  const redis = size.redis ? await startRedisServer() : null
  const toPostgres = await openTcpProxy({ host: '127.0.0.1', port: postgres.port })
  const toRedis = redis && (await openTcpProxy({ host: '127.0.0.1', port: redis.port }))
  const database = new pg.Pool({ connectionString: postgres.url, max: 4 })
  database.on('error', () => {}) // Postgres is restarted at times
  const environment: Record<string, string> = {
    DATABASE_URL: `postgres://parley@127.0.0.1:${toPostgres.port}/postgres?query_timeout=5000`,
    ...(toRedis && { REDIS_URL: `redis://127.0.0.1:${toRedis.port}` }),
    FILES_URL: `file://${join(folder, 'files')}`,
    ADMIN_TOKEN: token,
    SECRET_KEY: '5e'.repeat(32),
    RATE_LIMIT: '1000000000',
    EGRESS_ALLOW: '127.0.0.1',
    DEMO: 'false',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import=${new URL('../server/test/wrong-clock.js', import.meta.url).href}`,
  }
  const make = (role: 'api' | 'worker') => (_: unknown, index: number) => {
    const name = `${role} ${index + 1}`
    const data = join(folder, name.replace(' ', '-'))
    mkdirSync(data)
    const first = role === 'api' ? index : index + 3
    const jumps = clockJumps.map((_each, n) => clockJumps[(first + n) % clockJumps.length]).join(',')
    return new NodeProcess(name, { ...environment, ROLE: role, DATA_DIR: data, CLOCK_JUMPS: jumps }, `${data}.log`)
  }
  const apis = Array.from({ length: size.apis }, make('api'))
  const workers = Array.from({ length: size.workers }, make('worker'))
  const nodes = [...apis, ...workers]
  for (const node of nodes) node.start()
  return {
    apis,
    workers,
    postgres,
    redis,
    toPostgres,
    toRedis,
    folder,
    query: async (sql, parameters = []) => (await database.query(sql, parameters)).rows,
    async whenReady() {
      while (nodes.some((node) => !node.isReady)) await pause(50)
    },
    async close() {
      await Promise.all(nodes.map((node) => node.stop()))
      await database.end()
      toPostgres.close()
      toRedis?.close()
      await postgres.remove()
      await redis?.remove()
      if (!process.env.CHAOS_KEEP) rmSync(folder, { recursive: true, force: true })
    },
  }
}

import pg from 'pg'
import { chatTarget, load } from './chat.ts'
import { cpuSeconds, type Running, startParley, startProvider } from './processes.ts'
import { printTable } from './table.ts'

const concurrency = 64
const nodeCounts = [1, 2, 4]
const secretKey = 'the-secret-key-of-the-bench-0123456789'

/**
 * Turns of a cluster on one machine, with the database and the model beside it: what a turn costs a node and what it costs the
 * database. DATABASE_URL names a Postgres server; the bench uses a database of its own.
 */
export async function nodes(): Promise<void> {
  const server = process.env.DATABASE_URL
  if (!server) return void process.stdout.write('\nnodes: set DATABASE_URL to the URL of a Postgres server.\n')
  const provider = await startProvider()
  const rows: string[][] = []
  for (const stream of [false, true])
    for (const count of nodeCounts)
      rows.push([stream ? 'streamed' : 'whole', ...(await measure(server, count, provider.url, stream))])
  const head = [
    'turns',
    'nodes',
    'turns/s',
    'p50 / p99 ms',
    'CPU ms of the nodes',
    'of the database',
    'transactions',
    'WAL KB',
  ]
  printTable(`Turns of a cluster, ${concurrency} conversations at once; costs are of one turn`, head, rows)
  await provider.stop()
}

async function measure(server: string, count: number, provider: string, stream: boolean): Promise<string[]> {
  const name = `parley_bench_nodes_${process.pid}`
  const admin = new pg.Client(server)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  url.searchParams.set('pool_size', '12') // Postgres accepts 100 connections unless told otherwise
  const environment = { DATABASE_URL: url.href, SECRET_KEY: secretKey }
  const started: Running[] = []
  for (let n = 0; n < count; n++) started.push(await startParley(environment))
  try {
    const first = await chatTarget(started[0] as Running, provider)
    let next = 0
    const balanced = {
      ...first,
      get url() {
        return (started[next++ % count] as Running).url
      },
    }
    await load(balanced, concurrency, stream) // until everything is compiled
    let before: Work | undefined
    const begins = async () => {
      before = await workOf(started, admin, name)
    }
    const { turns, rate, p50, p99 } = await load(balanced, concurrency, stream, { begins })
    const after = await workOf(started, admin, name)
    const each = (part: keyof Work, digits: number) => ((after[part] - (before?.[part] ?? 0)) / turns).toFixed(digits)
    return [
      String(count),
      rate.toFixed(0),
      `${p50.toFixed(0)} / ${p99.toFixed(0)}`,
      each('nodes', 2),
      each('database', 2),
      each('transactions', 1),
      each('wal', 1),
    ]
  } finally {
    for (const node of started) await node.stop()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

interface Work {
  /** Milliseconds of processor time. */
  nodes: number
  database: number
  transactions: number
  /** Kilobytes. */
  wal: number
}

async function workOf(nodes: Running[], admin: pg.Client, database: string): Promise<Work> {
  const processes = await admin.query<{ pid: number }>('select pid from pg_stat_activity')
  const { rows } = await admin.query<{ transactions: number; wal: number }>(
    `select xact_commit::float8 as transactions, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 / 1024 as wal
     from pg_stat_database where datname = $1`,
    [database],
  )
  const { transactions = 0, wal = 0 } = rows[0] ?? {}
  const milliseconds = (all: { process: { pid?: number | undefined } }[]) =>
    all.reduce((sum, each) => sum + cpuSeconds(each) * 1000, 0)
  return {
    nodes: milliseconds(nodes),
    database: milliseconds(processes.rows.map((process) => ({ process }))),
    transactions,
    wal,
  }
}

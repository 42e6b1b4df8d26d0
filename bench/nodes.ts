import pg from 'pg'
import { nodeAims } from './aims.ts'
import { type Aim, type Bench, type Figure, missing } from './bench.ts'
import { chatTarget, load } from './load.ts'
import { cpuSeconds, type Running, startParley, startProvider } from './processes.ts'

const conversations = 64
const secretKey = 'the-secret-key-of-the-bench-0123456789'

export const nodes: Bench = {
  about:
    'a cluster on Postgres, with all nodes, the database and the model on this machine, 64 streamed conversations at once: what a turn costs a node and what it costs the database. Nodes on the same processor add nothing but their own cost; see [scale.md](scale.md) for what follows.',

  async measure({ database, isFull, seconds }) {
    if (!database) return [missing('turns of a cluster', 'needs PostgreSQL')]
    const provider = await startProvider()
    const figures: Figure[] = []
    for (const stream of isFull ? [true] : [false, true]) {
      const kind = stream ? 'streamed' : 'whole'
      let one: number | undefined
      for (const count of [1, 2, 4]) {
        const { rate, p50, p99, turns } = await measure(database, count, provider.url, stream, seconds)
        const name = `${kind}, ${count} ${count === 1 ? 'node' : 'nodes'}`
        const reference = one === undefined ? {} : { reference: { name: '1 node', value: one } }
        one ??= rate
        figures.push({ name, value: rate, unit: 'turns/s', ...reference, aim: {} })
        const more: [string, number, string, Aim?][] = [
          ['p50', p50, 'ms'],
          ['p99', p99, 'ms'],
          ['processor time of a turn in the nodes', turns.nodes, 'ms', nodeAims.nodes],
          ['processor time of a turn in Postgres', turns.database, 'ms', nodeAims.database],
          ['transactions of a turn', turns.transactions, 'transactions', nodeAims.transactions],
          ['WAL of a turn', turns.wal, 'KB', nodeAims.wal],
        ]
        for (const [what, value, unit, aim] of more)
          figures.push({ name: `${name}, ${what}`, value, unit, ...(count === 1 && aim && { aim }) })
      }
    }
    await provider.stop()
    return figures
  },
}

async function measure(server: string, count: number, provider: string, stream: boolean, seconds: number) {
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
    await load(balanced, { conversations, stream, seconds }) // until everything is compiled
    let before: Work | undefined
    const begins = async () => {
      before = await databaseWork(started, admin, name)
    }
    const { count: turns, ...times } = await load(balanced, { conversations, stream, seconds, begins })
    const after = await databaseWork(started, admin, name)
    const each = (part: keyof Work) => (after[part] - (before?.[part] ?? 0)) / turns
    return {
      ...times,
      turns: {
        nodes: each('nodes'),
        database: each('database'),
        transactions: each('transactions'),
        wal: each('wal'),
      },
    }
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

async function databaseWork(nodes: Running[], admin: pg.Client, database: string): Promise<Work> {
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

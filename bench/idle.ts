import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { idleAims as aims } from './aims.ts'
import { type Bench, type Figure, missing } from './bench.ts'
import { cpuSeconds, type Running, startParley } from './processes.ts'

/** After this long, threads and processes that nobody needs have ended, and jobs of the start have run. */
const settling = 90_000
/** Every repeating job runs at least once. */
const observed = 65_000
const name = `parley_bench_idle_${process.pid}`

export const idle: Bench = {
  about:
    'the service while nobody asks for anything, a minute and a half after its start: the memory of all its processes, with and without the demo, and on Postgres the transactions of a node.',

  async measure({ database }) {
    const admin = database ? new pg.Client(database) : undefined
    await admin?.connect()
    await admin?.query(`create database ${name}`)
    const started = new Map<string, Running>()
    try {
      started.set('demo', await startParley({ DEMO: 'true' }))
      started.set('empty', await startParley())
      if (database)
        started.set(
          'node',
          await startParley({ DATABASE_URL: Object.assign(new URL(database), { pathname: name }).href }),
        )
      await wait(settling)
      const before = { cpu: readCpu(started.get('demo')), transactions: await transactions(admin) }
      await wait(observed)
      const perSecond = (after: number, earlier: number) => (after - earlier) / (observed / 1000)
      const figures: Figure[] = [
        { name: 'memory with the demo', value: treeMegabytes(started.get('demo')), unit: 'MB', aim: aims.demo },
        { name: 'memory without knowledge', value: treeMegabytes(started.get('empty')), unit: 'MB', aim: aims.empty },
        { name: 'processor', value: perSecond(readCpu(started.get('demo')), before.cpu) * 1000, unit: 'ms/s' },
      ]
      const value = perSecond(await transactions(admin), before.transactions)
      const onPostgres = { name: 'transactions on Postgres', unit: 'per second', aim: aims.transactions }
      return [...figures, admin ? { ...onPostgres, value } : missing(onPostgres.name, 'needs PostgreSQL')]
    } finally {
      await Promise.all([...started.values()].map((each) => each.stop()))
      await admin?.query(`drop database ${name} with (force)`)
      await admin?.end()
    }
  },
}

const readCpu = (running: Running | undefined): number => (running ? cpuSeconds(running) : 0)

async function transactions(admin: pg.Client | undefined): Promise<number> {
  const counted = `select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = $1`
  return (await admin?.query<{ count: number }>(counted, [name]))?.rows[0]?.count ?? 0
}

/** The memory that a process and its descendants share counts once for each that uses it, by its part. */
function treeMegabytes(running: Running | undefined): number {
  const parents = new Map(processes().map((pid) => [pid, parent(pid)]))
  const isOurs = (pid: number): boolean => pid === running?.process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  const kilobytes = [...parents.keys()]
    .filter(isOurs)
    .map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1]))
  return kilobytes.reduce((sum, each) => sum + (each || 0), 0) / 1024
}

const processes = (): number[] => readdirSync('/proc').map(Number).filter(Boolean)
const parent = (pid: number): number => Number(read(pid, 'stat').replace(/^.*\)/s, '').trim().split(' ')[1])

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

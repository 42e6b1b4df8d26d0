import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fill } from './figures/fill.ts'
import { cpuSeconds, startParley, token } from './processes.ts'
import { printTable } from './table.ts'

const repetitions = 7

/**
 * Statistics over a year of usage and of conversations, with every filter. On Postgres if DATABASE_URL names an empty or
 * already filled database, else on SQLite; BENCH_FOLDER keeps the data folder for the next run.
 */
export async function figures(): Promise<void> {
  const calls = Number(process.env.BENCH_ROWS ?? 1_000_000)
  const messages = Number(process.env.BENCH_MESSAGES ?? 1_000_000)
  const folder = process.env.BENCH_FOLDER ?? mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const { DATABASE_URL } = process.env
  const environment = { DATA_DIR: folder, ...(DATABASE_URL && { DATABASE_URL }) }
  await fill(environment, { calls, messages })
  const parley = await startParley(environment)
  const engine = DATABASE_URL ? 'Postgres' : 'SQLite'
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string): Promise<number> => {
    const started = performance.now()
    const response = await fetch(`${parley.url}/api${path}`, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return performance.now() - started
  }
  const measured = async (paths: Record<string, string>): Promise<string[][]> => {
    const rows: string[][] = []
    for (const [name, path] of Object.entries(paths)) {
      const first = await get(path)
      const before = cpuSeconds(parley)
      const further: number[] = []
      for (let n = 0; n < repetitions; n++) further.push(await get(path))
      further.sort((a, b) => a - b)
      const cpu = ((cpuSeconds(parley) - before) / repetitions) * 1000
      const measurements = [first, further[Math.floor(repetitions / 2)] ?? 0, further.at(-1) ?? 0, cpu]
      rows.push([name, ...measurements.map((milliseconds) => milliseconds.toFixed(0))])
    }
    return rows
  }
  const head = ['query', 'first ms', 'median ms', 'max ms', 'CPU ms']
  const of = (type: string, id?: string) => `/usage/stats?entity_type=${type}${id ? `&entity_id=${id}` : ''}`
  const usage = await measured({
    everything: '/usage/stats',
    'a big token': of('token', 'tok_0'),
    'a big agent': of('agent', 'agt_0'),
    'a small agent': of('agent', 'agt_19'),
    'a user': of('user', 'user-77'),
    'a model': of('model', 'mdl_0'),
    'a tool': of('tool', 'rag_0'),
    'an evaluation': of('evaluation', 'evl_0'),
    'any user': of('user'),
    'a token, some months': `${of('token', 'tok_0')}&start_date=${daysAgo(200)}&end_date=${daysAgo(20)}`,
    'costs of everything': '/usage/costs',
    'costs of a token': of('token', 'tok_0').replace('stats', 'costs'),
  })
  printTable(`Usage: ${calls} calls in a year, ${engine}`, head, usage)
  const year = `/analytics/conversations?start_date=${daysAgo(365)}&end_date=${daysAgo(0)}`
  const analytics = await measured({
    'by day': year,
    'by week': `${year}&interval=week`,
    'by hour': `${year}&interval=hour`,
    'a big agent': `${year}&agent_id=agt_0`,
    'a user': `${year}&user_id=user-77`,
    'a user, by week': `${year}&user_id=user-77&interval=week`,
    'with evaluations': `${year}&include_evaluations=true`,
    'the last 90 days': `/analytics/conversations?start_date=${daysAgo(90)}&end_date=${daysAgo(0)}`,
    'the last 30 days': '/analytics/conversations',
  })
  printTable(`Analytics: ${messages} messages in a year, ${engine}`, head, analytics)
  await parley.stop()
  if (process.env.BENCH_FOLDER === undefined) rmSync(folder, { recursive: true, force: true })
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

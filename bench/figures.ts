import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillFolder } from './figures/fill.ts'
import { cpuSeconds, startParley, token } from './processes.ts'
import { printTable } from './table.ts'

const times = 7

/** Statistics over a year of usage and of conversations: how long each filter takes beside asking for everything. */
export async function figures(): Promise<void> {
  const calls = Number(process.env.BENCH_ROWS ?? 1_000_000)
  const messages = Number(process.env.BENCH_MESSAGES ?? 200_000)
  const folder = process.env.BENCH_FOLDER ?? mkdtempSync(join(tmpdir(), 'parley-bench-'))
  await fillFolder(folder, { calls, messages })
  const parley = await startParley({ DATA_DIR: folder })
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (path: string): Promise<number> => {
    const started = performance.now()
    const response = await fetch(`${parley.url}/api${path}`, { headers })
    await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    return performance.now() - started
  }
  const measured = async (paths: Record<string, string>): Promise<string[][]> => {
    const rows: string[][] = []
    for (const [name, path] of Object.entries(paths)) {
      const first = await ask(path)
      const before = cpuSeconds(parley)
      const further: number[] = []
      for (let n = 0; n < times; n++) further.push(await ask(path))
      further.sort((a, b) => a - b)
      const cpu = ((cpuSeconds(parley) - before) / times) * 1000
      const told = [first, further[Math.floor(times / 2)] ?? 0, further.at(-1) ?? 0, cpu]
      rows.push([name, ...told.map((milliseconds) => milliseconds.toFixed(0))])
    }
    return rows
  }
  const head = ['asked for', 'first ms', 'median ms', 'most ms', 'CPU ms each']
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
    'whatever has a user': of('user'),
    'a token, some months': `${of('token', 'tok_0')}&start_date=${daysAgo(200)}&end_date=${daysAgo(20)}`,
    'costs of everything': '/usage/costs',
    'costs of a token': of('token', 'tok_0').replace('stats', 'costs'),
  })
  printTable(`Usage: ${calls} calls in a year`, head, usage)
  const year = `/analytics/conversations?start_date=${daysAgo(365)}&end_date=${daysAgo(0)}`
  const analytics = await measured({
    'by day': year,
    'by week': `${year}&interval=week`,
    'by hour': `${year}&interval=hour`,
    'a big agent': `${year}&agent_id=agt_0`,
    'a user': `${year}&user_id=user-77`,
    'a user, by week': `${year}&user_id=user-77&interval=week`,
    'with evaluations': `${year}&include_evaluations=true`,
    'the last 30 days': '/analytics/conversations',
  })
  printTable(`Analytics: ${messages} messages in a year`, head, analytics)
  await parley.stop()
  if (process.env.BENCH_FOLDER === undefined) rmSync(folder, { recursive: true, force: true })
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

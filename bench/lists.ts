import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { createApi } from './api.ts'
import { type Bench, type Figure, quantile } from './bench.ts'
import type { Filling } from './lists/fill.ts'
import { constant, type Filled, limited, type Request } from './lists/requests.ts'
import { startParley, startProvider, token } from './processes.ts'

const agentCount = 20
const warmUps = 5
const filler = fileURLToPath(new URL('lists/fill.ts', import.meta.url))

/** Data folders and databases by size, filled by `prepare`. */
const prepared: Prepared[] = []

interface Prepared extends Pick<Filled, 'rows' | 'agents' | 'user'> {
  environment: Record<string, string>
  remove(): Promise<void>
}

export const lists: Bench = {
  about:
    'lists, searches, reads, turns and statistics in a workspace with 1,000,000 conversations, messages and model calls, beside one with 10,000, asked in turn (p95; with a limit in milliseconds p50), on SQLite unless `DATABASE_URL` is set.',

  async prepare() {
    const sizes = (process.env.BENCH_ROWS ?? '10000,1000000').split(',').map(Number)
    for (const rows of sizes) prepared.push(await fill(rows))
  },

  async measure({ isFull }) {
    const provider = await startProvider()
    const services: Filled[] = []
    try {
      for (const each of prepared) services.push(await start(each, provider.url))
      const repetitions = Number(process.env.BENCH_REPETITIONS ?? (isFull ? 30 : 60))
      const figures: Figure[] = []
      for (const [name, request] of Object.entries(constant)) {
        const times = await measure(services, request, repetitions)
        figures.push(compared(name, services, times, 0.95, { of: 'ratio', max: 2 }))
      }
      for (const [name, { request, aim }] of Object.entries(limited)) {
        const times = await measure(services, request, Math.ceil(repetitions / 6))
        figures.push(compared(name, services, times, 0.5, aim))
      }
      return figures
    } finally {
      for (const service of services) await service.stop()
      for (const { remove } of prepared) await remove()
      await provider.stop()
    }
  },
}

/** Compares the largest size with the smallest. */
function compared(
  name: string,
  services: Filled[],
  times: number[][],
  share: number,
  aim: NonNullable<Figure['aim']>,
): Figure {
  const [least, most] = [times[0] ?? [], times.at(-1) ?? []].map((each) => quantile(each, share))
  const reference = { name: `${services[0]?.rows.toLocaleString('en')} rows`, value: least ?? 0 }
  return { name, value: most ?? 0, unit: 'ms', reference, aim }
}

async function fill(rows: number): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const database = process.env.DATABASE_URL && (await createDatabase(process.env.DATABASE_URL, rows))
  const environment = { DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) }
  const empty = await startParley(environment)
  const { call } = createApi(empty)
  const agents: string[] = []
  for (let n = 0; n < agentCount; n++) {
    const topics = n === 0 ? ['billing', 'delivery'] : []
    agents.push((await call<{ id: string }>('POST', '/agents', { name: `Agent ${n}`, topics })).id)
  }
  const user = (await call<{ token: string }>('POST', '/tokens', { name: 'U', role: 'user', user_id: 'user-31' })).token
  await empty.stop()
  const filling: Filling = { folder, agents, rows, ...(database && { databaseUrl: database.url }) }
  await promisify(execFile)(process.execPath, [filler, JSON.stringify(filling)])
  return {
    rows,
    agents,
    user,
    environment,
    async remove() {
      if (database) await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function start({ environment, ...filled }: Prepared, provider: string): Promise<Filled> {
  const { url, stop } = await startParley(environment)
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider, is_default: true }
  await createApi({ url }).call('POST', '/models', model)
  return { ...filled, url, stop }
}

/** The times of each service. They take turns, so that a busy machine slows all of them down. */
async function measure(services: Filled[], request: Request, repetitions: number): Promise<number[][]> {
  const times: number[][] = services.map(() => [])
  for (let n = 0; n < warmUps + repetitions; n++) {
    for (const [index, service] of services.entries()) {
      const { path, as = token, body } = request(n, service)
      const started = performance.now()
      const response = await fetch(`${service.url}/api${path}`, {
        headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
      if (n >= warmUps) times[index]?.push(performance.now() - started)
    }
  }
  return times
}

async function createDatabase(server: string, rows: number): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `parley_bench_lists_${rows}`
  const run = async (...statements: string[]) => {
    const client = new pg.Client(server)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await run(`drop database if exists ${name} with (force)`, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

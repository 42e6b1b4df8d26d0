import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { commonWord, fill, rareWord } from './lists/fill.ts'
import { type Running, startParley, startProvider, token } from './processes.ts'
import { printTable } from './table.ts'

const agentCount = 20
const warmUps = 5
const repetitions = Number(process.env.BENCH_REPETITIONS ?? 60)

/**
 * Lists, searches, statistics and turns of a small and of a large workspace, asked in turn: each should take the same time in
 * both. BENCH_ROWS has the sizes. On Postgres if DATABASE_URL names a server, in databases of its own, else on SQLite.
 */
export async function lists(): Promise<void> {
  const sizes = (process.env.BENCH_ROWS ?? '10000,1000000').split(',').map(Number)
  const services: Filled[] = []
  const provider = await startProvider()
  try {
    for (const rows of sizes) services.push(await start(rows, provider.url))
    const table: string[][] = []
    for (const [name, request] of Object.entries(requests)) {
      const quantiles = (await measure(services, request)).map((times) => [quantile(times, 0.5), quantile(times, 0.95)])
      const ratio = (quantiles.at(-1)?.[1] ?? 0) / (quantiles[0]?.[1] ?? 1)
      table.push([name, ...quantiles.flat().map((ms) => ms.toFixed(1)), ratio.toFixed(2)])
    }
    const head = ['request', ...sizes.flatMap((rows) => [`p50 ms at ${rows}`, `p95 ms at ${rows}`]), 'p95 ratio']
    printTable(`Lists of many rows, ${process.env.DATABASE_URL ? 'Postgres' : 'SQLite'}`, head, table)
  } finally {
    for (const service of services) await service.stop()
    await provider.stop()
  }
}

interface Filled extends Pick<Running, 'url' | 'stop'> {
  rows: number
  agents: string[]
  /** The token of a user. */
  user: string
}

/** A service with this many conversations and messages. */
async function start(rows: number, provider: string): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const database = process.env.DATABASE_URL && (await createDatabase(process.env.DATABASE_URL, rows))
  const environment = { DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) }
  const empty = await startParley(environment)
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider }
  const { id: model_id } = await post(empty, '/models', model)
  const agents: string[] = []
  for (let n = 0; n < agentCount; n++) {
    const topics = n === 0 ? ['billing', 'delivery'] : []
    agents.push((await post(empty, '/agents', { name: `Agent ${n}`, topics, model_id })).id)
  }
  const user = (await post(empty, '/tokens', { name: 'U', role: 'user', user_id: 'user-31' })).token
  await empty.stop()
  const started = performance.now()
  await fill({ folder, databaseUrl: database ? database.url : undefined, agents, rows })
  process.stdout.write(`Filled ${rows} rows in ${((performance.now() - started) / 1000).toFixed(0)} s.\n`)
  const { url, stop } = await startParley(environment)
  return {
    url,
    rows,
    agents,
    user,
    async stop() {
      await stop()
      if (database) await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Request = (n: number, service: Filled) => { path: string; as?: string; body?: object }

const agent = ({ agents }: Filled, n: number) => agents[n % agents.length] as string
const page = ({ rows }: Filled, n: number) => 1 + ((n * 7919) % Math.floor(rows / 25))
/** One that is active and has messages. */
const conversation = ({ rows }: Filled, n: number) => `cnv_${String((n * 79_190) % rows).padStart(12, '0')}`
const latest = '/conversations?limit=25&sort=updated_at'

const requests: Record<string, Request> = {
  'conversations, newest': () => ({ path: '/conversations' }),
  'by updated_at': () => ({ path: latest }),
  'of an agent': (n, service) => ({ path: `${latest}&agent_id=${agent(service, n)}` }),
  'of an agent, newest': (n, service) => ({ path: `/conversations?agent_id=${agent(service, n)}` }),
  'of a status': (n) => ({ path: `${latest}&status=${n % 2 ? 'active' : 'completed'}` }),
  'of an agent and status': (n, service) => ({ path: `${latest}&agent_id=${agent(service, n)}&status=active` }),
  'of a user': (_, { user }) => ({ path: latest, as: user }),
  'any page': (n, service) => ({ path: `/conversations?limit=25&page=${page(service, n)}` }),
  'any page by updated_at': (n, service) => ({ path: `${latest}&order=asc&page=${page(service, n)}` }),
  'q, a rare word': () => ({ path: `${latest}&q=${rareWord}` }),
  'q, a common word': () => ({ path: `${latest}&q=${commonWord}` }),
  'q, no match': (n) => ({ path: `${latest}&q=nothing${n}` }),
  'q of an agent': (n, service) => ({ path: `${latest}&q=${commonWord}&agent_id=${agent(service, n)}` }),
  'one conversation': (n, service) => ({ path: `/conversations/${conversation(service, n)}` }),
  'its messages': (n, service) => ({ path: `/conversations/${conversation(service, n)}/messages` }),
  'a turn': (n, service) => ({
    path: `/conversations/${conversation(service, n)}/messages`,
    body: { message: 'What is there to say?' },
  }),
  'usage of 30 days': () => ({ path: '/usage/stats' }),
  'analytics of 90 days': () => ({
    path: `/analytics/conversations?start_date=${daysAgo(90)}&end_date=${daysAgo(0)}`,
  }),
  status: () => ({ path: '/status' }),
}

/** The sorted times of each service. They take turns, so that a busy machine slows all of them down. */
async function measure(services: Filled[], request: Request): Promise<number[][]> {
  const times: number[][] = services.map(() => [])
  for (let n = 0; n < warmUps + repetitions; n++) {
    for (const [index, service] of services.entries()) {
      const { path, as = token, body } = request(n, service)
      const started = performance.now()
      const response = await fetch(`${service.url}/api${path}`, {
        headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      await response.text()
      if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
      if (n >= warmUps) times[index]?.push(performance.now() - started)
    }
  }
  return times.map((each) => each.sort((a, b) => a - b))
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function post(parley: Running, path: string, body: object): Promise<{ id: string; token: string }> {
  const response = await fetch(`${parley.url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { data: { id: string; token: string } }
  if (response.status !== 201) throw new Error(`POST ${path} answered ${response.status}`)
  return data
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

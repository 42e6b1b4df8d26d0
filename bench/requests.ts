import autocannon from 'autocannon'
import { cpuSeconds, type Running, startBare, startParley, token } from './processes.ts'
import { printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const connections = 32
const rounds = 2

interface Figures {
  rate: number
  /** Microseconds of processor time a request. */
  cpu: number
  p99: number
}

interface Load {
  path: string
  method?: 'GET' | 'POST'
  body?: string
}

async function measure(server: Running, { path, method = 'GET', body }: Load): Promise<Figures> {
  const before = cpuSeconds(server)
  const result = await autocannon({
    url: server.url + path,
    method,
    connections,
    duration: seconds,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`)
  const cpu = ((cpuSeconds(server) - before) / result.requests.total) * 1e6
  return { rate: result.requests.average, cpu, p99: result.latency.p99 }
}

/** Reads and writes of agents, beside a bare route that sends the same bytes; taken in turns, so that both see the same noise. */
export async function requests(): Promise<void> {
  const parley = await startParley()
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(parley.url + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  const body = JSON.stringify({
    name: 'Support',
    description: 'Answers questions about our product, in the tone of a friendly colleague.',
    system_prompt: 'You are a friendly support agent. '.repeat(20),
    temperature: 0.3,
    max_tokens: 800,
    topics: ['billing', 'delivery'],
  })
  let id = ''
  for (let n = 0; n < 100; n++) {
    const created = (await (await ask('/api/agents', { method: 'POST', body })).json()) as { data: { id: string } }
    id = created.data.id
  }
  const one = `/api/agents/${id}`
  const list = '/api/agents?limit=20'
  const loads: [string, Load][] = [
    ['GET one agent', { path: one }],
    ['list 20 agents', { path: list }],
    ['create agent', { path: '/api/agents', method: 'POST', body }],
  ]
  const bare = await startBare({
    [one]: await (await ask(one)).text(),
    '/api/agents': await (await ask(list)).text(),
  })

  const rows: string[][] = []
  for (const [name, load] of loads) {
    const ours: Figures = { rate: 0, cpu: 0, p99: 0 }
    const theirs: Figures = { rate: 0, cpu: 0, p99: 0 }
    for (const server of [parley, bare]) await measure(server, load) // until both are compiled
    for (let round = 0; round < rounds; round++) {
      for (const [total, server] of [
        [ours, parley],
        [theirs, bare],
      ] as const) {
        const figures = await measure(server, load)
        total.rate += figures.rate / rounds
        total.cpu += figures.cpu / rounds
        total.p99 = Math.max(total.p99, figures.p99)
      }
    }
    rows.push([
      name,
      `${ours.rate.toFixed(0)} / ${theirs.rate.toFixed(0)}`,
      (ours.rate / theirs.rate).toFixed(2),
      `${ours.cpu.toFixed(0)} / ${theirs.cpu.toFixed(0)} µs`,
      (theirs.cpu / ours.cpu).toFixed(2),
      `${ours.p99} / ${theirs.p99} ms`,
    ])
  }
  printTable(
    'Parley, embedded / a bare Fastify route',
    ['', 'requests/s', 'ratio', 'CPU a request', 'ratio', 'p99'],
    rows,
  )
  await parley.stop()
  await bare.stop()
}

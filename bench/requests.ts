import autocannon from 'autocannon'
import { requestAims as aims } from './aims.ts'
import { createApi } from './api.ts'
import type { Aim, Bench, Figure } from './bench.ts'
import { cpuSeconds, type Running, startBare, startParley, token } from './processes.ts'

const connections = 32
const rounds = 2

interface Load {
  path: string
  method?: 'GET' | 'POST'
  body?: string
  aim: Aim
}

interface Measured {
  rate: number
  /** Microseconds of processor time a request. */
  cpu: number
  p99: number
}

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const agent = JSON.stringify({
  name: 'Support',
  description: 'Answers questions about our product, in the tone of a friendly colleague.',
  system_prompt: 'You are a friendly support agent. '.repeat(20),
  temperature: 0.3,
  max_tokens: 800,
  topics: ['billing', 'delivery'],
})

export const requests: Bench = {
  about:
    'reads and writes of agents with authentication, rate limit and durable writes, by 32 clients, beside a bare Fastify route that sends the same bytes. The start is measured with a built console, from the command to the first answer.',

  async measure({ seconds }) {
    const started = performance.now()
    const parley = await startParley()
    const start: Figure = { name: 'start', value: (performance.now() - started) / 1000, unit: 's', aim: aims.start }
    const ask = (path: string) => fetch(parley.url + path, { headers })
    let id = ''
    for (let n = 0; n < 100; n++)
      id = (await createApi(parley).call<{ id: string }>('POST', '/agents', JSON.parse(agent))).id
    const one = `/api/agents/${id}`
    const list = '/api/agents?limit=20'
    const loads: [string, Load][] = [
      ['get an agent', { path: one, aim: aims.one }],
      ['list 20 agents', { path: list, aim: aims.list }],
      ['create an agent', { path: '/api/agents', method: 'POST', body: agent, aim: aims.write }],
    ]
    const bare = await startBare({
      [one]: await (await ask(one)).text(),
      '/api/agents': await (await ask(list)).text(),
    })
    const figures: Figure[] = []
    for (const [name, load] of loads) figures.push(...(await compare(name, load, parley, bare, seconds)))
    await parley.stop()
    await bare.stop()
    return [start, ...figures]
  },
}

/** They take turns, so that both see the same noise. */
async function compare(name: string, load: Load, parley: Running, bare: Running, seconds: number): Promise<Figure[]> {
  const servers = [parley, bare]
  const totals = servers.map((): Measured => ({ rate: 0, cpu: 0, p99: 0 }))
  for (const server of servers) await measure(server, load, seconds) // until both are compiled
  for (let round = 0; round < rounds; round++)
    for (const [at, server] of servers.entries()) {
      const { rate, cpu, p99 } = await measure(server, load, seconds)
      const total = totals[at] as Measured
      total.rate += rate / rounds
      total.cpu += cpu / rounds
      total.p99 = Math.max(total.p99, p99)
    }
  const [ours, theirs] = totals as [Measured, Measured]
  const figure = (part: keyof Measured, what: string, unit: string): Figure => ({
    name: what ? `${name}, ${what}` : name,
    value: ours[part],
    unit,
    reference: { name: 'bare route', value: theirs[part] },
  })
  const rate = figure('rate', '', 'requests/s')
  return [{ ...rate, aim: load.aim }, figure('cpu', 'processor time', 'µs'), figure('p99', 'p99', 'ms')]
}

async function measure(server: Running, { path, method = 'GET', body }: Load, seconds: number): Promise<Measured> {
  const before = cpuSeconds(server)
  const url = server.url + path
  const result = await autocannon({ url, method, connections, duration: seconds, headers, ...(body && { body }) })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} failed`)
  const cpu = ((cpuSeconds(server) - before) / result.requests.total) * 1e6
  return { rate: result.requests.average, cpu, p99: result.latency.p99 }
}

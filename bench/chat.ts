import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { cpuSeconds, type Running, startMinimal, startParley, startProvider, startProxy, token } from './processes.ts'
import { printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const turnsPerConversation = 20
const dispatcher = new Agent({ connections: 256 })
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

interface Target extends Running {
  name: string
  newConversation(): Promise<string>
}

interface Figures {
  rate: number
  p50: number
  p99: number
  firstByte: number
  cpu: number
}

async function post(url: string, body: object): Promise<{ data: { id: string } }> {
  const reply = await request(url, { method: 'POST', headers, body: JSON.stringify(body), dispatcher })
  if (reply.statusCode >= 300) throw new Error(`${url} answered ${reply.statusCode}: ${await reply.body.text()}`)
  return (await reply.body.json()) as { data: { id: string } }
}

/** One turn, from sending to the last byte; how long it took, and how long to the first. */
async function turn(target: Target, conversation: string, stream: boolean): Promise<[number, number]> {
  const started = performance.now()
  const reply = await request(`${target.url}/api/conversations/${conversation}/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message: 'What is there to say?', stream }),
    dispatcher,
  })
  let first = 0
  for await (const _ of reply.body) first ||= performance.now() - started
  if (reply.statusCode !== 200) throw new Error(`${target.name} answered ${reply.statusCode}`)
  return [performance.now() - started, first]
}

async function load(target: Target, concurrency: number, stream: boolean): Promise<Figures> {
  const times: number[] = []
  const firsts: number[] = []
  const until = performance.now() + seconds * 1000
  const before = cpuSeconds(target)
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      let conversation = ''
      for (let n = 0; performance.now() < until; n++) {
        if (n % turnsPerConversation === 0) conversation = await target.newConversation()
        const [whole, first] = await turn(target, conversation, stream)
        times.push(whole)
        firsts.push(first)
      }
    }),
  )
  const at = (values: number[], part: number) => values.sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
  return {
    rate: times.length / seconds,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    firstByte: at(firsts, 0.5),
    cpu: ((cpuSeconds(target) - before) / times.length) * 1000,
  }
}

const memoryOf = ({ process: child }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

async function parleyTarget(provider: string, environment: Record<string, string> = {}): Promise<Target> {
  const parley = await startParley({ LOG_LEVEL: 'info', ...environment })
  const model = await post(`${parley.url}/api/models`, {
    name: 'M',
    provider: 'openai-compatible',
    model_id: 'm',
    endpoint: provider,
  })
  const agent = await post(`${parley.url}/api/agents`, { name: 'A', model_id: model.data.id })
  const newConversation = async () =>
    (await post(`${parley.url}/api/conversations`, { agent_id: agent.data.id })).data.id
  return { ...parley, name: 'Parley', newConversation }
}

/** Turns with a model that answers at once, beside a bare proxy and the least that keeps a history. */
export async function chat(): Promise<void> {
  const provider = await startProvider()
  let made = 0
  const anything = async () => `c${made++}`
  const targets: Target[] = [
    { ...(await startProxy(provider.url)), name: '(a) proxy', newConversation: anything },
    { ...(await startMinimal(provider.url)), name: '(b) minimal', newConversation: anything },
    await parleyTarget(provider.url),
  ]
  const rows: string[][] = []
  for (const stream of [false, true]) {
    for (const concurrency of [1, 16, 64]) {
      const figures: Figures[] = []
      for (const target of targets) figures.push(await load(target, concurrency, stream))
      const minimal = figures[1] as Figures
      for (const [index, figure] of figures.entries()) {
        rows.push([
          `${stream ? 'streamed' : 'whole'}, ${concurrency}`,
          targets[index]?.name ?? '',
          figure.rate.toFixed(0),
          (figure.rate / minimal.rate).toFixed(2),
          `${figure.p50.toFixed(1)} / ${figure.p99.toFixed(1)}`,
          figure.firstByte.toFixed(1),
          figure.cpu.toFixed(2),
        ])
      }
    }
  }
  const head = ['turns, concurrency', '', 'turns/s', 'of (b)', 'p50 / p99 ms', 'first byte ms', 'CPU ms a turn']
  printTable('Chat turns of 50 deltas', head, rows)
  process.stdout.write(
    `\nMemory after the load: Parley ${memoryOf(targets[2] as Target).toFixed(0)} MB, (b) ${memoryOf(targets[1] as Target).toFixed(0)} MB\n`,
  )
  await longConversation(targets)
  for (const target of targets) await target.stop()
  await provider.stop()
}

/** Whether the five hundredth turn of a conversation is as quick as the first. */
async function longConversation(targets: Target[]): Promise<void> {
  const rows: string[][] = []
  for (const target of targets.slice(1)) {
    const times: number[] = []
    const conversation = await target.newConversation()
    for (let n = 0; n < 500; n++) times.push((await turn(target, conversation, false))[0])
    const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
    const [early, late] = [median(times.slice(5, 25)), median(times.slice(-20))]
    rows.push([target.name, early.toFixed(2), late.toFixed(2), (late / early).toFixed(2)])
  }
  printTable('One long conversation, ms a turn', ['', 'turns 5-25', 'turns 480-500', 'ratio'], rows)
}

/** Many streams at the pace of speech: how evenly the words come, and what a stream costs. */
export async function liveStreams(): Promise<void> {
  const count = Number(process.env.BENCH_STREAMS ?? 1000)
  const provider = await startProvider({ DELAY: '50' })
  const parley = await parleyTarget(provider.url)
  await Promise.all(Array.from({ length: 50 }, async () => turn(parley, await parley.newConversation(), true)))
  const conversations: string[] = []
  for (let n = 0; n < count; n++) conversations.push(await parley.newConversation())
  const memory = memoryOf(parley)
  const before = cpuSeconds(parley)
  const gaps: number[] = []
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(parley))
  }, 100)
  const started = performance.now()
  await Promise.all(
    conversations.map(async (conversation, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index / count) * 1000))
      const reply = await request(`${parley.url}/api/conversations/${conversation}/messages`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ message: 'Speak', stream: true }),
        dispatcher: streams,
      })
      let last = 0
      for await (const _ of reply.body) {
        const now = performance.now()
        if (last > 0) gaps.push(now - last)
        last = now
      }
    }),
  )
  const elapsed = (performance.now() - started) / 1000
  clearInterval(watching)
  const cpu = cpuSeconds(parley) - before
  gaps.sort((a, b) => a - b)
  printTable(
    `${count} live streams at 20 deltas a second`,
    ['gap p50 ms', 'gap p99 ms', 'cores used', 'CPU µs a delta', 'KiB a stream'],
    [
      [
        (gaps[Math.floor(gaps.length / 2)] ?? 0).toFixed(0),
        (gaps[Math.floor(gaps.length * 0.99)] ?? 0).toFixed(0),
        (cpu / elapsed).toFixed(2),
        ((cpu / (count * 50)) * 1e6).toFixed(0),
        (((most - memory) * 1024) / count).toFixed(0),
      ],
    ],
  )
  await parley.stop()
  await provider.stop()
}

const streams = new Agent({ connections: 2000 })

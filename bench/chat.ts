import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { cpuSeconds, type Running, startMinimal, startParley, startProvider, startProxy, token } from './processes.ts'
import { printTable } from './table.ts'

const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const turnsPerConversation = 20
const conversationsAhead = 400
const dispatcher = new Agent({ connections: 256 })
export const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

export interface Target extends Running {
  name: string
  newConversation(): Promise<string>
}

interface Figures {
  turns: number
  rate: number
  p50: number
  p99: number
  firstDelta: number
  cpu: number
}

async function post(url: string, body: object): Promise<{ data: { id: string } }> {
  const reply = await request(url, { method: 'POST', headers, body: JSON.stringify(body), dispatcher })
  if (reply.statusCode >= 300) throw new Error(`${url} answered ${reply.statusCode}: ${await reply.body.text()}`)
  return (await reply.body.json()) as { data: { id: string } }
}

/** One turn. Returns the milliseconds to its last byte and to its first delta (of a whole reply: to its first byte). */
export async function turn(target: Target, conversation: string, stream: boolean): Promise<[number, number]> {
  const started = performance.now()
  const reply = await request(`${target.url}/api/conversations/${conversation}/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ message: 'What is there to say?', stream }),
    dispatcher,
  })
  if (reply.statusCode !== 200)
    throw new Error(`${target.name} answered ${reply.statusCode}: ${await reply.body.text()}`)
  let first = 0
  for await (const chunk of reply.body) if (!stream || chunk.includes('delta')) first ||= performance.now() - started
  return [performance.now() - started, first]
}

const after = (wait: number) => {
  const until = performance.now() + wait * 1000
  return () => performance.now() > until
}

/** Turns, one after the other in each of so many conversations, for as long as it says, with or without a pause between. */
export async function load(
  target: Target,
  concurrency: number,
  stream: boolean,
  { isOver, pause = 0, begins }: { isOver?: () => boolean; pause?: number; begins?: () => Promise<void> } = {},
): Promise<Figures> {
  // Made beforehand: it is the turns that are compared, and (b) knows no conversations.
  const ready: string[] = []
  const make = async () => ready.push(await target.newConversation())
  while (ready.length < conversationsAhead) await Promise.all(Array.from({ length: 16 }, make))
  await begins?.()
  const started = performance.now()
  const isEnough = isOver ?? after(seconds)
  const times: number[] = []
  const firsts: number[] = []
  const before = cpuSeconds(target)
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      let conversation = ''
      for (let n = 0; !isEnough(); n++) {
        if (n % turnsPerConversation === 0) conversation = ready.pop() ?? (await target.newConversation())
        const [whole, first] = await turn(target, conversation, stream)
        times.push(whole)
        firsts.push(first)
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }),
  )
  const at = (values: number[], part: number) => values.sort((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
  return {
    turns: times.length,
    rate: (times.length / (performance.now() - started)) * 1000,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    firstDelta: at(firsts, 0.5),
    cpu: ((cpuSeconds(target) - before) / times.length) * 1000,
  }
}

export const memoryOf = ({ process: child }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export const parleyTarget = async (provider: string): Promise<Target> => chatTarget(await startParley(), provider)

/** A service with an agent to talk to. */
export async function chatTarget(parley: Running, provider: string): Promise<Target> {
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

/** Turns beside a bare proxy (a) and the least that keeps a history (b). */
export async function chat(): Promise<void> {
  await pacedTurns()
  await fastTurns()
}

/** A model as people know them: 100 ms to the first token, then one every 10 ms, in 16 conversations. */
async function pacedTurns(): Promise<void> {
  const provider = await startProvider({ FIRST_DELAY: '100', DELAY: '10' })
  let made = 0
  const minimal = {
    ...(await startMinimal(provider.url)),
    name: '(b) minimal',
    newConversation: async () => `c${made++}`,
  }
  const targets: Target[] = [minimal, await parleyTarget(provider.url)]
  const rows: string[][] = []
  for (const target of targets) await load(target, 16, true)
  for (const stream of [false, true]) {
    for (const target of targets) {
      const { p50, p99, firstDelta, cpu } = await load(target, 16, stream)
      const cells = [firstDelta, p50, p99, cpu].map((figure) => figure.toFixed(1))
      rows.push([stream ? 'streamed' : 'whole', target.name, ...cells])
    }
  }
  const head = ['turns', '', 'first delta ms', 'p50 ms', 'p99 ms', 'CPU ms a turn']
  printTable('Chat turns with a paced model, 16 conversations', head, rows)
  for (const target of targets) await target.stop()
  await provider.stop()
}

/** A model that answers at once, so that only the service takes time. */
async function fastTurns(): Promise<void> {
  const provider = await startProvider()
  let made = 0
  const anything = async () => `c${made++}`
  const targets: Target[] = [
    { ...(await startProxy(provider.url)), name: '(a) proxy', newConversation: anything },
    { ...(await startMinimal(provider.url)), name: '(b) minimal', newConversation: anything },
    await parleyTarget(provider.url),
  ]
  const rows: string[][] = []
  // Until everything is compiled: what has more code takes longer to get warm, and servers run for days.
  for (const concurrency of [16, 1])
    for (const stream of [false, true]) for (const target of targets) await load(target, concurrency, stream)
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
          figure.firstDelta.toFixed(1),
          figure.cpu.toFixed(2),
        ])
      }
    }
  }
  const head = ['turns, concurrency', '', 'turns/s', 'of (b)', 'p50 / p99 ms', 'first delta ms', 'CPU ms a turn']
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

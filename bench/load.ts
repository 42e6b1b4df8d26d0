import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { quantile } from './bench.ts'
import { cpuSeconds, type Running, startMinimal, startParley, token } from './processes.ts'

const turnsPerConversation = 20
const conversationsAhead = 200
const dispatcher = new Agent({ connections: 256 })
export const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

/** A server with conversations. */
export interface Target extends Running {
  name: string
  newConversation(): Promise<string>
}

export interface Turns {
  count: number
  rate: number
  p50: number
  p99: number
  /** Milliseconds, p50. */
  firstDelta: number
  /** Milliseconds of processor time a turn. */
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

export interface Load {
  conversations: number
  stream: boolean
  /** When it ends. */
  seconds: number | (() => boolean)
  /** Milliseconds between two turns. */
  pause?: number
  begins?: () => Promise<void>
}

/** Turns, one after the other in each of so many conversations. */
export async function load(
  target: Target,
  { conversations, stream, seconds, pause = 0, begins }: Load,
): Promise<Turns> {
  // Made beforehand: only the turns are compared, and the minimal server knows no conversations.
  const ready: string[] = []
  const make = async () => ready.push(await target.newConversation())
  while (ready.length < conversationsAhead) await Promise.all(Array.from({ length: 16 }, make))
  await begins?.()
  const started = performance.now()
  const isOver = typeof seconds === 'number' ? () => performance.now() > started + seconds * 1000 : seconds
  const times: number[] = []
  const firsts: number[] = []
  const before = cpuSeconds(target)
  await Promise.all(
    Array.from({ length: conversations }, async () => {
      let conversation = ''
      for (let n = 0; !isOver(); n++) {
        if (n % turnsPerConversation === 0) conversation = ready.pop() ?? (await target.newConversation())
        const [whole, first] = await turn(target, conversation, stream)
        times.push(whole)
        firsts.push(first)
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }),
  )
  return {
    count: times.length,
    rate: (times.length / (performance.now() - started)) * 1000,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    firstDelta: quantile(firsts, 0.5),
    cpu: ((cpuSeconds(target) - before) / times.length) * 1000,
  }
}

/** Megabytes. */
export const readMemory = ({ process: child }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

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

/** This version, or that of another checkout. */
export const parleyTarget = async (provider: string, checkout?: string): Promise<Target> =>
  chatTarget(await startParley({}, checkout), provider)

export async function minimalTarget(provider: string): Promise<Target> {
  let made = 0
  return { ...(await startMinimal(provider)), name: 'minimal server', newConversation: async () => `c${made++}` }
}

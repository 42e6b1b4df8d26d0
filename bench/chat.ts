import { chatAims as aims } from './aims.ts'
import type { Aim, Bench, Figure } from './bench.ts'
import { quantile } from './bench.ts'
import { type Load, load, minimalTarget, parleyTarget, readMemory, type Target, type Turns, turn } from './load.ts'
import { startProvider } from './processes.ts'

export const chat: Bench = {
  about:
    'turns of 50 deltas with everything on (authentication, limits, ledger, durable writes, resumable events), beside a minimal server: Fastify, undici and SQLite, which reads the history, asks the model and writes two rows. With a fast model only the server takes time; a paced model is like a real one, with 100 ms to the first token and 10 ms to each further one, in 16 conversations.',

  measure: async ({ seconds, isFull, before }) => [
    ...(await pacedTurns(seconds, before)),
    ...(await fastTurns(seconds, isFull ? [1, 64] : [1, 16, 64], before)),
  ],
}

const kinds = ['whole', 'streamed'] as const
/** Each load is measured so many times, in turn, because the machine is not always equally busy. */
const rounds = 2

interface Targets {
  parley: Target
  minimal: Target
  /** The version to compare with. */
  before?: Target
}

async function withTargets<T>(
  pace: Record<string, string>,
  before: string | undefined,
  work: (targets: Targets) => Promise<T>,
): Promise<T> {
  const provider = await startProvider(pace)
  const targets: Targets = {
    parley: await parleyTarget(provider.url),
    minimal: await minimalTarget(provider.url),
    ...(before && { before: await parleyTarget(provider.url, before) }),
  }
  try {
    return await work(targets)
  } finally {
    for (const target of Object.values(targets)) await target.stop()
    await provider.stop()
  }
}

type Measured = Record<keyof Targets, Turns | undefined>

async function loadAll(
  targets: Targets,
  { seconds, ...work }: Omit<Load, 'seconds'> & { seconds: number },
): Promise<Measured> {
  const measured = new Map<string, Turns[]>()
  const order = Object.entries(targets) as [keyof Targets, Target][]
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of round % 2 === 0 ? order : order.toReversed())
      measured.set(name, [...(measured.get(name) ?? []), await load(target, { ...work, seconds: seconds / rounds })])
  const [parley, minimal, before] = (['parley', 'minimal', 'before'] as const).map((name) => mean(measured.get(name)))
  return { parley, minimal, before }
}

function mean(all: Turns[] | undefined): Turns | undefined {
  if (!all) return undefined
  const parts = Object.keys(all[0] ?? {}) as (keyof Turns)[]
  const average = (part: keyof Turns) => all.reduce((sum, turns) => sum + turns[part], 0) / all.length
  return Object.fromEntries(parts.map((part) => [part, average(part)])) as unknown as Turns
}

const figure = (name: string, unit: string, part: keyof Turns, measured: Measured, aim?: Aim): Figure => ({
  name,
  value: measured.parley?.[part] ?? 0,
  unit,
  reference: { name: 'minimal server', value: measured.minimal?.[part] ?? 0 },
  ...(measured.before && { before: measured.before[part] }),
  ...(aim && { aim }),
})

const pacedTurns = (seconds: number, before: string | undefined): Promise<Figure[]> =>
  withTargets({ FIRST_DELAY: '100', DELAY: '10' }, before, async (targets) => {
    const figures: Figure[] = []
    for (const target of Object.values(targets)) await load(target, { conversations: 16, stream: true, seconds })
    for (const kind of kinds) {
      const stream = kind === 'streamed'
      const measured = await loadAll(targets, { conversations: 16, stream, seconds })
      const name = `paced model, ${kind}`
      if (stream) figures.push(figure(`${name}, first delta p50`, 'ms', 'firstDelta', measured, aims.firstDelta))
      figures.push(
        figure(`${name}, p50`, 'ms', 'p50', measured),
        figure(`${name}, p99`, 'ms', 'p99', measured),
        figure(`${name}, processor time of a turn`, 'ms', 'cpu', measured),
      )
    }
    return figures
  })

const fastTurns = (seconds: number, sizes: number[], before: string | undefined): Promise<Figure[]> =>
  withTargets({}, before, async (targets) => {
    const figures: Figure[] = []
    // Warms up until everything is compiled, because servers run for days.
    for (const conversations of [16, 1])
      for (const stream of [false, true])
        for (const target of Object.values(targets)) await load(target, { conversations, stream, seconds })
    for (const kind of kinds)
      for (const conversations of sizes) {
        const measured = await loadAll(targets, { conversations, stream: kind === 'streamed', seconds })
        const name = `fast model, ${kind}, ${conversations} at once`
        figures.push(
          figure(name, 'turns/s', 'rate', measured, aims.rate[conversations]),
          figure(`${name}, p50`, 'ms', 'p50', measured),
          figure(`${name}, p99`, 'ms', 'p99', measured),
          figure(`${name}, processor time of a turn`, 'ms', 'cpu', measured),
        )
      }
    const { parley, minimal, before: other } = targets
    figures.push({
      name: 'memory after the load',
      value: readMemory(parley),
      unit: 'MB',
      reference: { name: 'minimal server', value: readMemory(minimal) },
      ...(other && { before: readMemory(other) }),
      aim: aims.memory,
    })
    return [...figures, await longConversation(parley)]
  })

/** Whether the five hundredth turn of a conversation is as quick as the first ones. */
async function longConversation(target: Target): Promise<Figure> {
  const times: number[] = []
  const conversation = await target.newConversation()
  for (let n = 0; n < 500; n++) times.push((await turn(target, conversation, false))[0])
  return {
    name: 'turns 480 to 500 of a conversation',
    value: quantile(times.slice(-20), 0.5),
    unit: 'ms',
    reference: { name: 'turns 5 to 25', value: quantile(times.slice(5, 25), 0.5) },
    aim: aims.longConversation,
  }
}

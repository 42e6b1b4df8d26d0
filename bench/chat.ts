import type { Aim, Bench, Figure } from './bench.ts'
import { quantile } from './bench.ts'
import { load, memoryOf, minimalTarget, parleyTarget, type Target, type Turns, turn } from './load.ts'
import { startProvider } from './processes.ts'

export const chat: Bench = {
  about:
    'turns of 50 deltas with everything on (authentication, limits, ledger, durable writes, resumable events), beside a minimal server: Fastify, undici and SQLite, which reads the history, asks the model and writes two rows. With a fast model only the server takes time; a paced model is like a real one, with 100 ms to the first token and 10 ms to each further one, in 16 conversations.',

  measure: async ({ seconds, isFull }) => [
    ...(await pacedTurns(seconds)),
    ...(await fastTurns(seconds, isFull ? [1, 64] : [1, 16, 64])),
  ],
}

const kinds = ['whole', 'streamed'] as const

async function withTargets<T>(pace: Record<string, string>, work: (targets: [Target, Target]) => Promise<T>) {
  const provider = await startProvider(pace)
  const targets: [Target, Target] = [await parleyTarget(provider.url), await minimalTarget(provider.url)]
  const result = await work(targets)
  for (const target of targets) await target.stop()
  await provider.stop()
  return result
}

const besideMinimal = (name: string, unit: string, part: keyof Turns, turns: [Turns, Turns], aim?: Aim): Figure => ({
  name,
  value: turns[0][part],
  unit,
  reference: { name: 'minimal server', value: turns[1][part] },
  ...(aim && { aim }),
})

const pacedTurns = (seconds: number): Promise<Figure[]> =>
  withTargets({ FIRST_DELAY: '100', DELAY: '10' }, async (targets) => {
    const figures: Figure[] = []
    for (const target of targets) await load(target, { conversations: 16, stream: true, seconds })
    for (const kind of kinds) {
      const stream = kind === 'streamed'
      const turns: Turns[] = []
      for (const target of targets) turns.push(await load(target, { conversations: 16, stream, seconds }))
      const both = turns as [Turns, Turns]
      const name = `paced model, ${kind}`
      if (stream)
        figures.push(besideMinimal(`${name}, first delta p50`, 'ms', 'firstDelta', both, { of: 'difference', max: 3 }))
      figures.push(
        besideMinimal(`${name}, p50`, 'ms', 'p50', both),
        besideMinimal(`${name}, p99`, 'ms', 'p99', both),
        besideMinimal(`${name}, processor time of a turn`, 'ms', 'cpu', both),
      )
    }
    return figures
  })

const aims: Record<number, Aim> = { 1: { of: 'ratio', min: 0.4 }, 64: { of: 'ratio', min: 0.7 } }

const fastTurns = (seconds: number, sizes: number[]): Promise<Figure[]> =>
  withTargets({}, async (targets) => {
    const figures: Figure[] = []
    // Warms up until everything is compiled, because servers run for days.
    for (const conversations of [16, 1])
      for (const stream of [false, true])
        for (const target of targets) await load(target, { conversations, stream, seconds })
    for (const kind of kinds)
      for (const conversations of sizes) {
        const turns: Turns[] = []
        for (const target of targets)
          turns.push(await load(target, { conversations, stream: kind === 'streamed', seconds }))
        const both = turns as [Turns, Turns]
        const name = `fast model, ${kind}, ${conversations} at once`
        figures.push(
          besideMinimal(name, 'turns/s', 'rate', both, aims[conversations]),
          besideMinimal(`${name}, p50`, 'ms', 'p50', both),
          besideMinimal(`${name}, p99`, 'ms', 'p99', both),
          besideMinimal(`${name}, processor time of a turn`, 'ms', 'cpu', both),
        )
      }
    const [parley, minimal] = targets
    figures.push({
      name: 'memory after the load',
      value: memoryOf(parley),
      unit: 'MB',
      reference: { name: 'minimal server', value: memoryOf(minimal) },
      aim: { max: 250 },
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
    aim: { of: 'ratio', max: 1.5 },
  }
}

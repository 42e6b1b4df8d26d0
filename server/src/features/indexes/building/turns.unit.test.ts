import { expect, it } from 'vitest'
import { minute } from '../../../kernel/time.ts'
import { EmbeddingTurns } from './turns.ts'

const now = 100 * minute
const long = { usedAt: 0, pending: 9000 }
const short = { usedAt: 0, pending: 3 }
const searched = { usedAt: now - minute, pending: 5000 }
const never = new AbortController().signal

/** Two batches that run until they are released, and those that wait behind them. */
function busyLane() {
  const turns = new EmbeddingTurns(() => now)
  const order: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const running = [1, 2].map(() => turns.run('model', long, never, () => released))
  const waiting = (name: string, urgency: typeof long, signal = never) =>
    turns.run('model', urgency, signal, async () => void order.push(name))
  return { turns, order, release, running, waiting }
}

it('first embeds what somebody searches, then the index with the least to do', async () => {
  const { order, release, running, waiting } = busyLane()
  const all = [waiting('long', long), waiting('short', short), waiting('searched', searched)]
  release()
  await Promise.all([...running, ...all])
  expect(order).toEqual(['searched', 'short', 'long'])
})

it('gives one turn in four to the one that has waited longest', async () => {
  const { order, release, running, waiting } = busyLane()
  const all = [waiting('long', long), ...Array.from({ length: 8 }, (_, at) => waiting(`short ${at}`, short))]
  release()
  await Promise.all([...running, ...all])
  expect(order.indexOf('long')).toBe(3)
})

it('lets other models run, and forgets who is stopped', async () => {
  const { turns, order, release, running, waiting } = busyLane()
  await turns.run('other model', long, never, async () => void order.push('other'))
  const stop = new AbortController()
  const stopped = waiting('stopped', short, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  const last = waiting('last', long)
  release()
  await Promise.all([...running, last])
  expect(order).toEqual(['other', 'last'])
})

import { setTimeout as delay } from 'node:timers/promises'
import type { Pair } from '../src/reranker/reranker-module.ts'

export const name = 'sample-reranker'

/** How many pairs each batch had. */
const batches: number[] = []

/** A passage is worth what it says ("worth 7"). The query says how the module should behave. */
export async function score(pairs: readonly Pair[]): Promise<number[]> {
  const asks = (word: string) => pairs.some(({ query }) => query.includes(word))
  batches.push(new Set(pairs.map(({ query }) => query)).size)
  if (asks('throw')) throw new Error('The model is broken.')
  if (asks('hang') || (asks('only once') && batches.length > 1)) await new Promise(() => {})
  if (asks('slowly')) await delay(40 * pairs.length)
  if (asks('few')) return [1]
  if (asks('batches')) return pairs.map(() => Math.max(...batches))
  return pairs.map(({ query, passage }) =>
    query.includes('nonsense') ? Number.NaN : Number(/worth (-?\d+)/.exec(passage)?.[1] ?? 0),
  )
}

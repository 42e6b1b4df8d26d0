import { minute } from '../../../kernel/time.ts'

/** Determines which index is embedded next. */
export interface Urgency {
  /** When the index was last searched. */
  usedAt: number
  /** How many of its passages are not embedded yet. */
  pending: number
}

interface Waiting extends PromiseWithResolvers<void> {
  urgency: Urgency
}

interface Lane {
  running: number
  turns: number
  /** Sorted by waiting time, longest first. */
  waiting: Waiting[]
}

/** Two, so that the model works while the result of the other is stored. */
const maxAtOnce = 2
/** An index that was searched within this time comes first. */
const recent = 5 * minute
/** One in this many turns goes to the index that has waited longest, so that a large one does not starve. */
const fairTurnInterval = 4

/**
 * Batches of different indexes that share an embedding model take turns: first the indexes that somebody searches, then those
 * with the fewest pending passages.
 */
export class EmbeddingTurns {
  readonly #lanes = new Map<string, Lane>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Runs `work` when it is its turn. */
  async run<T>(model: string, urgency: Urgency, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(model) ?? { running: 0, turns: 0, waiting: [] }
    this.#lanes.set(model, lane)
    if (lane.running < maxAtOnce) lane.running++
    else await wait(lane, urgency, signal)
    try {
      return await work()
    } finally {
      const next = this.#next(lane)
      if (next) next.resolve()
      else if (--lane.running === 0) this.#lanes.delete(model)
    }
  }

  #next(lane: Lane): Waiting | undefined {
    if (++lane.turns % fairTurnInterval === 0) return lane.waiting.shift()
    const since = this.#now() - recent
    const [next] = lane.waiting.toSorted(
      ({ urgency: one }, { urgency: other }) =>
        Number(other.usedAt > since) - Number(one.usedAt > since) || one.pending - other.pending,
    )
    if (next) lane.waiting.splice(lane.waiting.indexOf(next), 1)
    return next
  }
}

async function wait({ waiting }: Lane, urgency: Urgency, signal: AbortSignal): Promise<void> {
  const entry: Waiting = { urgency, ...Promise.withResolvers<void>() }
  const onAbort = () => {
    const index = waiting.indexOf(entry)
    if (index === -1) return // its turn has started
    waiting.splice(index, 1)
    entry.reject(signal.reason)
  }
  signal.throwIfAborted()
  waiting.push(entry)
  signal.addEventListener('abort', onAbort)
  await entry.promise.finally(() => signal.removeEventListener('abort', onAbort))
}

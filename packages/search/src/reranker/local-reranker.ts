import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { createThread, FairQueue } from '@parley/threads'
import type { Pair } from './reranker-module.ts'
import type { RerankerMethods, RerankerWorkerData } from './worker.ts'

/** How long a batch should take. Short ones let searches that arrive meanwhile take part in the next. */
const batchMs = 25
const maxBatch = 32
/** Until the first batch was measured. */
const firstBatch = 4
/** A module that does not answer for this long is stopped and loaded again. */
const defaultStuckMs = 30_000
/** How long closing waits for the batch that runs. */
const closeMs = 2000

export interface Reranking {
  /** In the order of the passages. Only the first ones if the time was up. */
  scores: number[]
  /** Why passages have no score, if it was not the time. */
  error: Error | null
}

export interface RerankOptions {
  budgetMs: number
  /** For whom, e.g. a workspace. Searches that wait take turns between keys. */
  key?: string
  signal?: AbortSignal
}

export interface LocalReranker {
  /** Resolves once the module is loaded and responds. A module that cannot be loaded is not tried again. */
  load(): Promise<void>
  /** The name of its model; `local` if it has none or is not loaded yet. */
  name(): string
  /** Scores passages, best first, for as long as the budget lasts. It never rejects. */
  rerank(query: string, passages: readonly string[], options: RerankOptions): Promise<Reranking>
  close(): Promise<void>
}

/** A search that waits for its scores. */
interface Search {
  key: string
  query: string
  passages: readonly string[]
  /** How many passages were sent to the thread. */
  sent: number
  scores: number[]
  isOver: boolean
  finish(error?: Error | null): void
}

interface Sent extends Pair {
  search: Search
}

/**
 * Scores pairs of a query and a passage with the module of an operator, in a thread. Pairs of several searches share batches,
 * whose size follows the speed of the model.
 */
export function createLocalReranker(path: string, { stuckMs = defaultStuckMs } = {}): LocalReranker {
  const thread = createThread<RerankerMethods>(new URL('./worker.ts', import.meta.url), {
    name: 'reranking',
    workerData: { module: pathToFileURL(path).href } satisfies RerankerWorkerData,
    exclusive: true,
  })
  const waiting = new FairQueue<Search>()
  let msPerPair: number | null = null
  let running: Promise<void> | null = null
  let modelName: string | null = null
  let isLoaded = false
  let loadError: unknown

  const load = async (): Promise<void> => {
    if (loadError !== undefined) throw loadError
    try {
      modelName = await thread.call('load', [])
      isLoaded = true
    } catch (error) {
      if (!isLoaded) loadError = error
      throw error
    }
  }

  const batchSize = (): number =>
    msPerPair === null ? firstBatch : Math.min(maxBatch, Math.max(1, Math.round(batchMs / msPerPair)))

  /** One pair of each search in turn, best passages first. */
  function nextBatch(): Sent[] {
    const batch: Sent[] = []
    const size = batchSize()
    while (batch.length < size) {
      const search = waiting.shift()
      if (!search) break
      const passage = search.passages[search.sent]
      if (search.isOver || passage === undefined) continue
      search.sent++
      batch.push({ search, query: search.query, passage })
      if (search.sent < search.passages.length) waiting.push(search.key, search)
    }
    return batch
  }

  async function work(): Promise<void> {
    try {
      await load() // so that the time of a batch is that of its scores
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await score(batch)
    } catch (error) {
      for (const search of waiting.clear()) search.finish(error as Error)
    } finally {
      running = null
    }
  }

  async function score(batch: Sent[]): Promise<void> {
    const started = performance.now()
    const pairs = batch.map(({ query, passage }) => ({ query, passage }))
    try {
      const scores = await thread.call('score', [pairs], { timeoutMs: stuckMs })
      const measured = (performance.now() - started) / batch.length
      // Slower at once, faster by and by: a batch that is too large costs a search all of its time.
      msPerPair = Math.max(measured, 0.7 * (msPerPair ?? 0) + 0.3 * measured)
      for (const [at, { search }] of batch.entries()) search.scores.push(scores[at] as number)
      for (const { search } of batch) if (search.scores.length === search.passages.length) search.finish()
    } catch (error) {
      for (const { search } of batch) search.finish(error as Error)
    }
  }

  return {
    load,
    name: () => modelName ?? 'local',
    rerank: (query, passages, { budgetMs, key = '', signal }) =>
      new Promise((resolve) => {
        const search: Search = {
          key,
          query,
          passages,
          sent: 0,
          scores: [],
          isOver: false,
          finish(error = null) {
            if (search.isOver) return
            search.isOver = true
            clearTimeout(timer)
            signal?.removeEventListener('abort', onAbort)
            resolve({ scores: [...search.scores], error })
          },
        }
        const onAbort = () => search.finish()
        const timer = setTimeout(() => search.finish(), budgetMs)
        if (signal?.aborted || passages.length === 0) return search.finish()
        signal?.addEventListener('abort', onAbort)
        waiting.push(key, search)
        running ??= work()
      }),
    async close() {
      for (const search of waiting.clear()) search.finish()
      await Promise.race([running, delay(closeMs, undefined, { ref: false })])
      await (running ? thread.stop() : thread.close())
    },
  }
}

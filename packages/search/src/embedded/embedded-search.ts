import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createThread } from '@parley/threads'
import type { Hit, IndexName, SearchIndex, SearchRequest } from '../search-index.ts'
import type { EngineSettings } from './engine.ts'
import type { SearchMethods } from './worker.ts'

export interface EmbeddedSearchOptions {
  /** The folder of the file `search.db`. */
  dataDir: string
  /** The memory of all loaded indexes. Default: a quarter of the machine's, at most 2 GB. */
  maxBytes?: number
  /** Unloads an index after this long without a search. Default: 15 minutes. */
  idleMs?: number
}

/** The memory of the machine, or the limit of the container. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
const defaultMaxBytes = Math.floor(Math.min(2 * 1024 ** 3, memory / 4))
const defaultIdleMs = 15 * 60_000

/** Opens the embedded engine in a thread, so that searches do not block the caller. */
export function openEmbeddedSearch({
  dataDir,
  maxBytes = defaultMaxBytes,
  idleMs = defaultIdleMs,
}: EmbeddedSearchOptions): SearchIndex {
  const settings: EngineSettings = { file: join(dataDir, 'search.db'), maxBytes, idleMs }
  const thread = createThread<SearchMethods>(new URL('./worker.ts', import.meta.url), {
    name: 'search',
    workerData: settings,
  })
  /** Searches that wait for the vector of their query. */
  const waiting = new Set<number>()
  let lastSearchId = 0
  let isClosed = false

  /** If nothing was ever indexed, the thread need not start. */
  const isInUse = (): boolean => isClosed || thread.isRunning() || existsSync(settings.file)

  function provideVector(searchId: number, vector: Float32Array | null): void {
    if (waiting.delete(searchId)) thread.call('provideVector', [searchId, vector]).catch(() => {}) // the search fails too
  }

  /** A promise cannot be sent to the thread: the search starts without the vector, which follows. */
  async function searchWithLateVector(
    index: IndexName,
    request: SearchRequest,
    model: string,
    vector: Promise<Float32Array>,
  ): Promise<Hit[]> {
    const searchId = ++lastSearchId
    waiting.add(searchId)
    vector.then(
      (value) => provideVector(searchId, value),
      () => provideVector(searchId, null),
    )
    try {
      return await thread.call('searchWithLateVector', [searchId, index, request, model])
    } finally {
      waiting.delete(searchId)
    }
  }

  return {
    update: (...args) => thread.call('update', args),
    setVectors: (...args) => thread.call('setVectors', args),
    pendingChunks: (...args) => thread.call('pendingChunks', args),
    search(index, { embedding, ...request }) {
      if (!embedding) return thread.call('search', [index, request])
      const { model, vector } = embedding
      return vector instanceof Promise
        ? searchWithLateVector(index, request, model, vector)
        : thread.call('search', [index, { ...request, embedding: { model, vector } }])
    },
    documentChunks: (...args) => thread.call('documentChunks', args),
    documentPage: (...args) => thread.call('documentPage', args),
    describe: async (...args) => (isInUse() ? thread.call('describe', args) : undefined),
    listIndexes: async () => (isInUse() ? thread.call('listIndexes', []) : []),
    load: (...args) => thread.call('load', args),
    drop: (...args) => thread.call('drop', args),
    dropWorkspace: (...args) => thread.call('dropWorkspace', args),
    async close() {
      isClosed = true
      // Running searches finish without the vectors that they wait for.
      for (const searchId of waiting) provideVector(searchId, null)
      await thread.close()
    },
  }
}

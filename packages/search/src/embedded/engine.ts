import { staticModel } from '@parley/embedding'
import { analysisVersion, type QueryWord } from '../analysis/analyse.ts'
import { embedStatic, prepareAll } from '../preparation.ts'
import type { Ranked } from '../ranking/candidate.ts'
import { wordMatcher } from '../ranking/matched-words.ts'
import { distinct, order, select, widened } from '../ranking/rank.ts'
import { type Hit, type IndexName, type SearchIndex, type SearchRequest, textToEmbed } from '../search-index.ts'
import { checkVectors, encodeVector } from '../vectors.ts'
import { yieldToEventLoop } from '../yielding.ts'
import { compareVectors, type PassageCandidate, type QueryVectors, retrieveCandidates } from './candidates.ts'
import type { MemoryChange } from './chunk-writer.ts'
import { LoadedIndexes, type LoadLimits } from './loaded-indexes.ts'
import { Locks } from './locks.ts'
import type { MemoryIndex } from './memory-index.ts'
import { type IndexRow, openSearchStore } from './store.ts'

export interface EngineSettings extends LoadLimits {
  file: string
}

/** The candidates of a search, and the index in memory that they refer to. */
interface Retrieved {
  memory: MemoryIndex
  words: QueryWord[]
  candidates: PassageCandidate[]
}

/** An index that is being loaded: first its words, then all of it. */
interface Loading {
  words: Promise<MemoryIndex>
  whole: Promise<MemoryIndex>
}

/** How many rows of a dropped index are deleted at a time. */
const rowsPerDelete = 500

const retrieve = (request: SearchRequest, memory: MemoryIndex, vectors: QueryVectors): Retrieved => ({
  memory,
  ...retrieveCandidates(memory, request, vectors),
})

/** The index as SQLite rows, and in memory for searching. Long work yields to searches. */
export function openEngine({ file, ...limits }: EngineSettings): SearchIndex {
  const store = openSearchStore(file)
  const loaded = new LoadedIndexes(store, limits)
  const loading = new Map<number, Loading>()
  const locks = new Locks()
  let isClosed = false
  let deleting: Promise<void> | undefined

  /** Changes of one index, and its loading, run one after the other. */
  const locked = <T>({ workspace, key }: IndexName, work: () => Promise<T>): Promise<T> =>
    locks.run(JSON.stringify([workspace, key]), work)

  const inMemory = (name: IndexName, row: IndexRow): Promise<MemoryIndex> | MemoryIndex =>
    loaded.get(row.id) ?? load(name, row).whole

  function load(name: IndexName, row: IndexRow): Loading {
    const running = loading.get(row.id)
    if (running) return running
    const { promise: words, resolve, reject } = Promise.withResolvers<MemoryIndex>()
    const whole = locked(name, () => loaded.load(row, resolve)).finally(() => loading.delete(row.id))
    words.catch(() => {}) // not every search waits for both
    whole.then(resolve, reject)
    if (row.analysis !== analysisVersion) whole.then(() => renew(name, row)).catch(() => {}) // the next load tries again
    loading.set(row.id, { words, whole })
    return { words, whole }
  }

  function changeInMemory(name: IndexName, row: IndexRow, { removed, added }: MemoryChange): void {
    const memory = loaded.peek(row.id)
    if (!memory) return
    for (const [chunkId, terms] of removed) memory.remove(chunkId, terms)
    for (const [{ chunk, vector: staticVector, ...text }, vector] of added) {
      memory.add({ ...chunk, ...text, chunkId: chunk.id })
      memory.setVectors(chunk.id, { staticVector, vector })
    }
    loaded.resized(row.id)
    if (memory.shouldCompact) compact(name, row)
  }

  /** Loads the index again, without the passages that were removed. */
  function compact(name: IndexName, row: IndexRow): void {
    locked(name, async () => {
      if (loaded.peek(row.id)?.shouldCompact) await loaded.load(row)
    }).catch(() => loaded.unload(row.id))
  }

  /** Applies the current rules of analysis to an index. It serves as it is meanwhile. */
  const renew = (name: IndexName, row: IndexRow): Promise<void> =>
    locked(name, async () => {
      if (isClosed || store.find(name)?.id !== row.id) return
      await loaded.analyseAgain(row, () => isClosed)
      await loaded.load(row)
    })

  async function reuseVectors(name: IndexName, row: IndexRow, model: string, limit: number): Promise<void> {
    for (let isFull = true; isFull; ) {
      await locked(name, async () => {
        const reused = await store.reuseVectors(row.id, name.workspace, model, limit)
        const memory = loaded.peek(row.id)
        for (const [chunkId, vector] of reused) memory?.setVector(chunkId, vector)
        isFull = reused.size === limit
      })
    }
  }

  async function search(name: IndexName, request: SearchRequest): Promise<Hit[]> {
    const row = store.find(name)
    if (!row) return []
    const { query, mode = 'hybrid', embedding } = request
    const withWords = loaded.get(row.id) ?? (await load(name, row).words)
    if (!loaded.get(row.id) && mode !== 'vector' && request.rerank !== 'mmr') {
      const found = finish(row, request, retrieve(request, withWords, {}), {})
      if (mode === 'keyword') return found
      if (found.length > 0) return found.map((hit) => ({ ...hit, wordsOnly: true as const }))
    }
    const vectors: QueryVectors = mode === 'keyword' ? {} : { static: embedStatic(query) }
    const memory = await inMemory(name, row)
    if (!embedding || embedding.model !== row.model || mode === 'keyword') {
      return finish(row, request, retrieve(request, memory, vectors), vectors)
    }
    // The static model imitates this one, so its candidates serve both and need not wait for the vector.
    const canStart = embedding.model === staticModel.imitates && mode === 'hybrid'
    const early = canStart ? retrieve(request, memory, vectors) : undefined
    const vector = await Promise.resolve(embedding.vector).catch(() => undefined)
    if (vector?.length === row.dimensions) vectors.embedding = vector
    const current = await inMemory(name, row) // it may have been compacted meanwhile
    const retrieved = early?.memory === current ? early : retrieve(request, current, vectors)
    return finish(row, request, retrieved, vectors)
  }

  function finish(row: IndexRow, request: SearchRequest, retrieved: Retrieved, vectors: QueryVectors): Hit[] {
    const { memory, words, candidates } = retrieved
    const ordered = order(request, compareVectors(memory, candidates, vectors))
    const toChunkId = ({ candidate }: Ranked<PassageCandidate>) => memory.chunkId(candidate.passage)
    const pick = (from: typeof ordered) =>
      select(request, from, (one, other) => memory.similarity(one.passage, other.passage))
    let picked = pick(ordered)
    let stored = store.chunks.byId(row.id, picked.map(toChunkId))
    const readText = (ranked: (typeof ordered)[number]) =>
      stored.get(toChunkId(ranked))?.chunk.text ?? toChunkId(ranked)
    if (distinct(picked, readText).length < picked.length) {
      stored = store.chunks.byId(row.id, ordered.map(toChunkId))
      picked = pick(distinct(ordered, readText))
      const wider = widened(request, candidates.length, picked.length)
      if (wider) return finish(row, wider, retrieve(wider, memory, vectors), vectors)
    }
    const match = request.explain ? wordMatcher(words) : undefined
    return picked.flatMap((ranked) => {
      const { score, parts } = ranked
      const found = stored.get(toChunkId(ranked))
      if (!found) return []
      const { chunk, language } = found
      return [{ chunk, score, parts, ...(match && { matched: match(chunk, language) }) }]
    })
  }

  function deleteDropped(): Promise<void> {
    deleting ??= (async () => {
      let hasDeleted = false
      for (; !isClosed && (await store.deleteDropped(rowsPerDelete)); hasDeleted = true) await yieldToEventLoop()
      if (hasDeleted) await store.checkpoint()
    })().finally(() => {
      deleting = undefined
    })
    return deleting
  }

  async function drop(name: IndexName): Promise<void> {
    await locked(name, async () => {
      const row = store.find(name)
      if (!row) return
      await store.markDropped(row.id)
      loaded.unload(row.id)
    })
    await deleteDropped()
  }

  deleteDropped().catch(() => {}) // the next drop tries again

  return {
    update: (name, { add = [], remove = {}, model }) =>
      locked(name, async () => {
        const row = await store.findOrCreate(name, analysisVersion)
        const prepared = await prepareAll(
          [...new Map(add.map((chunk) => [chunk.id, chunk])).values()],
          store.chunks.languageCounts(row.id),
        )
        const change = {
          add: prepared,
          chunks: remove.chunks ?? [],
          documents: remove.documents ?? [],
          reuse: model === undefined ? undefined : { workspace: name.workspace, model },
        }
        try {
          const removed = await store.change(row.id, change, (applied) => changeInMemory(name, row, applied))
          if (change.documents.length > 0) await store.checkpoint()
          return { added: prepared.length, removed }
        } catch (error) {
          loaded.unload(row.id) // it may contain changes that were rolled back
          throw error
        }
      }),

    setVectors: (name, model, vectors) =>
      locked(name, async () => {
        const row = store.find(name)
        if (!row || vectors.length === 0) return { stored: 0 }
        const dimensions = checkVectors(row, model, vectors)
        const encoded = vectors.map(({ chunkId, vector }) => ({ chunkId, encoded: encodeVector(vector) }))
        const stored = await store.setVectors(row.id, model, dimensions, encoded)
        const memory = loaded.peek(row.id)
        for (const { chunkId, encoded: vector } of encoded) if (stored.has(chunkId)) memory?.setVector(chunkId, vector)
        loaded.resized(row.id)
        return { stored: stored.size }
      }),

    async pendingChunks(name, limit, model) {
      const row = store.find(name)
      if (!row) return []
      if (model !== undefined) await reuseVectors(name, row, model, limit)
      return store.pending(row.id, limit).map((chunk) => ({ chunkId: chunk.chunkId, text: textToEmbed(chunk) }))
    },

    search,

    async documentChunks(name, documentId) {
      const row = store.find(name)
      return row ? store.chunks.byDocument(row.id, documentId) : []
    },

    async documentPage(name, documentId, page) {
      const row = store.find(name)
      return row ? store.chunks.documentPage(row.id, documentId, page) : { chunks: [], total: 0 }
    },

    listIndexes: async () => store.listIndexes(),

    async describe(name) {
      const row = store.find(name)
      return row && store.describe(row)
    },

    async load(name) {
      const row = store.find(name)
      if (row) await inMemory(name, row)
    },

    drop,

    async dropWorkspace(workspace) {
      await Promise.all(store.listKeys(workspace).map((key) => drop({ workspace, key })))
    },

    async close() {
      isClosed = true
      await locks.idle()
      await deleting
      loaded.close()
      store.close()
    },
  }
}

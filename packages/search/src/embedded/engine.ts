import { staticModel } from '@parley/embedding'
import { analyseQuery, analysisVersion, type QueryWord } from '../analysis/analyse.ts'
import { embedStatic, prepareAll } from '../preparation.ts'
import { wordMatcher } from '../ranking/matched-words.ts'
import { rank } from '../ranking/rank.ts'
import { type Hit, type IndexName, type SearchIndex, type SearchRequest, textToEmbed } from '../search-index.ts'
import { checkVectors, encodeVector } from '../vectors.ts'
import { yieldToEventLoop } from '../yielding.ts'
import { compareVectors, type PassageCandidate, type QueryVectors, retrieveCandidates } from './candidates.ts'
import type { MemoryChange } from './chunk-writer.ts'
import { LoadedIndexes } from './loaded-indexes.ts'
import { Locks } from './locks.ts'
import type { MemoryIndex } from './memory-index.ts'
import { type IndexRow, openSearchStore } from './store.ts'

export interface EngineSettings {
  file: string
  /** The memory of all loaded indexes. The least recently searched ones are unloaded. */
  maxBytes: number
  /** Unloads an index after this long without a search. */
  idleMs: number
}

/** The candidates of a search, and the index in memory that they refer to. */
interface Retrieved {
  memory: MemoryIndex
  words: QueryWord[]
  candidates: PassageCandidate[]
}

/** How many rows of a dropped index are deleted at a time. */
const rowsPerDelete = 500

/** The index as SQLite rows, and in memory for searching. Long work yields to searches. */
export function openEngine({ file, ...limits }: EngineSettings): SearchIndex {
  const store = openSearchStore(file)
  const loaded = new LoadedIndexes(store, limits)
  const loading = new Map<number, Promise<MemoryIndex>>()
  const locks = new Locks()
  let isClosed = false
  let deleting: Promise<void> | undefined

  /** Changes of one index, and its loading, run one after the other. */
  const locked = <T>({ workspace, key }: IndexName, work: () => Promise<T>): Promise<T> =>
    locks.run(JSON.stringify([workspace, key]), work)

  function inMemory(name: IndexName, row: IndexRow): Promise<MemoryIndex> | MemoryIndex {
    const ready = loaded.get(row.id) ?? loading.get(row.id)
    if (ready) return ready
    const started = locked(name, () => loaded.load(row)).finally(() => loading.delete(row.id))
    loading.set(row.id, started)
    return started
  }

  function changeInMemory(name: IndexName, row: IndexRow, { removed, added }: MemoryChange): void {
    const memory = loaded.peek(row.id)
    if (!memory) return
    for (const [chunkId, terms] of removed) memory.remove(chunkId, terms)
    for (const [{ chunk, vector: staticVector, ...text }, vector] of added) {
      memory.add({ ...chunk, ...text, chunkId: chunk.id, staticVector, vector })
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
    const retrieve = (memory: MemoryIndex, vectors: QueryVectors): Retrieved => {
      const words = analyseQuery(query, memory.languages)
      return { memory, words, candidates: retrieveCandidates(memory, request, words, vectors) }
    }
    const vectors: QueryVectors = mode === 'keyword' ? {} : { static: embedStatic(query) }
    const memory = await inMemory(name, row)
    if (!embedding || embedding.model !== row.model || mode === 'keyword') {
      return finish(row, request, retrieve(memory, vectors), vectors)
    }
    // The static model imitates this one, so its candidates serve both and need not wait for the vector.
    const canStart = embedding.model === staticModel.imitates && mode === 'hybrid'
    const early = canStart ? retrieve(memory, vectors) : undefined
    const vector = await Promise.resolve(embedding.vector).catch(() => undefined)
    if (vector?.length === row.dimensions) vectors.embedding = vector
    const current = await inMemory(name, row) // it may have been compacted meanwhile
    return finish(row, request, early?.memory === current ? early : retrieve(current, vectors), vectors)
  }

  function finish(row: IndexRow, request: SearchRequest, retrieved: Retrieved, vectors: QueryVectors): Hit[] {
    const { memory, words, candidates } = retrieved
    const compared = compareVectors(memory, candidates, vectors)
    const ranked = rank(request, compared, (one, other) => memory.similarity(one.passage, other.passage))
    const ids = ranked.map(({ candidate }) => memory.chunkId(candidate.passage))
    const stored = store.chunks.byId(row.id, ids)
    const match = request.explain ? wordMatcher(words) : undefined
    return ranked.flatMap(({ score, parts }, at) => {
      const found = stored.get(ids[at] as string)
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
          loaded.unload(row.id) // it may contain what was rolled back
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
      await Promise.all(store.keysOf(workspace).map((key) => drop({ workspace, key })))
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

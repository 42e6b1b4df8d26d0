import { staticModel } from '@parley/embedding'
import { analysisVersion } from './analyse.ts'
import { unknownLanguage } from './languages.ts'
import { Locks } from './locks.ts'
import { type WordMatcher, wordMatcher } from './matched.ts'
import type { MemoryIndex } from './memory-index.ts'
import { nextTurn, paced, rowsAtOnce } from './pace.ts'
import { analyse, prepare, quickModel } from './preparation.ts'
import { type Picked, type Proposal, propose, type QueryVectors, settle } from './rank.ts'
import { Residents } from './residents.ts'
import { type FineVector, type Hit, headedText, type IndexName, type NewChunk, type SearchIndex } from './search.ts'
import { type IndexRow, openSearchStore, type Prepared, type Swap } from './store.ts'
import { encodeVector } from './vector-set.ts'

export interface EngineSettings {
  file: string
  /** Bytes that loaded indexes may take together; the least recently used make room. */
  memory: number
  /** Milliseconds after which an index that nobody searches is unloaded. */
  idle: number
}

/** The embedded engine. It lives in a thread of its own and gives way to searches while it does longer work. */
export function openEngine({ file, memory: mostMemory, idle }: EngineSettings): SearchIndex {
  const store = openSearchStore(file)
  const residents = new Residents(store, mostMemory)
  const loading = new Map<number, Promise<MemoryIndex>>()
  const locks = new Locks()
  let isClosed = false
  let sweeping: Promise<void> | undefined

  const find = ({ workspace, key }: IndexName) => store.find(workspace, key)

  /** Changes of one index wait for each other, and for its loading. */
  const locked = <T>({ workspace, key }: IndexName, work: () => Promise<T>): Promise<T> =>
    locks.run(JSON.stringify([workspace, key]), work)

  function inMemory(name: IndexName, index: IndexRow): Promise<MemoryIndex> | MemoryIndex {
    const ready = residents.use(index.id) ?? loading.get(index.id)
    if (ready) return ready
    const started = locked(name, () => residents.load(index)).finally(() => loading.delete(index.id))
    loading.set(index.id, started)
    return started
  }

  async function prepareAll(index: IndexRow, chunks: readonly NewChunk[]): Promise<Prepared[]> {
    let language = store.lastLanguage(index.id) ?? unknownLanguage
    const prepared: Prepared[] = []
    await paced(chunks, (chunk) => {
      const made = { ...(chunk.prepared ?? prepare(chunk, language)) }
      // Whoever prepared it elsewhere did not know the passage before.
      if (made.language === unknownLanguage && language !== unknownLanguage)
        Object.assign(made, analyse(chunk, language))
      language = made.language
      prepared.push({ chunk, ...made })
    })
    return prepared
  }

  function swapInMemory(name: IndexName, index: IndexRow, { removed, added }: Swap): void {
    const memory = residents.get(index.id)
    if (!memory) return
    for (const [chunkId, terms] of removed) memory.remove(chunkId, terms)
    for (const [{ chunk, ...terms }, fine] of added) memory.add({ ...chunk, ...terms, chunkId: chunk.id, fine })
    residents.makeRoom(index.id)
    if (memory.shouldCompact) compact(name, index)
  }

  function compact(name: IndexName, index: IndexRow): void {
    locked(name, async () => {
      if (residents.get(index.id)?.shouldCompact) await residents.load(index)
    }).catch(() => residents.unload(index.id))
  }

  /** Goes on as long as whole helpings are given away. */
  async function borrow(name: IndexName, index: IndexRow, fineModel: string, most: number): Promise<void> {
    for (let full = true; full; ) {
      await locked(name, async () => {
        const borrowed = await store.borrow(index.id, name.workspace, fineModel, most)
        const memory = residents.get(index.id)
        for (const [chunkId, vector] of borrowed) memory?.setFine(chunkId, vector)
        full = borrowed.size === most
      })
    }
  }

  function read(index: IndexRow, picked: Picked[], matched: WordMatcher | undefined): Hit[] {
    const stored = store.read(
      index.id,
      picked.map(({ chunkId }) => chunkId),
    )
    const hits: Hit[] = []
    for (const { chunkId, score, parts } of picked) {
      const found = stored.get(chunkId)
      if (!found) continue
      const { chunk, language } = found
      const hit: Hit = { chunk, score, parts }
      if (matched) hit.matched = matched([chunk.headings.join('\n'), chunk.text], language)
      hits.push(hit)
    }
    return hits
  }

  /** Deletes the rows of dropped indexes bit by bit. */
  function sweep(): Promise<void> {
    sweeping ??= (async () => {
      let swept = false
      for (; !isClosed && (await store.sweep(rowsAtOnce)); swept = true) await nextTurn()
      if (swept) await store.tidy()
    })().finally(() => {
      sweeping = undefined
    })
    return sweeping
  }

  async function drop(name: IndexName): Promise<void> {
    await locked(name, async () => {
      const row = find(name)
      if (!row) return
      await store.forget(row.id)
      residents.unload(row.id)
    })
    await sweep()
  }

  const idleTimer = setInterval(() => residents.unloadIdle(idle), Math.max(1000, idle / 4)).unref()
  sweep().catch(() => {}) // what is left over is tried again with the next drop

  return {
    update: (name, { add = [], remove = {}, model: fineModel }) =>
      locked(name, async () => {
        const row = await store.ensure(name.workspace, name.key, analysisVersion)
        const prepared = await prepareAll(row, [...new Map(add.map((chunk) => [chunk.id, chunk])).values()])
        const change = {
          add: prepared,
          chunks: remove.chunks ?? [],
          documents: remove.documents ?? [],
          fine: fineModel === undefined ? undefined : { workspace: name.workspace, model: fineModel },
        }
        try {
          const removed = await store.change(row.id, change, (swap) => swapInMemory(name, row, swap))
          if (change.documents.length > 0) await store.tidy()
          return { added: prepared.length, removed }
        } catch (error) {
          residents.unload(row.id) // it may know what is not stored
          throw error
        }
      }),

    setFineVectors: (name, fineModel, vectors) =>
      locked(name, async () => {
        const row = find(name)
        if (!row || vectors.length === 0) return { stored: 0 }
        const dimensions = checkVectors(row, fineModel, vectors)
        const encoded = vectors.map(({ chunkId, vector }) => ({ chunkId, encoded: encodeVector(vector) }))
        const stored = await store.setFine(row.id, fineModel, dimensions, encoded)
        const memory = residents.get(row.id)
        for (const { chunkId, encoded: vector } of encoded) if (stored.has(chunkId)) memory?.setFine(chunkId, vector)
        residents.makeRoom(row.id)
        return { stored: stored.size }
      }),

    async unrefined(name, most, fineModel) {
      const row = find(name)
      if (!row) return []
      if (fineModel !== undefined) await borrow(name, row, fineModel, most)
      return store.unrefined(row.id, most).map((chunk) => ({ chunkId: chunk.chunkId, text: headedText(chunk) }))
    },

    async search(name, request): Promise<Hit[]> {
      const row = find(name)
      if (!row) return []
      const found = (memory: MemoryIndex, proposal: Proposal, vectors: Partial<QueryVectors>): Hit[] => {
        const { query, explained } = request
        const matched = explained ? wordMatcher(query, proposal.words, memory.languages) : undefined
        return read(row, settle(memory, request, proposal, needed(memory, vectors)), matched)
      }
      const memory = await inMemory(name, row)
      const { fine, mode = 'hybrid' } = request
      const vectors = mode === 'keyword' ? {} : { static: quickModel().embed(request.query) }
      if (!fine || fine.model !== row.fineModel || mode === 'keyword') {
        return found(memory, propose(memory, request, vectors), vectors)
      }
      // The static model finds what the one that it imitates would find, and need not wait for it.
      const isImitated = fine.model === staticModel.imitates && mode === 'hybrid'
      const early = isImitated ? propose(memory, request, vectors) : undefined
      const vector = await Promise.resolve(fine.vector).catch(() => undefined)
      const all = { ...vectors, fine: vector?.length === row.fineDimensions ? vector : undefined }
      const current = await inMemory(name, row)
      const proposal = early && current === memory ? early : propose(current, request, needed(current, all))
      return found(current, proposal, all)
    },

    async ofDocument(name, documentId) {
      const row = find(name)
      return row ? store.ofDocument(row.id, documentId) : []
    },

    async pageOf(name, documentId, page) {
      const row = find(name)
      return row ? store.pageOf(row.id, documentId, page) : { chunks: [], total: 0 }
    },

    names: async () => store.names(),

    async describe(name) {
      const row = find(name)
      return row && store.describe(row)
    },

    async load(name) {
      const row = find(name)
      if (row) await inMemory(name, row)
    },

    drop,

    async dropWorkspace(workspace) {
      await Promise.all(store.keysOf(workspace).map((key) => drop({ workspace, key })))
    },

    async close() {
      isClosed = true
      clearInterval(idleTimer)
      await locks.idle()
      await sweeping
      store.close()
    },
  }
}

/** Once every passage has a fine vector, the static ones are of no more use. */
function needed(memory: MemoryIndex, vectors: Partial<QueryVectors>): Partial<QueryVectors> {
  return vectors.fine && memory.fine?.count === memory.size ? { fine: vectors.fine } : vectors
}

/** The number of dimensions that the vectors share with those that are there. */
function checkVectors(row: IndexRow, model: string, vectors: readonly FineVector[]): number {
  const dimensions = row.fineDimensions ?? vectors[0]?.vector.length ?? 0
  if (row.fineModel && row.fineModel !== model) {
    throw new Error(`This index has vectors of ${row.fineModel}; those of ${model} need an index of their own.`)
  }
  const odd = vectors.find(({ vector }) => vector.length !== dimensions || vector.length === 0)
  if (odd) {
    throw new Error(
      `The vector for chunk ${odd.chunkId} has ${odd.vector.length} dimensions; this index's have ${dimensions}.`,
    )
  }
  return dimensions
}

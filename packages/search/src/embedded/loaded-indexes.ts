import { staticModel } from '@parley/embedding'
import { LRUCache } from 'lru-cache'
import { type AnalysedText, analysisVersion } from '../analysis/analyse.ts'
import type { LanguageCounts } from '../analysis/languages.ts'
import { analyse, inLanguages } from '../preparation.ts'
import { forEachYielding } from '../yielding.ts'
import { MemoryIndex } from './memory-index.ts'
import type { IndexRow, SearchStore } from './store.ts'

/** How many rows are read at a time. */
const pageSize = 500

export interface LoadLimits {
  /** The memory of all loaded indexes. The least recently searched ones are unloaded. */
  maxBytes: number
  /** Unloads an index after this long without a search. */
  idleMs: number
  /** From so many passages on, words can be searched before the vectors are loaded. */
  wordsFirst?: number
}

/** The indexes in memory. The least recently searched ones are unloaded when they take too much memory. */
export class LoadedIndexes {
  readonly #store: SearchStore
  readonly #maxBytes: number
  readonly #wordsFirst: number
  readonly #indexes: LRUCache<number, MemoryIndex>
  readonly #purgeTimer: NodeJS.Timeout

  constructor(store: SearchStore, { maxBytes, idleMs, wordsFirst = 5000 }: LoadLimits) {
    this.#store = store
    this.#wordsFirst = wordsFirst
    this.#maxBytes = maxBytes
    this.#indexes = new LRUCache({ maxSize: maxBytes, ttl: idleMs, updateAgeOnGet: true })
    this.#purgeTimer = setInterval(() => this.#indexes.purgeStale(), Math.max(1000, idleMs / 4)).unref()
  }

  /** Also marks the index as used. */
  get(index: number): MemoryIndex | undefined {
    return this.#indexes.get(index)
  }

  /** For changes: an index that is only written is unloaded when idle. */
  peek(index: number): MemoryIndex | undefined {
    return this.#indexes.peek(index)
  }

  /**
   * Reads an index from its rows. The one in memory serves until the new one is complete. `onWords` gets a large one as soon
   * as its words can be searched: its vectors take longer.
   */
  async load(row: IndexRow, onWords: (memory: MemoryIndex) => void = () => {}): Promise<MemoryIndex> {
    const memory = new MemoryIndex(staticModel.dimensions)
    await eachPage(
      (after) => this.#store.chunks.entries(row.id, after, pageSize),
      (page) => forEachYielding(page, ({ entry }) => memory.add(entry)),
    )
    if (memory.size >= this.#wordsFirst) onWords(memory)
    await eachPage(
      (after) => this.#store.chunks.vectors(row.id, after, pageSize),
      (page) => forEachYielding(page, ({ chunkId, ...vectors }) => memory.setVectors(chunkId, vectors)),
    )
    this.#put(row.id, memory)
    return memory
  }

  /** Unloads others if the index has grown too large. */
  resized(index: number): void {
    const memory = this.#indexes.peek(index)
    if (memory) this.#put(index, memory)
  }

  unload(index: number): void {
    this.#indexes.delete(index)
  }

  close(): void {
    clearInterval(this.#purgeTimer)
    this.#indexes.clear()
  }

  /** An index that is larger than the limit is kept alone: reading it for every search would be worse. */
  #put(index: number, memory: MemoryIndex): void {
    const size = Math.max(1, Math.min(memory.bytes, this.#maxBytes))
    this.#indexes.set(index, memory, { size, noUpdateTTL: true })
  }

  /** Computes the words of an index again if older rules made them. Until it is loaded again, searches find the old ones. */
  async analyseAgain(row: IndexRow, isClosed: () => boolean): Promise<void> {
    const counts: LanguageCounts = []
    await eachPage(
      (after) => this.#store.chunks.texts(row.id, after, pageSize),
      async (page) => {
        if (isClosed()) throw new Error('The search is closed.')
        const own: AnalysedText[] = []
        await forEachYielding(page, (passage) => void own.push(analyse(passage)))
        const analysed = await inLanguages(page, own, counts)
        await this.#store.setTerms(analysed.map((text, at) => ({ id: page[at]?.id ?? 0, ...text })))
      },
    )
    await this.#store.setAnalysis(row.id, analysisVersion)
  }
}

async function eachPage<T extends { id: number }>(
  read: (after: number) => T[],
  work: (page: T[]) => Promise<void>,
): Promise<void> {
  let after = 0
  for (;;) {
    const page = read(after)
    await work(page)
    if (page.length < pageSize) return
    after = page.at(-1)?.id ?? after
  }
}

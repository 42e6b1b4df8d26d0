import { staticModel } from '@parley/embedding'
import { analysisVersion } from './analyse.ts'
import { Heap } from './heap.ts'
import { unknownLanguage } from './languages.ts'
import { MemoryIndex } from './memory-index.ts'
import { paced, rowsAtOnce } from './pace.ts'
import { analyse } from './preparation.ts'
import type { IndexRow, SearchStore } from './store.ts'

interface Resident {
  memory: MemoryIndex
  usedAt: number
}

/** The indexes that are in memory. The least recently used make room when they take too much. */
export class Residents {
  readonly #store: SearchStore
  readonly #mostBytes: number
  readonly #residents = new Map<number, Resident>()
  #heap = new Heap()

  constructor(store: SearchStore, mostBytes: number) {
    this.#store = store
    this.#mostBytes = mostBytes
  }

  get(index: number): MemoryIndex | undefined {
    return this.#residents.get(index)?.memory
  }

  /** As `get`, and tells that it is in use. */
  use(index: number): MemoryIndex | undefined {
    const resident = this.#residents.get(index)
    if (!resident) return undefined
    resident.usedAt = Date.now()
    this.#residents.delete(index)
    this.#residents.set(index, resident) // the least recently used is the first
    return resident.memory
  }

  /** Reads an index from its rows. One that is there already serves until the new one is complete. */
  async load(index: IndexRow): Promise<MemoryIndex> {
    if (index.analysis !== analysisVersion) await this.#analyseAgain(index)
    const memory = new MemoryIndex(this.#heap, staticModel.dimensions)
    try {
      await eachPage(
        (after) => this.#store.entries(index.id, after, rowsAtOnce),
        (page) => paced(page, ({ entry }) => memory.add(entry)),
      )
    } catch (error) {
      memory.release()
      throw error
    }
    this.unload(index.id)
    this.#residents.set(index.id, { memory, usedAt: Date.now() })
    this.makeRoom(index.id)
    return memory
  }

  unload(index: number): void {
    this.get(index)?.release()
    this.#residents.delete(index)
    // WebAssembly memory never shrinks, so with the last index it goes as a whole.
    if (this.#residents.size === 0 && this.#heap.used === 0) this.#heap = new Heap()
  }

  unloadIdle(longest: number): void {
    for (const [index, { usedAt }] of this.#residents) if (Date.now() - usedAt > longest) this.unload(index)
  }

  makeRoom(except: number): void {
    let sum = 0
    for (const { memory } of this.#residents.values()) sum += memory.bytes
    for (const [index, { memory }] of this.#residents) {
      if (sum <= this.#mostBytes) return
      if (index === except) continue
      sum -= memory.bytes
      this.unload(index)
    }
  }

  async #analyseAgain(index: IndexRow): Promise<void> {
    let language = unknownLanguage
    await eachPage(
      (after) => this.#store.texts(index.id, after, rowsAtOnce),
      async (page) => {
        const analysed: Parameters<SearchStore['setTerms']>[0] = []
        await paced(page, ({ id, ...chunk }) => {
          const terms = analyse(chunk, language)
          language = terms.language
          analysed.push({ id, ...terms })
        })
        await this.#store.setTerms(analysed)
      },
    )
    await this.#store.nameAnalysis(index.id, analysisVersion)
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
    if (page.length < rowsAtOnce) return
    after = page.at(-1)?.id ?? after
  }
}

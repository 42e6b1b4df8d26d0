import type { QueryWord } from './analyse.ts'
import type { Best } from './best.ts'
import { type Bitmap, bitmapFor, clearBit, hasBit, setBit } from './bitmap.ts'
import { Columns, type Filterable } from './columns.ts'
import { grown } from './grown.ts'
import type { Heap } from './heap.ts'
import { languages } from './languages.ts'
import { mostPassages, Postings } from './postings.ts'
import { Scores } from './scores.ts'
import type { Filters } from './search.ts'
import { staticCoding, VectorSet } from './vector-set.ts'

/** A chunk as the index keeps it in memory. */
export interface Entry extends Filterable {
  chunkId: string
  language: number
  length: number
  terms: Uint32Array
  counts: Uint8Array
  vector: Uint8Array
  fine: Uint8Array | null
}

/** Removed passages are carried along until there are this many, and this share of all. */
const fewestToCompact = 2000
const shareToCompact = 0.3

/** Everything needed to search one index, in typed arrays: a passage is known by its number. */
export class MemoryIndex {
  readonly #heap: Heap
  readonly #postings: Postings
  readonly #columns = new Columns()
  readonly #languageCounts = new Uint32Array(languages.length)
  readonly #numbers = new Map<string, number>()
  #chunkIds: string[] = []
  #languageOf = new Uint8Array(256)
  #live: Bitmap = bitmapFor(256)
  readonly #scores: Scores
  readonly static: VectorSet
  #fine: VectorSet | undefined
  #textBytes = 0

  constructor(heap: Heap, staticDimensions: number) {
    this.#heap = heap
    this.#postings = new Postings(heap)
    this.#scores = new Scores(heap)
    this.static = new VectorSet(heap, staticDimensions, staticCoding)
  }

  get fine(): VectorSet | undefined {
    return this.#fine
  }

  get size(): number {
    return this.#numbers.size
  }

  /** About how much memory it takes. */
  get bytes(): number {
    const vectors = this.static.bytes + (this.#fine?.bytes ?? 0)
    return this.#postings.bytes + this.#columns.bytes + vectors + this.#textBytes + this.#scores.bytes
  }

  get shouldCompact(): boolean {
    const removed = this.#chunkIds.length - this.size
    return removed >= fewestToCompact && removed > shareToCompact * this.#chunkIds.length
  }

  chunkId(passage: number): string {
    return this.#chunkIds[passage] as string
  }

  add(entry: Entry): void {
    const passage = this.#chunkIds.length
    if (passage >= mostPassages) throw new Error(`An index holds at most ${mostPassages} chunks; use several.`)
    this.#chunkIds.push(entry.chunkId)
    this.#numbers.set(entry.chunkId, passage)
    this.#textBytes += 100 + 2 * entry.chunkId.length
    this.#languageOf = grown(this.#languageOf, passage + 1)
    this.#languageOf[passage] = entry.language
    this.#countLanguage(entry.language, 1)
    this.#live = grown(this.#live, (passage >>> 5) + 1)
    setBit(this.#live, passage)
    this.#postings.add(passage, entry.length, entry.terms, entry.counts)
    this.#columns.add(passage, entry)
    this.static.set(passage, entry.vector)
    if (entry.fine) this.#setFine(passage, entry.fine)
  }

  /** `terms` are those it was added with. */
  remove(chunkId: string, terms: Uint32Array): void {
    const passage = this.#numbers.get(chunkId)
    if (passage === undefined) return
    this.#numbers.delete(chunkId)
    clearBit(this.#live, passage)
    this.#countLanguage(this.#languageOf[passage] as number, -1)
    this.#postings.remove(passage, terms)
    this.static.remove(passage)
    this.#fine?.remove(passage)
  }

  setFine(chunkId: string, encoded: Uint8Array): void {
    const passage = this.#numbers.get(chunkId)
    if (passage !== undefined) this.#setFine(passage, encoded)
  }

  has(passage: number): boolean {
    return hasBit(this.#live, passage)
  }

  /** The passages that are there and meet the filters. */
  allowed(filters: Filters | readonly Filters[] = []): Bitmap {
    const passages = this.#chunkIds.length
    const allowed = this.#live.slice(0, (passages + 31) >>> 5)
    for (const each of [filters].flat()) this.#columns.narrow(allowed, passages, each)
    return allowed
  }

  /** The best passages by their words. */
  byKeyword(query: readonly QueryWord[], allowed: Bitmap, most: number): Best {
    const scores = this.#scores.cleared(this.#chunkIds.length)
    this.#postings.score(query, scores)
    return this.#scores.best(allowed, most)
  }

  /** What the passages scored in the last search by keyword, times the scale. */
  keywordScores(passages: Uint32Array, scale: number): Float32Array {
    return this.#scores.of(passages, scale)
  }

  release(): void {
    this.#postings.release()
    this.#scores.release()
    this.static.release()
    this.#fine?.release()
  }

  #setFine(passage: number, encoded: Uint8Array): void {
    this.#fine ??= new VectorSet(this.#heap, encoded.length - 4)
    this.#fine.set(passage, encoded)
  }

  #countLanguage(language: number, change: number): void {
    this.#languageCounts[language] = (this.#languageCounts[language] as number) + change
  }

  /** Those that the passages are in. */
  get languages(): number[] {
    return [...this.#languageCounts.keys()].filter((language) => (this.#languageCounts[language] as number) > 0)
  }
}

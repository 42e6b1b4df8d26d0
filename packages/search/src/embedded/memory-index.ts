import type { QueryWord } from '../analysis/analyse.ts'
import { languages } from '../analysis/languages.ts'
import type { DocumentSelection, Filters } from '../search-index.ts'
import { type Bitmap, bitmapFor, clearBit, hasBit, positions, setBit } from './bitmap.ts'
import { Columns, type Filterable } from './columns.ts'
import { grow } from './grow.ts'
import { maxPassages, Postings } from './postings.ts'
import { staticScan, VectorSet } from './vector-set.ts'

/** A chunk as it is indexed, without its vectors. */
export interface Entry extends Filterable {
  chunkId: string
  language: number
  length: number
  terms: Uint32Array
  counts: Uint8Array
}

export interface Vectors {
  staticVector: Uint8Array
  /** By the embedding model. */
  vector: Uint8Array | null
}

/** An index is compacted when at least this many and this share of its passages were removed. */
const minRemoved = 2000
const minRemovedShare = 0.3

/** One index in memory. Passages are numbered in the order in which they were added. */
export class MemoryIndex {
  readonly #postings = new Postings()
  readonly #columns = new Columns()
  readonly #languageCounts = new Uint32Array(languages.length)
  readonly #passages = new Map<string, number>()
  readonly #chunkIds: string[] = []
  #languages = new Uint8Array(256)
  #live: Bitmap = bitmapFor(256)
  readonly staticVectors: VectorSet
  #embeddings: VectorSet | undefined
  #textBytes = 0

  constructor(staticDimensions: number) {
    this.staticVectors = new VectorSet(staticDimensions, staticScan)
  }

  /** The vectors of the embedding model. */
  get embeddings(): VectorSet | undefined {
    return this.#embeddings
  }

  get size(): number {
    return this.#passages.size
  }

  /** An estimate of its memory. */
  get bytes(): number {
    const vectors = this.staticVectors.bytes + (this.#embeddings?.bytes ?? 0)
    return this.#postings.bytes + this.#columns.bytes + vectors + this.#textBytes
  }

  get shouldCompact(): boolean {
    const removed = this.#chunkIds.length - this.size
    return removed >= minRemoved && removed > minRemovedShare * this.#chunkIds.length
  }

  /** The languages of all passages, or of those that are selected. */
  languages(selected?: Bitmap): number[] {
    const counts = selected ? this.#countLanguages(selected) : this.#languageCounts
    return [...counts.keys()].filter((language) => (counts[language] as number) > 0)
  }

  #countLanguages(selected: Bitmap): Uint32Array {
    const counts = new Uint32Array(languages.length)
    for (const passage of positions(selected)) {
      const language = this.#languages[passage] as number
      counts[language] = (counts[language] as number) + 1
    }
    return counts
  }

  chunkId(passage: number): string {
    return this.#chunkIds[passage] as string
  }

  has(passage: number): boolean {
    return hasBit(this.#live, passage)
  }

  add(entry: Entry): void {
    const passage = this.#chunkIds.length
    if (passage >= maxPassages) throw new Error(`An index holds at most ${maxPassages} chunks; use several.`)
    this.#chunkIds.push(entry.chunkId)
    this.#passages.set(entry.chunkId, passage)
    this.#textBytes += 100 + 2 * entry.chunkId.length
    this.#languages = grow(this.#languages, passage + 1)
    this.#languages[passage] = entry.language
    this.#countLanguage(entry.language, 1)
    this.#live = grow(this.#live, (passage >>> 5) + 1)
    setBit(this.#live, passage)
    this.#postings.add(passage, entry.length, entry.terms, entry.counts)
    this.#columns.add(passage, entry)
  }

  /** The vectors of a chunk that was added. Searches by vector, and for diverse passages, need those of all chunks. */
  setVectors(chunkId: string, { staticVector, vector }: Vectors): void {
    const passage = this.#passages.get(chunkId)
    if (passage === undefined) return
    this.staticVectors.set(passage, staticVector)
    if (vector) this.#setVector(passage, vector)
  }

  /** `terms` must be the terms it was added with. */
  remove(chunkId: string, terms: Uint32Array): void {
    const passage = this.#passages.get(chunkId)
    if (passage === undefined) return
    this.#passages.delete(chunkId)
    clearBit(this.#live, passage)
    this.#countLanguage(this.#languages[passage] as number, -1)
    this.#postings.remove(passage, terms)
    this.staticVectors.remove(passage)
    this.#embeddings?.remove(passage)
  }

  setVector(chunkId: string, encoded: Uint8Array): void {
    const passage = this.#passages.get(chunkId)
    if (passage !== undefined) this.#setVector(passage, encoded)
  }

  /** The passages of the selected documents. Undefined if there is no selection. */
  selected(documents: DocumentSelection | undefined): Bitmap | undefined {
    if (!documents) return undefined
    const selected = this.#livePassages()
    this.#columns.select(selected, this.#chunkIds.length, documents)
    return selected
  }

  /** The selected passages that match all filters. */
  allowed(filters: Filters | readonly Filters[] = [], selected?: Bitmap): Bitmap {
    const allowed = selected ? selected.slice() : this.#livePassages()
    for (const each of [filters].flat()) this.#columns.filter(allowed, this.#chunkIds.length, each)
    return allowed
  }

  #livePassages = (): Bitmap => this.#live.slice(0, (this.#chunkIds.length + 31) >>> 5)

  searchKeywords(query: readonly QueryWord[], allowed: Bitmap, limit: number, selected?: Bitmap): Uint32Array {
    return this.#postings.search(query, allowed, limit, selected)
  }

  /** How much of the last keyword search a passage covers, from 0 to 1. */
  coverage(passage: number): number {
    return this.#postings.coverage(passage)
  }

  /** Whether every passage has a vector of the embedding model. */
  get isEmbedded(): boolean {
    return this.#embeddings?.count === this.size
  }

  similarity(one: number, other: number): number {
    const embeddings = this.#embeddings
    return embeddings?.has(one) && embeddings.has(other)
      ? embeddings.similarity(one, other)
      : this.staticVectors.similarity(one, other)
  }

  #setVector(passage: number, encoded: Uint8Array): void {
    this.#embeddings ??= new VectorSet(encoded.length - 4)
    this.#embeddings.set(passage, encoded)
  }

  #countLanguage(language: number, change: number): void {
    this.#languageCounts[language] = (this.#languageCounts[language] as number) + change
  }
}

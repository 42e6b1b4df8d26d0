import type { QueryWord } from './analyse.ts'
import { grown } from './grown.ts'
import type { Heap } from './heap.ts'
import { HeapColumn } from './heap-column.ts'

const saturation = 1.2
const lengthShare = 0.75

const pageBits = 16
const pageSize = 1 << pageBits
const pageMask = pageSize - 1
/** How many postings the blocks of a term hold, from its first on; the last size goes on. Most terms are rare. */
const blockSizes = [1, 4, 16, 64, 256, 1024]
const largestBlock = blockSizes.length - 1

/** A posting is one number: the passage in the upper 24 bits, how often the term occurs in the lower 8. */
export const mostPassages = 1 << 24

/**
 * The inverted index in memory: for each term a chain of blocks with the passages that have it. Passages are only ever
 * appended; one that is removed stays in the chains and is masked when results are picked.
 */
export class Postings {
  readonly #heap: Heap
  #hashes = new Uint32Array(1024)
  #slots = new Uint32Array(1024)
  #terms = 0
  #first = new Uint32Array(512)
  #last = new Uint32Array(512)
  #step = new Uint8Array(512)
  #used = new Uint16Array(512)
  #frequency = new Uint32Array(512)
  /** Where in the heap they begin. */
  #pages: number[] = []
  #end = 0
  readonly #lengths: HeapColumn
  #live = 0
  #totalLength = 0

  constructor(heap: Heap) {
    this.#heap = heap
    this.#lengths = new HeapColumn(heap)
  }

  get bytes(): number {
    return this.#pages.length * pageSize * 4 + this.#hashes.length * 8 + this.#first.length * 15 + this.#lengths.bytes
  }

  add(passage: number, length: number, terms: Uint32Array, counts: Uint8Array): void {
    this.#lengths.setWord(passage, length)
    this.#live++
    this.#totalLength += length
    for (let at = 0; at < terms.length; at++) {
      this.#append(this.#slotFor(terms[at] as number), ((passage << 8) | (counts[at] as number)) >>> 0)
    }
  }

  /** Takes a passage out of the statistics. Its postings stay behind until the index is loaded anew. */
  remove(passage: number, terms: Uint32Array): void {
    this.#live--
    this.#totalLength -= this.#lengths.word(passage)
    for (const term of terms) {
      const slot = this.#find(term)
      if (slot >= 0) this.#frequency[slot] = (this.#frequency[slot] as number) - 1
    }
  }

  /** Adds each passage's BM25 score to the scores at an address in the heap, where every passage has a place. */
  score(query: readonly QueryWord[], scores: number): void {
    const base = saturation * (1 - lengthShare)
    const slope = (saturation * lengthShare * this.#live) / Math.max(1, this.#totalLength)
    for (const { terms, weight } of query) {
      const slots = terms.map((term) => this.#find(term)).filter((slot) => slot >= 0)
      // One word in several languages is as rare as all its stems together.
      const having = slots.reduce((sum, slot) => sum + (this.#frequency[slot] as number), 0)
      const rarity = Math.log(1 + Math.max(0, this.#live - having + 0.5) / (having + 0.5))
      for (const slot of slots) this.#scoreTerm(slot, weight * rarity * (saturation + 1), base, slope, scores)
    }
  }

  /** Frees the memory; they are not to be used any more. */
  release(): void {
    for (const page of this.#pages) this.#heap.release(page, pageSize * 4)
    this.#lengths.release()
    this.#pages = []
  }

  #scoreTerm(slot: number, weight: number, base: number, slope: number, scores: number): void {
    const { kernels, words } = this.#heap
    const last = this.#last[slot] as number
    let block = this.#first[slot] as number
    for (let step = 0; ; step = Math.min(step + 1, largestBlock)) {
      const address = this.#addressOf(block)
      const count = block === last ? (this.#used[slot] as number) : (blockSizes[step] as number)
      kernels.score(address + 4, count, weight, base, slope, this.#lengths.address, scores)
      if (block === last) return
      block = words[address >>> 2] as number
    }
  }

  #addressOf(place: number): number {
    return (this.#pages[place >>> pageBits] as number) + 4 * (place & pageMask)
  }

  #append(slot: number, posting: number): void {
    const step = this.#step[slot] as number
    let used = this.#used[slot] as number
    if (this.#frequency[slot] === 0 && used === 0) {
      this.#first[slot] = this.#last[slot] = this.#newBlock(0)
    } else if (used === blockSizes[step]) {
      const next = Math.min(step + 1, largestBlock)
      const block = this.#newBlock(next)
      const last = this.#last[slot] as number
      this.#heap.words[this.#addressOf(last) >>> 2] = block
      this.#last[slot] = block
      this.#step[slot] = next
      used = 0
    }
    this.#heap.words[(this.#addressOf(this.#last[slot] as number) >>> 2) + 1 + used] = posting
    this.#used[slot] = used + 1
    this.#frequency[slot] = (this.#frequency[slot] as number) + 1
  }

  /** A block lies within one page: one word for the next block's place, then its postings. */
  #newBlock(step: number): number {
    const size = 1 + (blockSizes[step] as number)
    if ((this.#end & pageMask) + size > pageSize || this.#end === this.#pages.length * pageSize) {
      this.#end = this.#pages.length * pageSize
      this.#pages.push(this.#heap.allocate(pageSize * 4))
    }
    const block = this.#end
    this.#end += size
    return block
  }

  #find(term: number): number {
    const mask = this.#hashes.length - 1
    for (let at = term & mask; ; at = (at + 1) & mask) {
      const slot = this.#slots[at] as number
      if (slot === 0) return -1
      if (this.#hashes[at] === term) return slot - 1
    }
  }

  #slotFor(term: number): number {
    const found = this.#find(term)
    if (found >= 0) return found
    if (2 * this.#terms >= this.#hashes.length) this.#spread()
    const slot = this.#terms++
    this.#place(term, slot)
    this.#first = grown(this.#first, this.#terms)
    this.#last = grown(this.#last, this.#terms)
    this.#step = grown(this.#step, this.#terms)
    this.#used = grown(this.#used, this.#terms)
    this.#frequency = grown(this.#frequency, this.#terms)
    return slot
  }

  #place(term: number, slot: number): void {
    const mask = this.#hashes.length - 1
    let at = term & mask
    while (this.#slots[at] !== 0) at = (at + 1) & mask
    this.#hashes[at] = term
    this.#slots[at] = slot + 1
  }

  #spread(): void {
    const hashes = this.#hashes
    const slots = this.#slots
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#slots = new Uint32Array(slots.length * 2)
    slots.forEach((slot, at) => {
      if (slot !== 0) this.#place(hashes[at] as number, slot - 1)
    })
  }
}

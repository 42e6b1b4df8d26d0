import type { QueryWord } from '../analysis/analyse.ts'
import { lengthShare, rarity, saturation } from '../ranking/bm25.ts'
import { type Bitmap, hasBit, positions } from './bitmap.ts'
import { grow } from './grow.ts'
import { TopPassages } from './top-passages.ts'

const pageBits = 16
const pageSize = 1 << pageBits
const pageMask = pageSize - 1
/** The sizes of a term's first, second, … block; the last one repeats. They start small because most terms are rare. */
const blockSizes = [1, 4, 16, 64, 256, 1024]
const lastSize = blockSizes.length - 1

/** A posting is one number: the passage in the upper 24 bits, the number of occurrences in the lower 8. */
export const maxPassages = 1 << 24

/** The totals over all passages that BM25 needs. */
interface Statistics {
  passages: number
  totalLength: number
  /** How many of them contain the term of a slot. */
  frequency(slot: number): number
}

/**
 * The inverted index. Each term has a chain of blocks of postings. Passages are only appended; the postings of removed
 * ones stay and are masked when results are picked.
 */
export class Postings {
  // An open-addressing hash table from terms to slots. A map would take several times the memory.
  #hashes = new Uint32Array(1024)
  #slots = new Uint32Array(1024)
  #terms = 0
  // By slot.
  #firstBlock = new Uint32Array(512)
  #lastBlock = new Uint32Array(512)
  #lastSize = new Uint8Array(512)
  #lastUsed = new Uint16Array(512)
  #frequency = new Uint32Array(512)
  readonly #pages: Uint32Array[] = []
  #end = 0
  // By passage.
  #lengths = new Uint32Array(256)
  #scores = new Float32Array(256)
  #maxScore = 0
  #passages = 0
  #live = 0
  #totalLength = 0

  get bytes(): number {
    const terms = this.#hashes.length * 8 + this.#frequency.length * 15
    return this.#pages.length * pageSize * 4 + terms + this.#lengths.length * 8
  }

  /** Passages are added in ascending order. */
  add(passage: number, length: number, terms: Uint32Array, counts: Uint8Array): void {
    this.#passages = passage + 1
    this.#lengths = grow(this.#lengths, this.#passages)
    this.#scores = grow(this.#scores, this.#passages)
    this.#lengths[passage] = length
    this.#live++
    this.#totalLength += length
    for (let at = 0; at < terms.length; at++) {
      this.#append(this.#slotFor(terms[at] as number), ((passage << 8) | (counts[at] as number)) >>> 0)
    }
  }

  /** Removes a passage from the statistics. Its postings stay until the index is loaded again. */
  remove(passage: number, terms: Uint32Array): void {
    this.#live--
    this.#totalLength -= this.#lengths[passage] as number
    for (const term of terms) {
      const slot = this.#find(term)
      if (slot >= 0) this.#frequency[slot] = (this.#frequency[slot] as number) - 1
    }
  }

  /**
   * The allowed passages with the highest BM25 scores, in no particular order. If passages are selected, scores are those of an
   * index that has only these.
   */
  search(query: readonly QueryWord[], allowed: Bitmap, limit: number, selected?: Bitmap): Uint32Array {
    this.#scores.fill(0, 0, this.#passages)
    const { passages, totalLength, frequency } = selected ? this.#countSelected(selected) : this.#statistics
    const base = saturation * (1 - lengthShare)
    const slope = (saturation * lengthShare * passages) / Math.max(1, totalLength)
    this.#maxScore = 0
    for (const { terms, weight } of query) {
      const slots = terms.map((term) => this.#find(term)).filter((slot) => slot >= 0)
      // A word that has several stems, one a language, is as frequent as all of them together.
      const sum = slots.reduce((total, slot) => total + frequency(slot), 0)
      const factor = weight * rarity(sum, passages) * (saturation + 1)
      this.#maxScore += factor
      for (const slot of slots) this.#scoreTerm(slot, factor, base, slope)
    }
    return this.#top(allowed, limit)
  }

  get #statistics(): Statistics {
    const frequency = (slot: number) => this.#frequency[slot] as number
    return { passages: this.#live, totalLength: this.#totalLength, frequency }
  }

  #countSelected(selected: Bitmap): Statistics {
    const passages = positions(selected)
    let totalLength = 0
    for (const passage of passages) totalLength += this.#lengths[passage] as number
    const frequency = (slot: number) => {
      let count = 0
      for (const { page, start, end } of this.#blocks(slot))
        for (let at = start; at < end; at++) if (hasBit(selected, (page[at] as number) >>> 8)) count++
      return count
    }
    return { passages: passages.length, totalLength, frequency }
  }

  /** The score of a passage in the last search, as a share of the highest that any passage could have. */
  coverage(passage: number): number {
    return this.#maxScore === 0 ? 0 : (this.#scores[passage] as number) / this.#maxScore
  }

  #top(allowed: Bitmap, limit: number): Uint32Array {
    const [scores, passages] = [this.#scores, this.#passages]
    const top = new TopPassages(limit)
    let floor = top.floor
    for (let passage = 0; passage < passages; passage++) {
      const score = scores[passage] as number
      if (score <= floor || !hasBit(allowed, passage)) continue
      top.offer(passage, score)
      floor = top.floor
    }
    return top.passages
  }

  #scoreTerm(slot: number, weight: number, base: number, slope: number): void {
    const [scores, lengths] = [this.#scores, this.#lengths]
    for (const { page, start, end } of this.#blocks(slot)) {
      for (let at = start; at < end; at++) {
        const posting = page[at] as number
        const passage = posting >>> 8
        const count = posting & 255
        const worth = (weight * count) / (count + base + slope * (lengths[passage] as number))
        scores[passage] = (scores[passage] as number) + worth
      }
    }
  }

  /** The postings of a term, block by block. */
  *#blocks(slot: number): Generator<{ page: Uint32Array; start: number; end: number }> {
    const last = this.#lastBlock[slot] as number
    let block = this.#firstBlock[slot] as number
    for (let size = 0; ; size = Math.min(size + 1, lastSize)) {
      const page = this.#pages[block >>> pageBits] as Uint32Array
      const start = (block & pageMask) + 1
      const end = start + (block === last ? (this.#lastUsed[slot] as number) : (blockSizes[size] as number))
      yield { page, start, end }
      if (block === last) return
      block = page[start - 1] as number
    }
  }

  #append(slot: number, posting: number): void {
    const size = this.#lastSize[slot] as number
    let used = this.#lastUsed[slot] as number
    if (used === 0) {
      this.#firstBlock[slot] = this.#lastBlock[slot] = this.#newBlock(0)
    } else if (used === blockSizes[size]) {
      const next = Math.min(size + 1, lastSize)
      const block = this.#newBlock(next)
      this.#setWord(this.#lastBlock[slot] as number, block)
      this.#lastBlock[slot] = block
      this.#lastSize[slot] = next
      used = 0
    }
    this.#setWord((this.#lastBlock[slot] as number) + 1 + used, posting)
    this.#lastUsed[slot] = used + 1
    this.#frequency[slot] = (this.#frequency[slot] as number) + 1
  }

  #setWord(place: number, value: number): void {
    const page = this.#pages[place >>> pageBits] as Uint32Array
    page[place & pageMask] = value
  }

  /** A block does not cross pages. Its first word is the place of the next block. */
  #newBlock(size: number): number {
    const words = 1 + (blockSizes[size] as number)
    if ((this.#end & pageMask) + words > pageSize || this.#end === this.#pages.length * pageSize) {
      this.#end = this.#pages.length * pageSize
      this.#pages.push(new Uint32Array(pageSize))
    }
    const block = this.#end
    this.#end += words
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
    if (2 * this.#terms >= this.#hashes.length) this.#rehash()
    const slot = this.#terms++
    this.#place(term, slot)
    this.#firstBlock = grow(this.#firstBlock, this.#terms)
    this.#lastBlock = grow(this.#lastBlock, this.#terms)
    this.#lastSize = grow(this.#lastSize, this.#terms)
    this.#lastUsed = grow(this.#lastUsed, this.#terms)
    this.#frequency = grow(this.#frequency, this.#terms)
    return slot
  }

  #place(term: number, slot: number): void {
    const mask = this.#hashes.length - 1
    let at = term & mask
    while (this.#slots[at] !== 0) at = (at + 1) & mask
    this.#hashes[at] = term
    this.#slots[at] = slot + 1
  }

  #rehash(): void {
    const [hashes, slots] = [this.#hashes, this.#slots]
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#slots = new Uint32Array(slots.length * 2)
    slots.forEach((slot, at) => {
      if (slot !== 0) this.#place(hashes[at] as number, slot - 1)
    })
  }
}

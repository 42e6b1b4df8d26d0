import { Best } from './best.ts'
import type { Bitmap } from './bitmap.ts'
import type { Heap } from './heap.ts'

const everyPassage = 0xffffffff

/** The highest score among the passages of a word that have their bits set. */
function largest(scores: Float32Array, word: number, bits: number): number {
  let most = 0
  for (let bit = 0; bit < 32; bit++) {
    if (((bits >>> bit) & 1) === 1) most = Math.max(most, scores[(word << 5) + bit] as number)
  }
  return most
}

/** Behind the scores lie the largest of every 32. */
const bytesFor = (capacity: number): number => capacity * 4 + capacity / 8

/** A score for each passage of an index, in the heap, used again for every query. */
export class Scores {
  readonly #heap: Heap
  #address = 0
  #capacity = 0

  constructor(heap: Heap) {
    this.#heap = heap
  }

  get bytes(): number {
    return bytesFor(this.#capacity)
  }

  /** Where they are: all zero, with a place for every passage. */
  cleared(passages: number): number {
    if (passages > this.#capacity) {
      this.release()
      const capacity = 2 ** Math.ceil(Math.log2(Math.max(256, passages)))
      this.#address = this.#heap.allocate(bytesFor(capacity))
      this.#capacity = capacity
    }
    this.#view(this.#address, 32 * Math.ceil(passages / 32)).fill(0) // whole words, as their largest are looked for
    return this.#address
  }

  of(passages: Uint32Array, scale = 1): Float32Array {
    const scores = this.#view(this.#address, this.#capacity)
    const found = new Float32Array(passages.length)
    for (let at = 0; at < passages.length; at++) found[at] = (scores[passages[at] as number] as number) * scale
    return found
  }

  /** The highest scores. Only those words of passages are gone through whose largest may be among them. */
  best(allowed: Bitmap, most: number): Best {
    const maximaAddress = this.#address + this.#capacity * 4
    if (allowed.length > 0) this.#heap.kernels.maxima(this.#address, allowed.length * 32, maximaAddress)
    const scores = this.#view(this.#address, this.#capacity)
    const maxima = this.#view(maximaAddress, this.#capacity / 32)
    const words = new Best(most)
    for (let word = 0; word < allowed.length; word++) {
      const bits = allowed[word] as number
      if (bits === everyPassage) words.offer(word, maxima[word] as number)
      else if (bits !== 0 && (maxima[word] as number) > 0) words.offer(word, largest(scores, word, bits))
    }
    const best = new Best(most)
    const { least } = words // there are enough that are at least as high, one in each of the words
    for (const word of words.passages.sort()) {
      const bits = allowed[word] as number
      for (let bit = 0; bit < 32; bit++) {
        const score = scores[(word << 5) + bit] as number
        if (score >= least && ((bits >>> bit) & 1) === 1) best.offer((word << 5) + bit, score)
      }
    }
    return best
  }

  release(): void {
    if (this.#capacity > 0) this.#heap.release(this.#address, this.bytes)
    this.#capacity = 0
  }

  #view(address: number, length: number): Float32Array {
    return new Float32Array(this.#heap.bytes.buffer, address, length)
  }
}

import { type Bitmap, hasBit } from './bitmap.ts'
import { grow } from './grow.ts'
import { hammingDistances } from './hamming.ts'

/** Binary codes of vectors, one bit a dimension, for a quick scan by Hamming distance. */
export class Codes {
  readonly #dimensions: number
  readonly #isSpread: boolean
  readonly #words: number
  #codes: Uint32Array
  #count = 0
  #distances = new Uint16Array(0)

  /** `isSpread`: see `spread`. */
  constructor(dimensions: number, isSpread: boolean) {
    this.#dimensions = dimensions
    this.#isSpread = isSpread
    this.#words = Math.ceil(dimensions / 32)
    this.#codes = new Uint32Array(256 * this.#words)
  }

  get bytes(): number {
    return this.#codes.byteLength + this.#distances.byteLength
  }

  set(passage: number, vector: Int8Array): void {
    this.#codes = grow(this.#codes, (passage + 1) * this.#words)
    this.#codes.set(this.encode(vector), passage * this.#words)
    this.#count = Math.max(this.#count, passage + 1)
  }

  encode(vector: Int8Array): Uint32Array {
    const values = Float32Array.from(vector)
    if (this.#isSpread) spread(values)
    const code = new Uint32Array(this.#words)
    for (let at = 0; at < this.#dimensions; at++) {
      if ((values[at] as number) > 0) code[at >>> 5] = (code[at >>> 5] as number) | (1 << (at & 31))
    }
    return code
  }

  /** The passages of the mask with the smallest distances: about `limit` of them, at most twice as many. */
  closest(query: Uint32Array, mask: Bitmap, limit: number): Uint32Array {
    this.#distances = grow(this.#distances, this.#count)
    const distances = this.#distances
    hammingDistances(this.#codes, this.#count, query, distances)
    const maxDistance = this.#distanceOf(limit, mask)
    const found = new Uint32Array(2 * limit)
    let next = 0
    for (let passage = 0; passage < this.#count && next < found.length; passage++) {
      if ((distances[passage] as number) <= maxDistance && hasBit(mask, passage)) found[next++] = passage
    }
    return found.subarray(0, next)
  }

  /** The smallest distance within which there are at least `limit` passages. */
  #distanceOf(limit: number, mask: Bitmap): number {
    const counts = new Uint32Array(32 * this.#words + 1)
    for (let passage = 0; passage < this.#count; passage++) {
      if (!hasBit(mask, passage)) continue
      const distance = this.#distances[passage] as number
      counts[distance] = (counts[distance] as number) + 1
    }
    let distance = 0
    let sum = counts[0] as number
    while (distance < counts.length - 1 && sum < limit) sum += counts[++distance] as number
    return distance
  }
}

/** The Walsh-Hadamard transform, in place: every value becomes a sum or difference of all. The length is a power of two. */
function spread(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) {
        const [one, other] = [values[at] as number, values[at + half] as number]
        values[at] = one + other
        values[at + half] = one - other
      }
    }
  }
}

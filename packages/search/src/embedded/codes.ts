import { type Bitmap, hasBit } from './bitmap.ts'
import { grow } from './grow.ts'
import { HammingCodes } from './hamming.ts'

/** Binary codes of vectors, one bit a dimension, for a quick scan by Hamming distance. */
export class Codes {
  readonly #isSpread: boolean
  readonly #codeBytes: number
  readonly #codes: HammingCodes
  #distances = new Uint16Array(0)

  /** `isSpread`: see `spread`. */
  constructor(dimensions: number, isSpread: boolean) {
    this.#isSpread = isSpread
    this.#codeBytes = Math.ceil(dimensions / 8)
    this.#codes = new HammingCodes(dimensions)
  }

  get bytes(): number {
    return this.#codes.bytes + this.#distances.byteLength
  }

  set(passage: number, vector: Int8Array): void {
    this.#codes.set(passage, this.#encode(vector))
  }

  /** The passages of the mask with the smallest distances: about `limit` of them, at most twice as many. */
  closest(query: Int8Array, mask: Bitmap, limit: number): Uint32Array {
    const { count } = this.#codes
    this.#distances = grow(this.#distances, count)
    const distances = this.#distances.subarray(0, count)
    this.#codes.distances(this.#encode(query), distances)
    exclude(distances, mask, this.#excluded)
    const maxDistance = this.#findMaxDistance(limit, distances)
    const found = new Uint32Array(2 * limit)
    let next = 0
    for (let passage = 0; passage < count && next < found.length; passage++) {
      if ((distances[passage] as number) <= maxDistance) found[next++] = passage
    }
    return found.subarray(0, next)
  }

  #encode(vector: Int8Array): Uint8Array {
    const values = Float32Array.from(vector)
    if (this.#isSpread) spread(values)
    const code = new Uint8Array(this.#codeBytes)
    for (let at = 0; at < values.length; at++) {
      if ((values[at] as number) > 0) code[at >>> 3] = (code[at >>> 3] as number) | (1 << (at & 7))
    }
    return code
  }

  /** Larger than any distance. */
  get #excluded(): number {
    return 8 * this.#codeBytes + 1
  }

  /** The smallest distance within which there are at least `limit` passages. */
  #findMaxDistance(limit: number, distances: Uint16Array): number {
    const counts = new Uint32Array(this.#excluded + 1)
    for (let passage = 0; passage < distances.length; passage++) {
      const distance = distances[passage] as number
      counts[distance] = (counts[distance] as number) + 1
    }
    let distance = 0
    let sum = counts[0] as number
    while (distance < this.#excluded - 1 && sum < limit) sum += counts[++distance] as number
    return distance
  }
}

/** Sets the distance of the passages that the mask does not have. Most words of a mask are full. */
function exclude(distances: Uint16Array, mask: Bitmap, excluded: number): void {
  for (let passage = 0; passage < distances.length; passage += 32) {
    if (mask[passage >>> 5] === 0xffffffff) continue
    const end = Math.min(passage + 32, distances.length)
    for (let at = passage; at < end; at++) if (!hasBit(mask, at)) distances[at] = excluded
  }
}

/** The Walsh-Hadamard transform, in place: every value becomes a sum or difference of all. The length is a power of two. */
function spread(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let at = start; at < start + half; at++) {
        const one = values[at] as number
        const other = values[at + half] as number
        values[at] = one + other
        values[at + half] = one - other
      }
    }
  }
}

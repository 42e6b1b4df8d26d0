import { type Bitmap, hasBit } from './bitmap.ts'
import type { Heap } from './heap.ts'

/** They lie side by side in blocks of so many: what is read from its beginning to its end is there in time. */
const blockPassages = 4096
/** A block has one size but for the first, which begins with so many: most indexes are small. */
const fewestPassages = 256
/** How many distances are looked at to tell how they lie. */
const sampleSize = 4096

/** A bit for each dimension of each passage's vector. */
export class Codes {
  readonly #heap: Heap
  readonly #codeBytes: number
  #blocks: number[] = []
  #capacity = 0

  constructor(heap: Heap, codeBytes: number) {
    this.#heap = heap
    this.#codeBytes = codeBytes
  }

  get bytes(): number {
    return this.#capacity * this.#codeBytes
  }

  /** The address of a passage's code; there is one for every passage before it, too. */
  at(passage: number): number {
    while (passage >= this.#capacity) {
      if (this.#capacity < blockPassages) this.#growFirst()
      else {
        this.#blocks.push(this.#heap.allocate(blockPassages * this.#codeBytes))
        this.#capacity += blockPassages
      }
    }
    const block = this.#blocks[Math.floor(passage / blockPassages)] as number
    return block + (passage % blockPassages) * this.#codeBytes
  }

  /**
   * Writes the passages of the mask whose codes differ least from the query's to an address and gives their number:
   * about as many as asked for, at most twice that.
   */
  closest(query: number, mask: Bitmap, most: number, out: number): number {
    const { kernels } = this.#heap
    const words = this.#capacity / 32
    return this.#heap.lend(4 * words, (maskAt) =>
      this.#heap.lend(2 * this.#capacity, (distancesAt) => {
        const reached = mask.subarray(0, words) // the last passages may have no codes yet
        new Uint32Array(this.#heap.bytes.buffer, maskAt, words).fill(0).set(reached)
        this.#eachBlock((block, size, first) => this.#measure(block, size, query, distancesAt + 2 * first))
        const limit = this.#limit(
          new Uint16Array(this.#heap.bytes.buffer, distancesAt, 32 * reached.length),
          mask,
          most,
        )
        return kernels.within(distancesAt, this.#capacity, limit, maskAt, out, 2 * most)
      }),
    )
  }

  /** Frees the memory; they are not to be used any more. */
  release(): void {
    this.#eachBlock((block, size) => this.#heap.release(block, size * this.#codeBytes))
    this.#blocks = []
    this.#capacity = 0
  }

  /** The distance up to which there are about as many passages as asked for, from how often some distances occur. */
  #limit(distances: Uint16Array, mask: Bitmap, most: number): number {
    const farthest = 8 * this.#codeBytes
    const counts = new Uint32Array(farthest + 1)
    const stride = Math.max(1, Math.floor(distances.length / sampleSize))
    for (let at = 0; at < distances.length; at += stride) {
      const distance = distances[at] as number
      if (hasBit(mask, at)) counts[distance] = (counts[distance] as number) + stride
    }
    let limit = 0
    let sum = counts[0] as number
    while (limit < farthest && sum < most) sum += counts[++limit] as number
    return limit
  }

  /** The distances of so many codes from the query's. */
  #measure(block: number, count: number, query: number, out: number): void {
    const { distances, distances32 } = this.#heap.kernels
    if (this.#codeBytes === 32) distances32(block, count, query, out)
    else distances(block, this.#codeBytes, count, query, out)
  }

  #eachBlock(visit: (block: number, size: number, first: number) => void): void {
    const size = Math.min(blockPassages, this.#capacity)
    this.#blocks.forEach((block, at) => {
      visit(block, size, at * blockPassages)
    })
  }

  #growFirst(): void {
    const [old] = this.#blocks
    const capacity = Math.max(fewestPassages, 2 * this.#capacity)
    const block = this.#heap.allocate(capacity * this.#codeBytes)
    if (old !== undefined) {
      this.#heap.bytes.copyWithin(block, old, old + this.bytes)
      this.#heap.release(old, this.bytes)
    }
    this.#blocks = [block]
    this.#capacity = capacity
  }
}

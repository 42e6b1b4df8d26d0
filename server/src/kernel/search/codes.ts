import type { Bitmap } from './bitmap.ts'
import type { Heap } from './heap.ts'

/** They lie side by side in blocks of so many: what is read from its beginning to its end is there in time. */
const blockPassages = 4096
/** A block has one size but for the first, which begins with so many: most indexes are small. */
const fewestPassages = 256
/** How many distances are looked at to tell how they lie. */
const sampleSize = 8192

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
    const words = this.#capacity / 32
    return this.#heap.lend(4 * words, (maskAt) =>
      this.#heap.lend(2 * blockPassages, (distances) => {
        const inHeap = new Uint32Array(this.#heap.bytes.buffer, maskAt, words)
        inHeap.fill(0).set(mask.subarray(0, words)) // the last passages may have no codes yet
        const limit = this.#limit(query, this.#heap.bytes.subarray(maskAt, maskAt + 4 * words), most, distances)
        let found = 0
        this.#eachBlock((block, size, first) => {
          this.#measure(block, size / 8, 1, query, distances)
          const [place, room] = [out + 4 * found, 2 * most - found]
          found += this.#heap.kernels.within(distances, size, limit, maskAt + first / 8, first, place, room)
        })
        return found
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
  #limit(query: number, mask: Uint8Array, most: number, distances: number): number {
    const stride = Math.min(blockPassages / 8, Math.max(1, Math.floor(this.#capacity / sampleSize)))
    const farthest = 8 * this.#codeBytes
    const counts = new Uint32Array(farthest + 1)
    const found = new Uint16Array(mask.buffer, distances, blockPassages)
    this.#eachBlock((block, size, first) => {
      const eights = Math.ceil(size / 8 / stride)
      this.#measure(block, eights, stride, query, distances)
      for (let eight = 0; eight < eights; eight++) {
        const bits = mask[first / 8 + eight * stride] as number
        for (let bit = 0; bits >>> bit !== 0; bit++) {
          const distance = found[8 * eight + bit] as number
          counts[distance] = (counts[distance] as number) + stride * ((bits >>> bit) & 1)
        }
      }
    })
    let limit = 0
    let sum = counts[0] as number
    while (limit < farthest && sum < most) sum += counts[++limit] as number
    return limit
  }

  /** The distances of so many eights of codes from the query's, each so many eights after the last. */
  #measure(block: number, eights: number, stride: number, query: number, out: number): void {
    const { distances, distances32 } = this.#heap.kernels
    const step = 8 * stride * this.#codeBytes
    if (this.#codeBytes === 32) distances32(block, eights, step, query, out)
    else distances(block, this.#codeBytes, eights, step, query, out)
  }

  #eachBlock(visit: (block: number, size: number, first: number) => void): void {
    const size = Math.min(blockPassages, this.#capacity)
    this.#blocks.forEach((block, at) => {
      visit(block, size, at * blockPassages)
    })
  }

  #growFirst(): void {
    const [old] = this.#blocks
    const size = this.bytes
    this.#capacity = Math.max(fewestPassages, 2 * this.#capacity)
    const block = this.#heap.allocate(this.bytes)
    if (old !== undefined) {
      this.#heap.bytes.copyWithin(block, old, old + size)
      this.#heap.release(old, size)
    }
    this.#blocks = [block]
  }
}

import { Best } from './best.ts'
import type { Bitmap } from './bitmap.ts'
import type { Heap } from './heap.ts'

/** A score for each passage of an index, in the heap, used again for every query. */
export class Scores {
  readonly #heap: Heap
  #address = 0
  #capacity = 0

  constructor(heap: Heap) {
    this.#heap = heap
  }

  get bytes(): number {
    return this.#size
  }

  /** All zero, with a place for every passage. As the heap may grow, the array is not to be kept. */
  cleared(passages: number): Float32Array {
    if (passages > this.#capacity) {
      this.release()
      this.#capacity = 2 ** Math.ceil(Math.log2(Math.max(256, passages)))
      this.#address = this.#heap.allocate(this.#size)
    }
    return this.#view(this.#address, this.#capacity).fill(0, 0, passages)
  }

  of(passages: readonly number[]): number[] {
    const scores = this.#view(this.#address, this.#capacity)
    return passages.map((passage) => scores[passage] as number)
  }

  /** The highest scores. Whole words of passages are passed over by their largest. */
  best(allowed: Bitmap, most: number): Best {
    const maximaAddress = this.#address + this.#capacity * 4
    if (allowed.length > 0) this.#heap.kernels.maxima(this.#address, allowed.length * 32, maximaAddress)
    const scores = this.#view(this.#address, this.#capacity)
    const maxima = this.#view(maximaAddress, this.#capacity / 32)
    const best = new Best(most)
    let floor = 0
    for (let word = 0; word < allowed.length; word++) {
      if ((maxima[word] as number) <= floor) continue
      const bits = allowed[word] as number
      for (let bit = 0; bit < 32; bit++) {
        if (((bits >>> bit) & 1) === 1) best.offer((word << 5) + bit, scores[(word << 5) + bit] as number)
      }
      floor = best.floor
    }
    return best
  }

  release(): void {
    if (this.#capacity > 0) this.#heap.release(this.#address, this.#size)
    this.#capacity = 0
  }

  /** Behind the scores lie the largest of every 32. */
  get #size(): number {
    return this.#capacity * 4 + this.#capacity / 8
  }

  #view(address: number, length: number): Float32Array {
    return new Float32Array(this.#heap.bytes.buffer, address, length)
  }
}

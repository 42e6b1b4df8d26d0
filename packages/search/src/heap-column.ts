import type { Heap } from './heap.ts'

/** Four bytes for each of as many things as there are, in the heap. Doubling keeps the copying rare. */
export class HeapColumn {
  readonly #heap: Heap
  #address: number
  #capacity = 256

  constructor(heap: Heap) {
    this.#heap = heap
    this.#address = heap.allocate(this.bytes)
  }

  /** It is another one after it has grown. */
  get address(): number {
    return this.#address
  }

  get bytes(): number {
    return this.#capacity * 4
  }

  word(at: number): number {
    return this.#heap.words[(this.#address >>> 2) + at] as number
  }

  float(at: number): number {
    return this.#heap.floats[(this.#address >>> 2) + at] as number
  }

  setWord(at: number, value: number): void {
    this.reach(at)
    this.#heap.words[(this.#address >>> 2) + at] = value
  }

  setFloat(at: number, value: number): void {
    this.reach(at)
    this.#heap.floats[(this.#address >>> 2) + at] = value
  }

  /** Makes room, which setting does too. */
  reach(at: number): void {
    if (at < this.#capacity) return
    const capacity = Math.max(at + 1, 2 * this.#capacity)
    const address = this.#heap.allocate(4 * capacity)
    this.#heap.bytes.copyWithin(address, this.#address, this.#address + this.bytes)
    this.#heap.release(this.#address, this.bytes)
    this.#address = address
    this.#capacity = capacity
  }

  /** Frees the memory; it is not to be used any more. */
  release(): void {
    this.#heap.release(this.#address, this.bytes)
    this.#capacity = 0
  }
}

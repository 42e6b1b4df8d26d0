import { readFileSync } from 'node:fs'

interface Kernels {
  signs(vector: number, dimensions: number, spread: number, values: number, code: number): void
  distances(codes: number, bytes: number, count: number, query: number, out: number): void
  distances32(codes: number, count: number, query: number, out: number): void
  within(distances: number, count: number, limit: number, mask: number, out: number, most: number): number
  score(
    postings: number,
    count: number,
    weight: number,
    base: number,
    slope: number,
    lengths: number,
    scores: number,
  ): void
  maxima(scores: number, count: number, out: number): void
  dot(one: number, other: number, bytes: number): number
  words(text: number, length: number, letters: number, marks: number, out: number): number
  cosines(
    query: number,
    scale: number,
    blocks: number,
    scales: number,
    bytes: number,
    passages: number,
    count: number,
    out: number,
  ): number
}

const pageBytes = 65_536
const alignment = 16
const mostBytes = 4 * 1024 ** 3 - pageBytes

/**
 * The memory in which all vectors and postings of a thread lie, as the loops over them are WebAssembly: no other code that
 * needs no build reaches the processor's vector instructions (a scan takes a tenth of the time that plain JavaScript takes).
 */
export class Heap {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 })
  readonly #free = new Map<number, number[]>()
  readonly kernels: Kernels
  #bytes = new Uint8Array(this.#memory.buffer)
  #words = new Uint32Array(this.#memory.buffer)
  #floats = new Float32Array(this.#memory.buffer)
  #end = alignment
  #used = 0

  constructor() {
    const module = new WebAssembly.Module(readFileSync(new URL('./kernels.wasm', import.meta.url)))
    this.kernels = new WebAssembly.Instance(module, { heap: { memory: this.#memory } }).exports as Kernels
  }

  /** A view of everything. It is a new one whenever the memory has grown, so it is not to be kept. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes
  }

  /** The same by fours; likewise. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#words
  }

  get floats(): Float32Array<ArrayBuffer> {
    return this.#floats
  }

  get used(): number {
    return this.#used
  }

  /** What is in it is left over from before. */
  allocate(size: number): number {
    const rounded = Math.ceil(size / alignment) * alignment
    this.#used += rounded
    const reused = this.#free.get(rounded)?.pop()
    if (reused !== undefined) return reused
    const address = this.#end
    const wanted = address + rounded
    if (wanted > mostBytes) throw new Error('The indexes in memory take more than 4 GB; unload one first.')
    if (wanted > this.#bytes.length) {
      // An eighth more than asked, so that growing stays rare.
      const pages = Math.ceil((wanted - this.#bytes.length + this.#bytes.length / 8) / pageBytes)
      this.#memory.grow(Math.min(pages, Math.floor((mostBytes + pageBytes - this.#bytes.length) / pageBytes)))
      this.#bytes = new Uint8Array(this.#memory.buffer)
      this.#words = new Uint32Array(this.#memory.buffer)
      this.#floats = new Float32Array(this.#memory.buffer)
    }
    this.#end = wanted
    return address
  }

  /**
   * Memory for as long as `work` runs. As much as the next power of two, as memory is used again for what has the same
   * size.
   */
  lend<T>(least: number, work: (address: number) => T): T {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, least)))
    const address = this.allocate(size)
    try {
      return work(address)
    } finally {
      this.release(address, size)
    }
  }

  release(address: number, size: number): void {
    const rounded = Math.ceil(size / alignment) * alignment
    this.#used -= rounded
    const free = this.#free.get(rounded)
    if (free) free.push(address)
    else this.#free.set(rounded, [address])
  }
}

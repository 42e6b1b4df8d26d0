import { readFileSync } from 'node:fs'

type Distances = (codes: number, bytes: number, count: number, query: number, out: number) => void

const wasmPageBytes = 65_536
const codesPerCall = 4096
let module: WebAssembly.Module | undefined

/** Binary codes in WebAssembly memory: JavaScript has no instruction that counts bits. */
export class HammingCodes {
  readonly #codeBytes: number
  /** The memory holds the distances of one call, the code of the query, and all codes. */
  readonly #memory = new WebAssembly.Memory({ initial: 1 })
  readonly #queryAt = 2 * codesPerCall
  readonly #codesAt: number
  readonly #distances: Distances
  #count = 0

  constructor(dimensions: number) {
    this.#codeBytes = Math.ceil(dimensions / 128) * 16
    this.#codesAt = this.#queryAt + this.#codeBytes
    module ??= new WebAssembly.Module(readFileSync(new URL('./hamming.wasm', import.meta.url)))
    const instance = new WebAssembly.Instance(module, { codes: { memory: this.#memory } })
    this.#distances = (instance.exports as { distances: Distances }).distances
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  get count(): number {
    return this.#count
  }

  set(passage: number, code: Uint8Array): void {
    const at = this.#codesAt + passage * this.#codeBytes
    const missing = at + this.#codeBytes - this.bytes
    // An eighth more than needed, because growing moves the memory.
    if (missing > 0) this.#memory.grow(Math.ceil((missing + this.bytes / 8) / wasmPageBytes))
    new Uint8Array(this.#memory.buffer).set(code, at)
    this.#count = Math.max(this.#count, passage + 1)
  }

  /** Writes the number of bits in which each code differs from the query. */
  distances(query: Uint8Array, out: Uint16Array): void {
    new Uint8Array(this.#memory.buffer).set(query, this.#queryAt)
    const written = new Uint16Array(this.#memory.buffer, 0, codesPerCall)
    for (let first = 0; first < this.#count; first += codesPerCall) {
      const count = Math.min(codesPerCall, this.#count - first)
      this.#distances(this.#codesAt + first * this.#codeBytes, this.#codeBytes, count, this.#queryAt, 0)
      out.set(written.subarray(0, count), first)
    }
  }
}

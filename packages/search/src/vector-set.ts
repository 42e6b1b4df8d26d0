import { Best } from './best.ts'
import { type Bitmap, bitmapFor, clearBit, countBits, eachBit, hasBit, intersect, setBit } from './bitmap.ts'
import { Codes } from './codes.ts'
import { grown } from './grown.ts'
import type { Heap } from './heap.ts'
import { HeapColumn } from './heap-column.ts'

const blockPassages = 256

/** How the codes of a model's vectors are made and used. */
interface Coding {
  /** Whether every dimension is spread over the others first; there must be a power of two of them. */
  isSpread: boolean
  /** How many of the nearest by code are compared exactly, for each one wanted. */
  oversampling: number
}

const usualCoding: Coding = { isSpread: false, oversampling: 10 }

/**
 * A few dimensions of the static model say more than all the rest together; as they stand, each of them would have but
 * one bit. Spread, all bits say about as much, and half as many comparisons find more of the nearest. It is not so with
 * models whose dimensions are alike.
 */
export const staticCoding: Coding = { isSpread: true, oversampling: 5 }

/** A vector as it is stored: a signed byte for each dimension, then the scale that makes it one long again. */
export function encodeVector(vector: Float32Array): Uint8Array {
  let largest = 0
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] as number
    largest = Math.max(largest, Math.abs(value))
    squares += value * value
  }
  const step = largest === 0 || !Number.isFinite(squares) ? 0 : 127 / largest
  const encoded = new Uint8Array(vector.length + 4)
  const bytes = new Int8Array(encoded.buffer)
  for (let at = 0; at < vector.length; at++) bytes[at] = Math.round((vector[at] as number) * step)
  new DataView(encoded.buffer).setFloat32(vector.length, step === 0 ? 0 : 1 / (step * Math.sqrt(squares)), true)
  return encoded
}

/** A query's vector in the heap, for as long as the search runs. */
export interface QueryVector {
  address: number
  code: number
  scale: number
}

/** The vectors of one model for the passages of one index: a bit for each dimension to scan, all bytes to compare. */
export class VectorSet {
  readonly dimensions: number
  readonly #heap: Heap
  readonly #codeBytes: number
  readonly #vectorBytes: number
  readonly #coding: Coding
  readonly #codes: Codes
  /** Where the blocks with the vectors are. */
  readonly #blocks: HeapColumn
  #blockCount = 0
  readonly #scales: HeapColumn
  #present: Bitmap = bitmapFor(blockPassages)
  #count = 0

  constructor(heap: Heap, dimensions: number, coding: Coding = usualCoding) {
    this.#heap = heap
    this.#coding = coding
    this.dimensions = dimensions
    this.#codeBytes = Math.ceil(dimensions / 128) * 16
    this.#vectorBytes = Math.ceil(dimensions / 16) * 16
    this.#codes = new Codes(heap, this.#codeBytes)
    this.#blocks = new HeapColumn(heap)
    this.#scales = new HeapColumn(heap)
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    const vectors = this.#blockCount * blockPassages * this.#vectorBytes
    return vectors + this.#codes.bytes + this.#blocks.bytes + this.#scales.bytes + this.#present.length * 4
  }

  has(passage: number): boolean {
    return hasBit(this.#present, passage)
  }

  set(passage: number, encoded: Uint8Array): void {
    while (this.#blockCount * blockPassages <= passage) {
      this.#blocks.reach(this.#blockCount)
      this.#blocks.setWord(this.#blockCount, this.#heap.allocate(blockPassages * this.#vectorBytes))
      this.#blockCount++
    }
    const code = this.#codes.at(passage)
    this.#write(encoded, this.#vectorAt(passage), code)
    this.#scales.setFloat(passage, scaleOf(encoded, this.dimensions))
    this.#present = grown(this.#present, (passage >>> 5) + 1)
    if (!this.has(passage)) this.#count++
    setBit(this.#present, passage)
  }

  remove(passage: number): void {
    if (!this.has(passage)) return
    clearBit(this.#present, passage)
    this.#count--
  }

  /** Puts a query's vector beside the others while `work` runs. */
  withQuery<T>(vector: Float32Array, work: (query: QueryVector) => T): T {
    const encoded = encodeVector(vector)
    return this.#heap.lend(this.#vectorBytes + this.#codeBytes, (address) => {
      const code = address + this.#vectorBytes
      this.#write(encoded, address, code)
      return work({ address, code, scale: scaleOf(encoded, this.dimensions) })
    })
  }

  /** The cosines of the angles between the query and passages that have vectors. */
  similarities(query: QueryVector, passages: ArrayLike<number>): Float32Array {
    const { length } = passages
    return this.#heap.lend(8 * length, (address) => {
      this.#heap.words.set(passages, address >>> 2)
      return this.#cosines(query, address, length).slice()
    })
  }

  between(one: number, other: number): number {
    const product = this.#heap.kernels.dot(this.#vectorAt(one), this.#vectorAt(other), this.#vectorBytes)
    return product * this.#scales.float(one) * this.#scales.float(other)
  }

  /** The passages nearest to the query, in no order; those that point away from it are left out. */
  nearest(query: QueryVector, allowed: Bitmap, most: number): Uint32Array {
    const mask = allowed.slice()
    intersect(mask, this.#present)
    const count = countBits(mask)
    const wanted = this.#coding.oversampling * most
    const room = 2 * wanted
    const best = new Best(most)
    this.#heap.lend(8 * room, (address) => {
      const found =
        count <= room
          ? writePlaces(mask, this.#heap.words, address >>> 2)
          : this.#codes.closest(query.code, mask, wanted, address)
      const cosines = this.#cosines(query, address, found)
      const { words } = this.#heap
      for (let at = 0; at < found; at++) best.offer(words[(address >>> 2) + at] as number, cosines[at] as number)
    })
    return best.passages
  }

  /** Frees the memory; the set is not to be used any more. */
  release(): void {
    for (let block = 0; block < this.#blockCount; block++) {
      this.#heap.release(this.#blocks.word(block), blockPassages * this.#vectorBytes)
    }
    this.#blockCount = 0
    this.#codes.release()
    this.#blocks.release()
    this.#scales.release()
  }

  /** Of passages whose numbers are at an address, behind which there is room for as many cosines. They stand until it is used again. */
  #cosines({ address, scale }: QueryVector, passages: number, count: number): Float32Array {
    const out = passages + 4 * count
    const [blocks, scales] = [this.#blocks.address, this.#scales.address]
    this.#heap.kernels.cosines(address, scale, blocks, scales, this.#vectorBytes, passages, count, out)
    return this.#heap.floats.subarray(out >>> 2, (out >>> 2) + count)
  }

  #write(encoded: Uint8Array, address: number, code: number): void {
    const { bytes } = this.#heap
    bytes.fill(0, address + this.dimensions, address + this.#vectorBytes)
    bytes.set(encoded.subarray(0, this.dimensions), address)
    bytes.fill(0, code, code + this.#codeBytes)
    this.#heap.lend(4 * this.#vectorBytes, (values) => {
      const spread = this.#coding.isSpread ? this.dimensions : 0
      this.#heap.kernels.signs(address, this.dimensions, spread, values, code)
    })
  }

  #vectorAt(passage: number): number {
    const block = this.#blocks.word(Math.floor(passage / blockPassages))
    return block + (passage % blockPassages) * this.#vectorBytes
  }
}

/** The number of places written. */
function writePlaces(mask: Bitmap, out: Uint32Array, start: number): number {
  let next = start
  eachBit(mask, (at) => {
    out[next++] = at
  })
  return next - start
}

function scaleOf(encoded: Uint8Array, dimensions: number): number {
  return new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength).getFloat32(dimensions, true)
}

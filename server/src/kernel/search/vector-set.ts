import { Best } from './best.ts'
import { type Bitmap, bitmapFor, clearBit, countBits, eachBit, hasBit, intersect, setBit } from './bitmap.ts'
import { grown } from './grown.ts'
import type { Heap } from './heap.ts'

const blockBits = 8
const blockPassages = 1 << blockBits
const blockMask = blockPassages - 1
/** How many of the nearest by code are compared exactly, for each one wanted. */
const oversampling = 10

/** A vector as it is stored: a signed byte for each dimension, then the scale that makes it one long again. */
export function encodeVector(vector: Float32Array): Uint8Array {
  let largest = 0
  let squares = 0
  for (const value of vector) {
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
  #codeBlocks: number[] = []
  #vectorBlocks: number[] = []
  #scales = new Float32Array(blockPassages)
  #present: Bitmap = bitmapFor(blockPassages)
  #count = 0

  constructor(heap: Heap, dimensions: number) {
    this.#heap = heap
    this.dimensions = dimensions
    this.#codeBytes = Math.ceil(dimensions / 128) * 16
    this.#vectorBytes = Math.ceil(dimensions / 16) * 16
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    const block = blockPassages * (this.#codeBytes + this.#vectorBytes)
    return this.#codeBlocks.length * block + this.#scales.length * 4 + this.#present.length * 4
  }

  has(passage: number): boolean {
    return hasBit(this.#present, passage)
  }

  set(passage: number, encoded: Uint8Array): void {
    const block = passage >>> blockBits
    while (this.#codeBlocks.length <= block) {
      this.#codeBlocks.push(this.#heap.allocate(blockPassages * this.#codeBytes))
      this.#vectorBlocks.push(this.#heap.allocate(blockPassages * this.#vectorBytes))
    }
    this.#write(encoded, this.#vectorAt(passage), this.#codeAt(passage))
    this.#scales = grown(this.#scales, passage + 1)
    this.#scales[passage] = scaleOf(encoded, this.dimensions)
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
    const address = this.#heap.allocate(this.#vectorBytes)
    const code = this.#heap.allocate(this.#codeBytes)
    try {
      this.#write(encoded, address, code)
      return work({ address, code, scale: scaleOf(encoded, this.dimensions) })
    } finally {
      this.#heap.release(address, this.#vectorBytes)
      this.#heap.release(code, this.#codeBytes)
    }
  }

  /** The cosines of the angles between the query and passages that have vectors. */
  similarities(query: QueryVector, passages: ArrayLike<number>): Float64Array {
    const { length } = passages
    const size = reusable(8 * length)
    const addresses = this.#heap.allocate(size)
    try {
      const numbers = new Int32Array(this.#heap.bytes.buffer, addresses, 2 * length)
      for (let at = 0; at < length; at++) numbers[at] = this.#vectorAt(passages[at] as number)
      this.#heap.kernels.dots(query.address, addresses, length, this.#vectorBytes, addresses + 4 * length)
      const cosines = new Float64Array(length)
      for (let at = 0; at < length; at++) {
        const scale = this.#scales[passages[at] as number] as number
        cosines[at] = (numbers[length + at] as number) * query.scale * scale
      }
      return cosines
    } finally {
      this.#heap.release(addresses, size)
    }
  }

  between(one: number, other: number): number {
    const product = this.#heap.kernels.dot(this.#vectorAt(one), this.#vectorAt(other), this.#vectorBytes)
    return product * (this.#scales[one] as number) * (this.#scales[other] as number)
  }

  /** The passages nearest to the query among those allowed, in no order; those that point away from it are left out. */
  nearest(query: QueryVector, allowed: Bitmap, most: number): Uint32Array {
    const mask = allowed.slice()
    intersect(mask, this.#present)
    const best = new Best(most)
    const count = countBits(mask)
    const near =
      count <= 2 * oversampling * most ? places(mask, count) : this.#closest(query, mask, oversampling * most)
    this.similarities(query, near).forEach((cosine, at) => {
      best.offer(near[at] as number, cosine)
    })
    return best.passages
  }

  /** Frees the memory; the set is not to be used any more. */
  release(): void {
    for (const block of this.#codeBlocks) this.#heap.release(block, blockPassages * this.#codeBytes)
    for (const block of this.#vectorBlocks) this.#heap.release(block, blockPassages * this.#vectorBytes)
    this.#codeBlocks = []
    this.#vectorBlocks = []
  }

  /** The passages whose codes differ least from the query's: about as many as asked for, at most twice that. */
  #closest(query: QueryVector, mask: Bitmap, most: number): Uint32Array {
    const size = reusable(this.#codeBlocks.length * blockPassages * 2)
    const out = this.#heap.allocate(size)
    const picked = this.#heap.allocate(2 * most * 4)
    try {
      this.#codeBlocks.forEach((block, at) => {
        if (hasAny(mask, at)) this.#measure(block, query, out + at * blockPassages * 2)
      })
      const { buffer } = this.#heap.bytes
      // The last passages may have no vectors yet, and then no block either.
      const reached = mask.subarray(0, (this.#codeBlocks.length * blockPassages) / 32)
      const distances = new Uint16Array(buffer, out, reached.length * 32)
      pushOut(distances, reached)
      const limit = limitFor(distances, this.#codeBytes * 8, most)
      const count = this.#heap.kernels.within(out, distances.length, limit, picked, 2 * most)
      return new Uint32Array(buffer, picked, count).slice()
    } finally {
      this.#heap.release(out, size)
      this.#heap.release(picked, 2 * most * 4)
    }
  }

  #measure(block: number, query: QueryVector, out: number): void {
    const { distances, distances32 } = this.#heap.kernels
    if (this.#codeBytes === 32) distances32(block, blockPassages, query.code, out)
    else distances(block, this.#codeBytes, blockPassages, query.code, out)
  }

  #write(encoded: Uint8Array, address: number, code: number): void {
    const { bytes } = this.#heap
    bytes.fill(0, address + this.dimensions, address + this.#vectorBytes)
    bytes.set(encoded.subarray(0, this.dimensions), address)
    bytes.fill(0, code, code + this.#codeBytes)
    for (let at = 0; at < this.dimensions; at++) {
      // A byte below 128 that is not zero is a positive number.
      const value = encoded[at] as number
      if (value > 0 && value < 128) bytes[code + (at >>> 3)] = (bytes[code + (at >>> 3)] as number) | (1 << (at & 7))
    }
  }

  #codeAt(passage: number): number {
    return (this.#codeBlocks[passage >>> blockBits] as number) + (passage & blockMask) * this.#codeBytes
  }

  #vectorAt(passage: number): number {
    return (this.#vectorBlocks[passage >>> blockBits] as number) + (passage & blockMask) * this.#vectorBytes
  }
}

/** A power of two, as the heap uses memory again for what has the same size. */
const reusable = (size: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, size)))

function places(mask: Bitmap, count: number): Uint32Array {
  const found = new Uint32Array(count)
  let next = 0
  eachBit(mask, (at) => {
    found[next++] = at
  })
  return found
}

function scaleOf(encoded: Uint8Array, dimensions: number): number {
  return new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength).getFloat32(dimensions, true)
}

function hasAny(mask: Bitmap, block: number): boolean {
  const first = (block * blockPassages) >>> 5
  for (let at = first; at < first + blockPassages / 32; at++) if (mask[at]) return true
  return false
}

/** Farther than anything can be. */
const unreachable = 0xffff

/** Puts the passages that are not in the mask out of reach. */
function pushOut(distances: Uint16Array, mask: Bitmap): void {
  for (let word = 0; word < mask.length; word++) {
    const bits = mask[word] as number
    if (bits === 0xffffffff) continue
    for (let bit = 0; bit < 32; bit++) if (((bits >>> bit) & 1) === 0) distances[(word << 5) + bit] = unreachable
  }
}

/** How many distances are looked at to tell how they lie. */
const sampleSize = 8192

/** The distance up to which there are about as many passages as asked for, from how often each distance occurs. */
function limitFor(distances: Uint16Array, farthest: number, most: number): number {
  const stride = Math.max(1, Math.floor(distances.length / sampleSize))
  const counts = new Uint32Array(farthest + 1)
  for (let at = 0; at < distances.length; at += stride) {
    const distance = distances[at] as number
    if (distance <= farthest) counts[distance] = (counts[distance] as number) + stride
  }
  let limit = 0
  let sum = counts[0] as number
  while (limit < farthest && sum < most) sum += counts[++limit] as number
  return limit
}

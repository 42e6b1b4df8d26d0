import { decodeVector, encodeVector } from '../vectors.ts'
import { type Bitmap, bitmapFor, clearBit, countBits, hasBit, intersect, positions, setBit } from './bitmap.ts'
import { Codes } from './codes.ts'
import { grow } from './grow.ts'
import { TopPassages } from './top-passages.ts'

const passagesPerBlock = 256

/** How a model's vectors are scanned by their binary codes. */
interface Scan {
  /** Spreads every dimension over all bits. The number of dimensions must be a power of two. */
  isSpread: boolean
  /** How many of the nearest codes are compared exactly, for each passage wanted. */
  oversampling: number
}

const defaultScan: Scan = { isSpread: false, oversampling: 10 }

/**
 * A few dimensions of the static model matter more than all others together, yet would get one bit each. Spread, all bits
 * matter alike, and half the oversampling finds more of the nearest. Other models have dimensions that matter alike.
 */
export const staticScan: Scan = { isSpread: true, oversampling: 5 }

export interface QueryVector {
  values: Int8Array
  scale: number
}

/** The vectors of one model for the passages of one index. */
export class VectorSet {
  readonly #dimensions: number
  readonly #scan: Scan
  /** Only sets that are too large to compare every vector have codes. */
  #codes: Codes | undefined
  /** Blocks instead of one array that doubles: vectors take most of the memory. */
  readonly #blocks: Int8Array[] = []
  #scales = new Float32Array(passagesPerBlock)
  #present: Bitmap = bitmapFor(passagesPerBlock)
  #count = 0

  constructor(dimensions: number, scan: Scan = defaultScan) {
    this.#dimensions = dimensions
    this.#scan = scan
  }

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    const vectors = this.#blocks.length * passagesPerBlock * this.#dimensions
    return vectors + (this.#codes?.bytes ?? 0) + this.#scales.byteLength + this.#present.byteLength
  }

  has(passage: number): boolean {
    return hasBit(this.#present, passage)
  }

  set(passage: number, encoded: Uint8Array): void {
    const { values, scale } = decodeVector(encoded)
    while (this.#blocks.length * passagesPerBlock <= passage) {
      this.#blocks.push(new Int8Array(passagesPerBlock * this.#dimensions))
    }
    this.#findBlock(passage).set(values, this.#findOffset(passage))
    this.#codes?.set(passage, values)
    this.#scales = grow(this.#scales, passage + 1)
    this.#scales[passage] = scale
    this.#present = grow(this.#present, (passage >>> 5) + 1)
    if (!this.has(passage)) this.#count++
    setBit(this.#present, passage)
  }

  remove(passage: number): void {
    if (!this.has(passage)) return
    clearBit(this.#present, passage)
    this.#count--
  }

  encodeQuery(vector: Float32Array): QueryVector {
    return decodeVector(encodeVector(vector))
  }

  /** The cosine of the angle between the query and a passage that has a vector. */
  cosine({ values, scale }: QueryVector, passage: number): number {
    const product = dot(values, 0, this.#findBlock(passage), this.#findOffset(passage), this.#dimensions)
    return product * scale * (this.#scales[passage] as number)
  }

  similarity(one: number, other: number): number {
    const [first, second] = [this.#findBlock(one), this.#findBlock(other)]
    const product = dot(first, this.#findOffset(one), second, this.#findOffset(other), this.#dimensions)
    return product * (this.#scales[one] as number) * (this.#scales[other] as number)
  }

  /** The passages nearest to the query, in no particular order, without those that point away from it. */
  nearest(query: QueryVector, allowed: Bitmap, limit: number): Uint32Array {
    const mask = allowed.slice()
    intersect(mask, this.#present)
    const wanted = this.#scan.oversampling * limit
    const found = countBits(mask) <= 2 * wanted ? positions(mask) : this.#closest(query, mask, wanted)
    const top = new TopPassages(limit)
    for (let at = 0; at < found.length; at++) {
      const passage = found[at] as number
      top.offer(passage, this.cosine(query, passage))
    }
    return top.passages
  }

  #closest({ values }: QueryVector, mask: Bitmap, limit: number): Uint32Array {
    this.#codes ??= this.#encodeAll()
    return this.#codes.closest(values, mask, limit)
  }

  #encodeAll(): Codes {
    const codes = new Codes(this.#dimensions, this.#scan.isSpread)
    for (const passage of positions(this.#present)) {
      const start = this.#findOffset(passage)
      codes.set(passage, this.#findBlock(passage).subarray(start, start + this.#dimensions))
    }
    return codes
  }

  #findBlock(passage: number): Int8Array {
    return this.#blocks[Math.floor(passage / passagesPerBlock)] as Int8Array
  }

  #findOffset(passage: number): number {
    return (passage % passagesPerBlock) * this.#dimensions
  }
}

/** `Math.imul` keeps it in integers. */
function dot(one: Int8Array, oneStart: number, other: Int8Array, otherStart: number, length: number): number {
  let sum = 0
  for (let at = 0; at < length; at++) {
    sum = (sum + Math.imul(one[oneStart + at] as number, other[otherStart + at] as number)) | 0
  }
  return sum
}

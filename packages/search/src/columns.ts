import { type Bitmap, bitmapFor, clearBit, intersect, setBit } from './bitmap.ts'
import { grown } from './grown.ts'
import type { Condition, Filters, Scalar } from './search.ts'

/** A passage's filterable values: its metadata, and what every chunk has. */
export interface Filterable {
  source: string
  page: number | null
  documentId: string
  metadata: Record<string, unknown>
}

const deepest = 8

/** The values by which passages are filtered, field by field, each value kept once and known by its number. */
export class Columns {
  readonly #columns = new Map<string, Column>()

  get bytes(): number {
    let bytes = 0
    for (const column of this.#columns.values()) bytes += column.bytes
    return bytes
  }

  add(passage: number, { source, page, documentId, metadata }: Filterable): void {
    this.#put('source', passage, source)
    this.#put('page', passage, page)
    this.#put('document_id', passage, documentId)
    for (const [name, value] of Object.entries(metadata)) {
      if (name !== 'source' && name !== 'page' && name !== 'document_id') this.#put(name, passage, value)
    }
  }

  /** Takes out of `allowed` the passages that do not meet every condition. */
  narrow(allowed: Bitmap, passages: number, filters: Filters): void {
    for (const [name, condition] of Object.entries(filters)) {
      intersect(allowed, this.#meeting(name, condition, passages))
    }
  }

  /** Lists count as any of their values; objects are reached by `outer.inner`. */
  #put(name: string, passage: number, value: unknown, depth = 0): void {
    if (Array.isArray(value)) {
      for (const item of value) if (isScalar(item)) this.#put(name, passage, item)
    } else if (isScalar(value)) {
      if (value === null) return
      const column = this.#columns.get(name) ?? new Column()
      this.#columns.set(name, column)
      column.add(passage, value)
    } else if (typeof value === 'object' && depth < deepest) {
      for (const [inner, item] of Object.entries(value as object)) {
        this.#put(`${name}.${inner}`, passage, item, depth + 1)
      }
    }
  }

  #meeting(name: string, condition: Condition, passages: number): Bitmap {
    const column = this.#columns.get(name) ?? new Column()
    if (isScalar(condition)) return column.anyOf([condition], passages)
    if (isList(condition)) return column.anyOf(condition, passages)
    const { gte, lte, ne } = condition
    const meeting = gte === undefined && lte === undefined ? everyPassage(passages) : column.within(gte, lte, passages)
    if (ne !== undefined) intersect(meeting, inverted(column.anyOf([ne], passages)))
    return meeting
  }
}

class Column {
  #passages = new Uint32Array(16)
  #codes = new Uint32Array(16)
  #count = 0
  readonly #codeOf = new Map<Scalar, number>()
  readonly #values: Scalar[] = []

  get bytes(): number {
    return this.#passages.length * 8 + this.#values.length * 80
  }

  add(passage: number, value: Scalar): void {
    let code = this.#codeOf.get(value)
    if (code === undefined) {
      code = this.#values.push(value) - 1
      this.#codeOf.set(value, code)
    }
    this.#passages = grown(this.#passages, this.#count + 1)
    this.#codes = grown(this.#codes, this.#count + 1)
    this.#passages[this.#count] = passage
    this.#codes[this.#count++] = code
  }

  /** `null` stands for the passages that have no value. */
  anyOf(values: readonly Scalar[], passages: number): Bitmap {
    const wanted = new Uint8Array(this.#values.length)
    for (const value of values) {
      const code = this.#codeOf.get(value)
      if (code !== undefined) wanted[code] = 1
    }
    const found = this.#having(wanted, passages)
    if (values.includes(null)) addMissing(found, this.#having(wanted.fill(1), passages))
    return found
  }

  within(least: string | number | undefined, most: string | number | undefined, passages: number): Bitmap {
    const wanted = new Uint8Array(this.#values.length)
    this.#values.forEach((value, code) => {
      wanted[code] = Number(reaches(value, least) && reaches(most, value))
    })
    return this.#having(wanted, passages)
  }

  #having(wanted: Uint8Array, passages: number): Bitmap {
    const found = bitmapFor(passages)
    if (!wanted.includes(1)) return found
    for (let at = 0; at < this.#count; at++) {
      if (wanted[this.#codes[at] as number] === 1) setBit(found, this.#passages[at] as number)
    }
    return found
  }
}

/** Numbers compare with numbers and texts with texts, so ISO dates compare too; an open end is always met. */
function reaches(value: Scalar | undefined, least: Scalar | undefined): boolean {
  if (value === undefined || least === undefined) return true
  if (typeof value === 'number' && typeof least === 'number') return value >= least
  return typeof value === 'string' && typeof least === 'string' && value >= least
}

export function everyPassage(passages: number): Bitmap {
  const bitmap = bitmapFor(passages).fill(0xffffffff)
  for (let at = passages; at < bitmap.length * 32; at++) clearBit(bitmap, at)
  return bitmap
}

const inverted = (bitmap: Bitmap): Bitmap => bitmap.map((word) => ~word)

function addMissing(found: Bitmap, having: Bitmap): void {
  for (let at = 0; at < found.length; at++) found[at] = (found[at] as number) | ~(having[at] as number)
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isList = (condition: Condition): condition is readonly Scalar[] => Array.isArray(condition)

import type { Chunk, Condition, DocumentSelection, Filters, Scalar } from '../search-index.ts'
import { allSet, type Bitmap, bitmapFor, intersect, setBit } from './bitmap.ts'
import { grow } from './grow.ts'

export type Filterable = Pick<Chunk, 'source' | 'page' | 'documentId' | 'metadata'>

const maxDepth = 8

/** The fields that filters refer to, stored by column. Each distinct value is stored once. */
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

  /** Removes from `allowed` the passages that do not meet every condition. */
  filter(allowed: Bitmap, passages: number, filters: Filters): void {
    for (const [name, condition] of Object.entries(filters)) {
      intersect(allowed, this.#matching(name, condition, passages))
    }
  }

  /** Removes from `allowed` the passages of documents that are not selected. */
  select(allowed: Bitmap, passages: number, documents: DocumentSelection): void {
    const named = this.#matching('document_id', 'only' in documents ? documents.only : documents.except, passages)
    intersect(allowed, 'only' in documents ? named : inverted(named))
  }

  /** A list matches by any of its values; fields of objects are named `outer.inner`. */
  #put(name: string, passage: number, value: unknown, depth = 0): void {
    if (Array.isArray(value)) {
      for (const item of value) if (isScalar(item)) this.#put(name, passage, item)
    } else if (isScalar(value)) {
      if (value === null) return
      const column = this.#columns.get(name) ?? new Column()
      this.#columns.set(name, column)
      column.add(passage, value)
    } else if (typeof value === 'object' && depth < maxDepth) {
      for (const [inner, item] of Object.entries(value as object)) {
        this.#put(`${name}.${inner}`, passage, item, depth + 1)
      }
    }
  }

  #matching(name: string, condition: Condition, passages: number): Bitmap {
    const column = this.#columns.get(name) ?? new Column()
    if (isScalar(condition)) return column.anyOf([condition], passages)
    if (isList(condition)) return column.anyOf(condition, passages)
    const { gte, lte, ne } = condition
    const matching = gte === undefined && lte === undefined ? allSet(passages) : column.inRange(gte, lte, passages)
    if (ne !== undefined) intersect(matching, inverted(column.anyOf([ne], passages)))
    return matching
  }
}

/** Whether one passage or document meets every condition, as in an index. */
export function matchesFilters(passage: Filterable, filters: Filters): boolean {
  const columns = new Columns()
  const allowed = allSet(1)
  columns.add(0, passage)
  columns.filter(allowed, 1, filters)
  return ((allowed[0] ?? 0) & 1) === 1
}

class Column {
  #passages = new Uint32Array(16)
  #codes = new Uint32Array(16)
  #count = 0
  readonly #codeByValue = new Map<Scalar, number>()
  readonly #values: Scalar[] = []

  get bytes(): number {
    return this.#passages.length * 8 + this.#values.length * 80
  }

  add(passage: number, value: Scalar): void {
    let code = this.#codeByValue.get(value)
    if (code === undefined) {
      code = this.#values.push(value) - 1
      this.#codeByValue.set(value, code)
    }
    this.#passages = grow(this.#passages, this.#count + 1)
    this.#codes = grow(this.#codes, this.#count + 1)
    this.#passages[this.#count] = passage
    this.#codes[this.#count++] = code
  }

  /** `null` matches passages without a value. */
  anyOf(values: readonly Scalar[], passages: number): Bitmap {
    const wanted = new Uint8Array(this.#values.length)
    for (const value of values) {
      const code = this.#codeByValue.get(value)
      if (code !== undefined) wanted[code] = 1
    }
    const found = this.#withCodes(wanted, passages)
    if (values.includes(null)) addMissing(found, this.#withCodes(wanted.fill(1), passages))
    return found
  }

  inRange(gte: string | number | undefined, lte: string | number | undefined, passages: number): Bitmap {
    const wanted = new Uint8Array(this.#values.length)
    this.#values.forEach((value, code) => {
      wanted[code] = Number(isAtLeast(value, gte) && isAtLeast(lte, value))
    })
    return this.#withCodes(wanted, passages)
  }

  #withCodes(wanted: Uint8Array, passages: number): Bitmap {
    const found = bitmapFor(passages)
    if (!wanted.includes(1)) return found
    for (let at = 0; at < this.#count; at++) {
      if (wanted[this.#codes[at] as number] === 1) setBit(found, this.#passages[at] as number)
    }
    return found
  }
}

/** Compares numbers with numbers and strings (such as ISO dates) with strings. An open end always holds. */
function isAtLeast(value: Scalar | undefined, min: Scalar | undefined): boolean {
  if (value === undefined || min === undefined) return true
  if (typeof value === 'number' && typeof min === 'number') return value >= min
  return typeof value === 'string' && typeof min === 'string' && value >= min
}

const inverted = (bitmap: Bitmap): Bitmap => bitmap.map((word) => ~word)

function addMissing(found: Bitmap, present: Bitmap): void {
  for (let at = 0; at < found.length; at++) found[at] = (found[at] as number) | ~(present[at] as number)
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

const isList = (condition: Condition): condition is readonly Scalar[] => Array.isArray(condition)

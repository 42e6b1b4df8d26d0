import { isUtf8 } from 'node:buffer'
import { invalid, Problem } from '../errors.ts'

const maxDepth = 100
/** The maximum per object. Objects with many fields are slow to build. */
const maxFields = 20_000

interface JsonSize {
  depth: number
  values: number
  /** The number of fields of the largest object. */
  fields: number
}

/** Rejects JSON that would take too long to parse. */
export function rejectOversizedJson({ depth, values, fields }: JsonSize, maxValues: number): void {
  if (fields > maxFields)
    throw new Problem('invalid_request', `The body has an object with more than ${maxFields} fields.`)
  if (values > maxValues) throw new Problem('invalid_request', `The body has more than ${maxValues} values.`)
  if (depth > maxDepth) throw new Problem('invalid_request', `The body is nested deeper than ${maxDepth} levels.`)
}

/** Parses a body that is not oversized. */
export function parseJson(raw: Buffer): unknown {
  if (!isUtf8(raw)) throw new Problem('malformed_json', 'The body is not valid UTF-8.')
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('malformed_json', `The body is not valid JSON: ${(error as Error).message}.`)
  }
  // Walking all values costs more than parsing, so only suspicious texts are checked.
  if (suspicious.test(text)) rejectUnsafeValues(value, '')
  return /\\u[dD][89a-fA-F]/.test(text) ? wellFormed(value) : value
}

/** The lookbehind makes a long run of digits match from its first one only; otherwise the search would be quadratic. */
const suspicious = /__proto__|constructor|\\u|\d[eE]\+?\d{3}|(?<!\d)\d{309}/

/** Replaces lone surrogates, which databases cannot store. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]))
}

function rejectUnsafeValues(value: unknown, path: string): void {
  if (typeof value === 'string') rejectNul(path || 'body', value)
  // Such a number is parsed as Infinity, which would be stored as null.
  if (typeof value === 'number' && !Number.isFinite(value)) invalid(path || 'body', 'is too large')
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const innerPath = path === '' ? key : `${path}.${key}`
    const reachesPrototype =
      key === 'constructor' && typeof inner === 'object' && inner !== null && 'prototype' in inner
    if (key === '__proto__' || reachesPrototype) invalid(innerPath, 'is not an allowed field name')
    rejectNul(innerPath, key)
    rejectUnsafeValues(inner, innerPath)
  }
}

/** Applies the rules of JSON bodies to a value that came in another way, such as a form field. */
export function rejectUnsafeJson(path: string, value: object): void {
  if (measureJson(Buffer.from(JSON.stringify(value))).depth > maxDepth)
    invalid(path, `is nested deeper than ${maxDepth} levels`)
  rejectUnsafeValues(value, path)
}

export function rejectNul(path: string, text: string): void {
  if (text.includes('\0')) invalid(path.replaceAll('\0', '\\0'), 'contains a NUL character')
}

/** Measures JSON text. Stops at the first limit that is exceeded. */
export function measureJson(raw: Buffer, maxValues = Number.POSITIVE_INFINITY): JsonSize {
  const size = { depth: 0, values: 1, fields: 0 }
  /** The number of commas so far in each open object and array; arrays start below any limit. */
  const commas: number[] = []
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (byte === quote) i = endOfString(raw, i + 1)
    else if (byte === 0x2c) {
      const count = (commas[commas.length - 1] as number) + 1
      commas[commas.length - 1] = count
      if (count > size.fields) size.fields = count
      if (++size.values > maxValues || size.fields > maxFields) break
    } else if (byte === 0x7b || byte === 0x5b) {
      commas.push(byte === 0x7b ? 1 : Number.MIN_SAFE_INTEGER)
      if (commas.length > size.depth) size.depth = commas.length
      if (++size.values > maxValues || size.depth > maxDepth) break
    } else if (byte === 0x7d || byte === 0x5d) commas.pop()
  }
  return size
}

const quote = 0x22
const backslash = 0x5c

function endOfString(raw: Buffer, start: number): number {
  for (let i = start; i < raw.length; i++) {
    if (raw[i] === backslash) i++
    else if (raw[i] === quote) return i
  }
  return raw.length
}

import { isUtf8 } from 'node:buffer'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler, preHandlerHookHandler } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { invalid, Problem } from '../errors.ts'
import { normalizeBody } from '../schema.ts'
import type { App } from './app.ts'

const deepest = 100

/** JSON bodies: read as bytes, bounded in depth, with no key that could reach a prototype. */
export function readJson(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.schema?.body) return
    route.preHandler = [rejectFields, ...[route.preHandler ?? []].flat()]
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request: { headers: object; rawBody: unknown }, raw: Buffer, done) => {
      if ('idempotency-key' in request.headers) request.rawBody = raw
      let body: unknown
      try {
        if (raw.length > 0) body = parseJson(raw)
      } catch (error) {
        done(error as Error)
        return
      }
      done(null, body)
    },
  )
}

/** An action that takes nothing may come with an empty object, but not with a wish that nobody hears. */
const rejectFields: preHandlerHookHandler = ({ body }, _reply, next) => {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    invalid('body', 'must be a JSON object')
  const [name] = Object.keys(body ?? {})
  if (name !== undefined) invalid(name, 'is not a known field')
  next()
}

function parseJson(raw: Buffer): unknown {
  if (depthOf(raw) > deepest) {
    throw new Problem('invalid_request', `The body is nested deeper than ${deepest} levels.`)
  }
  if (!isUtf8(raw)) throw new Problem('malformed_json', 'The body is not text in UTF-8.')
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('malformed_json', `The body is not valid JSON: ${(error as Error).message}.`)
  }
  // Looking into every value costs more than the parsing, so only suspects are looked into.
  if (suspects.test(text)) rejectUnsafeValues(value, '')
  return /\\u[dD][89a-fA-F]/.test(text) ? wellFormed(value) : value
}

/** Digits are counted from the first of them only: from each, a long row of them would be read over and over. */
const suspects = /__proto__|constructor|\\u|\d[eE]\+?\d{3}|(?<!\d)\d{309}/

/** No database keeps half of a surrogate pair, so what is kept is what is answered. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]))
}

function rejectUnsafeValues(value: unknown, path: string): void {
  if (typeof value === 'string') rejectNul(path || 'body', value)
  // JSON can write what no number can hold; stored, it would become null.
  if (typeof value === 'number' && !Number.isFinite(value)) invalid(path || 'body', 'is too large a number')
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`
    const reachesPrototype =
      key === 'constructor' && typeof inner === 'object' && inner !== null && 'prototype' in inner
    if (key === '__proto__' || reachesPrototype) invalid(place, 'is not a field name that can be used')
    rejectNul(place, key)
    rejectUnsafeValues(inner, place)
  }
}

/** For what comes as JSON inside of something else: it has to be what a body could have held. */
export function rejectUnsafeJson(path: string, value: object): void {
  if (depthOf(Buffer.from(JSON.stringify(value))) > deepest) invalid(path, `is nested deeper than ${deepest} levels`)
  rejectUnsafeValues(value, path)
}

export function rejectNul(path: string, text: string): void {
  if (text.includes('\0')) invalid(path.replaceAll('\0', '\\0'), 'contains a NUL character, which text cannot hold')
}

function depthOf(raw: Buffer): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (inString) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x7b || byte === 0x5b) most = Math.max(most, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return most
}

/**
 * Bodies are taken literally; parameters arrive as text and become what their schema says they are. What checks them is
 * made when a route is first called, because making it for all routes would be most of the work of a start.
 */
export function validators(): FastifySchemaCompiler<TSchema> {
  const common = { allErrors: true, strict: false, verbose: true, allowUnionTypes: true } as const
  const literal = withFormats(new Ajv(common))
  const fromText = withFormats(new Ajv({ ...common, coerceTypes: true, useDefaults: true }))
  return ({ schema, httpPart }) => {
    const isBody = httpPart === 'body'
    const settle = isBody && 'properties' in schema ? normalizeBody(schema as TObject) : (given: unknown) => given
    const numbers = isBody ? [] : numbersIn(schema)
    const refuse = (validation: unknown) => ({ error: Object.assign(new Error('invalid request'), { validation }) })
    let validate: ValidateFunction | undefined
    return (given: unknown) => {
      validate ??= (isBody ? literal : fromText).compile(schema)
      const odd = numbers.filter(({ name }) => !plainNumber.test((given as Record<string, string>)[name] ?? '0'))
      if (odd.length > 0) {
        return refuse(odd.map(({ name, type }) => ({ keyword: 'type', instancePath: `/${name}`, params: { type } })))
      }
      const value = settle(given)
      return validate(value) ? { value } : refuse(validate.errors)
    }
  }
}

/** As people write them: what would become a number of another kind (`0x10`, `1e3`, a blank) is a mistake. */
const plainNumber = /^-?\d{1,20}(\.\d{1,20})?$/

function numbersIn(schema: TSchema): { name: string; type: string }[] {
  const properties = Object.entries((schema as Partial<TObject>).properties ?? {}) as [string, { type?: string }][]
  return properties.flatMap(([name, { type }]) => (type === 'integer' || type === 'number' ? [{ name, type }] : []))
}

/** A time has to be one that can be told in UTC; a leap second, for one, cannot. */
function withFormats(ajv: Ajv): Ajv {
  addFormats.default(ajv)
  const { validate } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  return ajv.addFormat('date-time', (text: string) => validate(text) && !Number.isNaN(Date.parse(text)))
}

/** What writes answers, made when a route first answers. */
export const serializers: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer: unknown) => {
    write ??= fastJson.default(schema as Schema) as (answer: unknown) => string
    return write(answer)
  }
}

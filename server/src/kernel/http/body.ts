import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import fastJson, { type Schema } from 'fast-json-stringify'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { invalid, Problem } from '../errors.ts'
import { settleBody } from '../schema.ts'
import type { App } from './app.ts'

const deepest = 100

/** JSON bodies: read as bytes, bounded in depth, with no key that could reach a prototype. */
export function readJson(app: App): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: { headers: object; rawBody: unknown }, raw: Buffer) => {
      if ('idempotency-key' in request.headers) request.rawBody = raw
      return raw.length === 0 ? undefined : parseJson(raw)
    },
  )
}

function parseJson(raw: Buffer): unknown {
  if (depthOf(raw) > deepest) {
    throw new Problem('invalid_request', `The body is nested deeper than ${deepest} levels.`)
  }
  const text = raw.toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Problem('malformed_json', `The body is not valid JSON: ${(error as Error).message}.`)
  }
  // Looking into every value costs more than the parsing, so only suspects are looked into.
  if (/__proto__|constructor|\\u/.test(text)) refuseTricks(value, '')
  return value
}

function refuseTricks(value: unknown, path: string): void {
  if (typeof value === 'string') refuseNul(path || 'body', value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`
    const reachesPrototype =
      key === 'constructor' && typeof inner === 'object' && inner !== null && 'prototype' in inner
    if (key === '__proto__' || reachesPrototype) invalid(place, 'is not a field name that can be used')
    refuseNul(place, key)
    refuseTricks(inner, place)
  }
}

export function refuseNul(path: string, text: string): void {
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
  const literal = addFormats.default(new Ajv(common))
  const fromText = addFormats.default(new Ajv({ ...common, coerceTypes: true, useDefaults: true }))
  return ({ schema, httpPart }) => {
    const isBody = httpPart === 'body'
    const settle = isBody && 'properties' in schema ? settleBody(schema as TObject) : (given: unknown) => given
    let validate: ValidateFunction | undefined
    return (given: unknown) => {
      validate ??= (isBody ? literal : fromText).compile(schema)
      const value = settle(given)
      return validate(value)
        ? { value }
        : { error: Object.assign(new Error('invalid request'), { validation: validate.errors }) }
    }
  }
}

/** What writes answers, made when a route first answers. */
export const serializers: FastifySerializerCompiler<TSchema> = ({ schema }) => {
  let write: ((answer: unknown) => string) | undefined
  return (answer: unknown) => {
    write ??= fastJson.default(schema as Schema) as (answer: unknown) => string
    return write(answer)
  }
}

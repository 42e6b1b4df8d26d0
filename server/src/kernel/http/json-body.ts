import { isUtf8 } from 'node:buffer'
import type { preHandlerHookHandler } from 'fastify'
import { invalid, Problem } from '../errors.ts'
import type { App, Request } from './app.ts'

const maxDepth = 100

/** Parses JSON bodies. Limits their depth and rejects keys that could reach a prototype. */
export function parseJsonBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.schema?.body) return
    route.preHandler = [rejectFields, ...[route.preHandler ?? []].flat()]
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: Request, raw: Buffer): Promise<unknown> => {
      if ('idempotency-key' in request.headers) request.rawBody = raw
      if (raw.length === 0) return undefined
      const { parseBody = parseJson } = request.routeOptions.config
      return parseBody(raw)
    },
  )
}

/** Actions without a body schema accept an empty object. Fields are rejected, so that none is silently ignored. */
const rejectFields: preHandlerHookHandler = ({ body }, _reply, next) => {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    invalid('body', 'must be a JSON object')
  const [name] = Object.keys(body ?? {})
  if (name !== undefined) invalid(name, 'is not a known field')
  next()
}

export function parseJson(raw: Buffer): unknown {
  if (depthOf(raw) > maxDepth) {
    throw new Problem('invalid_request', `The body is nested deeper than ${maxDepth} levels.`)
  }
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
  if (depthOf(Buffer.from(JSON.stringify(value))) > maxDepth) invalid(path, `is nested deeper than ${maxDepth} levels`)
  rejectUnsafeValues(value, path)
}

export function rejectNul(path: string, text: string): void {
  if (text.includes('\0')) invalid(path.replaceAll('\0', '\\0'), 'contains a NUL character')
}

function depthOf(raw: Buffer): number {
  let depth = 0
  let max = 0
  let inString = false
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i]
    if (inString) {
      if (byte === 0x5c) i++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) inString = true
    else if (byte === 0x7b || byte === 0x5b) max = Math.max(max, ++depth)
    else if (byte === 0x7d || byte === 0x5d) depth--
  }
  return max
}

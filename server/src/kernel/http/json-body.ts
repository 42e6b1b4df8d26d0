import type { FastifyRequest, preHandlerHookHandler } from 'fastify'
import type { TSchema } from 'typebox'
import { type Role, turnKey } from '../caller.ts'
import { invalid, Problem } from '../errors.ts'
import { type App, mebibyte, type Request } from './app.ts'
import { type BodyLimits, createBodyChecker } from './body-checker.ts'
import { measureJson, parseJson, rejectOversizedJson } from './json-text.ts'

/** A body up to these limits is parsed and validated within a few milliseconds, whatever it contains. */
const maxSmallBytes = mebibyte
const maxSmallValues = 10_000

/** Small values cost more than their bytes: a route accepts one value for each of this many bytes of its limit. */
const bytesPerValue = 32

/** People who only converse have no documents or test cases to send. */
const maxBytesByRole: Partial<Record<Role, number>> = { viewer: mebibyte, user: 4 * mebibyte }

/** Large bodies that are read at the same time, because each is held in memory. */
const maxLargeBodies = 16
const maxLargeBodiesPerWorkspace = 4

/** Parses JSON bodies. Large ones are checked in a thread first, so that an invalid one does not block the event loop. */
export function parseJsonBodies(app: App): void {
  const checker = createBodyChecker()
  app.addHook('onClose', () => checker.close())
  app.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.schema?.body) return
    route.preHandler = [rejectFields, ...[route.preHandler ?? []].flat()]
  })
  limitLargeBodies(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, raw: Buffer) => {
    rejectTooLarge(request, raw.length)
    if ('idempotency-key' in request.headers) request.rawBody = raw
    if (raw.length === 0) return undefined
    const size = raw.length > maxSmallBytes ? null : measureJson(raw, maxSmallValues)
    if (size && size.values <= maxSmallValues) rejectOversizedJson(size, maxSmallValues)
    else await checker.check(raw, readLimits(request))
    const { parseBody = parseJson } = request.routeOptions.config
    return parseBody(raw, request)
  })
}

const readLimits = ({ caller, routeOptions }: Request): BodyLimits => ({
  turn: caller ? turnKey(caller) : '',
  maxValues: Math.floor(routeOptions.bodyLimit / bytesPerValue),
  schema: routeOptions.schema?.body as TSchema | undefined,
})

function rejectTooLarge({ caller }: Request, bytes: number): void {
  const max = caller && maxBytesByRole[caller.role]
  if (max !== undefined && bytes > max)
    throw new Problem('payload_too_large', `The role "${caller.role}" may send up to ${max / mebibyte} MiB.`)
}

function limitLargeBodies(app: App): void {
  /** The workspaces of the requests whose large body is being read. */
  const reading = new Map<Request, string>()

  app.addHook('preParsing', (request, reply, _payload, next) => {
    const { bodyLimit } = request.routeOptions
    const bytes = Number(request.headers['content-length'] ?? bodyLimit)
    if (bytes <= mebibyte || request.headers['content-type']?.startsWith('multipart/')) return next()
    rejectTooLarge(request, Number(request.headers['content-length'] ?? 0))
    const workspace = request.caller?.workspace ?? ''
    const ofWorkspace = [...reading.values()].filter((each) => each === workspace).length
    if (reading.size >= maxLargeBodies || ofWorkspace >= maxLargeBodiesPerWorkspace)
      throw new Problem('overloaded', 'Too many large requests at once. Try again in a second.', {
        headers: { 'retry-after': '1' },
      })
    reading.set(request, workspace)
    reply.raw.once('close', () => reading.delete(request))
    next()
  })
  app.addHook('preValidation', (request, _reply, next) => {
    reading.delete(request)
    next()
  })
}

/** Actions without a body schema accept an empty object. Fields are rejected, so that none is silently ignored. */
const rejectFields: preHandlerHookHandler = ({ body }, _reply, next) => {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body)))
    invalid('body', 'must be a JSON object')
  for (const name in body as object) invalid(name, 'is not a known field')
  next()
}

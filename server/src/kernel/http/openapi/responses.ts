import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import { type ErrorCode, errorCatalogue, Problem } from '../../errors.ts'
import type { MediaType } from '../app.ts'
import type { ErrorFormat } from '../error-format.ts'
import { errorBody, problemDetails } from '../errors.ts'
import { exampleId, makeExample } from './examples.ts'
import { everyResponse, headerReferences } from './headers.ts'
import type { DocumentedRoute } from './routes.ts'
import { type Components, hoist, type Json } from './schemas.ts'

export const mediaTypes = (content: Record<string, MediaType>, components: Components): Json =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, example }]) => [
      type,
      { schema: hoist(schema, components), example },
    ]),
  )

/** The responses of a route that are no errors. */
export function successes({ method, schema, may }: DocumentedRoute, components: Components): Record<string, Json> {
  const declared = (schema.response ?? {}) as Record<string, TSchema & { description?: string }>
  const statuses = new Set([...Object.keys(declared), ...(schema.content ? ['200'] : [])])
  const responses: Record<string, Json> = {}
  for (const status of statuses) {
    const { description, ...json } = declared[status] ?? {}
    const hasBody = status in declared && (json as { type?: string }).type !== 'null'
    const hasEtag = schema.etag || (method === 'get' && hasBody && status === '200')
    const headers = headerReferences([
      ...everyResponse,
      ...(hasEtag ? (['ETag'] as const) : []),
      ...(method === 'post' && may !== 'public' ? (['Idempotent-Replayed'] as const) : []),
    ])
    const content = {
      ...(hasBody && { 'application/json': { schema: hoist(json, components), example: makeExample(json) } }),
      ...(status === '200' && mediaTypes(schema.content ?? {}, components)),
    }
    responses[status] = {
      description: description ?? (status === '201' ? 'Created.' : 'Success.'),
      headers: { ...headers, ...describedHeaders(schema.responseHeaders) },
      ...(Object.keys(content).length > 0 && { content }),
    }
    if (method === 'get' && hasEtag) {
      responses['304'] = { description: 'Not changed since the ETag in `If-None-Match`.', headers }
    }
  }
  return responses
}

const describedHeaders = (headers: Record<string, string> = {}): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** The error responses of a route by status. Routes with the same errors share them. */
export function failures(
  codes: ErrorCode[],
  format: ErrorFormat | undefined,
  components: Components,
): Record<string, Json> {
  const responses: Record<string, Json> = {}
  for (const status of new Set(codes.map((code) => errorCatalogue[code][0]))) {
    const codesOfStatus = codes.filter((code) => errorCatalogue[code][0] === status)
    const name = [...(format ? [format.name] : []), codesOfStatus.join('_or_')].join('_')
    const examples = (body: (problem: Problem) => object) =>
      Object.fromEntries(codesOfStatus.map((code) => [code, { value: body(exampleProblem(code)) }]))
    components.responses.set(name, {
      description: codesOfStatus.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}`).join(' '),
      headers: headerReferences([
        ...everyResponse,
        ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
        ...(mayBeRetried(codesOfStatus) ? (['Retry-After'] as const) : []),
        ...(isReplayed(status) ? (['Idempotent-Replayed'] as const) : []),
      ]),
      content: {
        'application/json': {
          schema: format ? hoist(format.schema, components) : { $ref: '#/components/schemas/ApiError' },
          examples: examples((problem) => format?.body(problem, requestId) ?? errorBody(problem, requestId)),
        },
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/ProblemDetails' },
          examples: examples((problem) => problemDetails(problem, requestId)),
        },
      },
    })
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}

const mayBeRetried = (codes: ErrorCode[]): boolean =>
  codes.some((code) =>
    ['rate_limited', 'provider_rate_limited', 'overloaded', 'idempotency_in_progress'].includes(code),
  )

/** Errors that a repeated request gets again. */
const isReplayed = (status: number): boolean => [400, 403, 404, 412, 413].includes(status)

const requestId = exampleId('req')
const exampleProblem = (code: ErrorCode) => new Problem(code, errorCatalogue[code][1].replaceAll('`', ''))

const details = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path', 'message'],
    properties: { path: { type: 'string' }, message: { type: 'string' } },
  },
}
const code = { type: 'string', enum: Object.keys(errorCatalogue) }

export const errorSchemas: Record<string, Json> = {
  ApiError: {
    type: 'object',
    title: 'ApiError',
    required: ['success', 'error', 'code', 'request_id'],
    properties: {
      success: { type: 'boolean', const: false },
      error: { type: 'string', description: 'The error in words: the cause and the remedy.' },
      code,
      request_id: { type: 'string' },
      details,
    },
  },
  ProblemDetails: {
    type: 'object',
    title: 'ProblemDetails',
    description: 'An error in the format of RFC 9457, for requests with `Accept: application/problem+json`.',
    required: ['type', 'title', 'status', 'detail', 'code', 'request_id'],
    properties: {
      type: { type: 'string', examples: ['urn:parley:error:not_found'] },
      title: { type: 'string', examples: [STATUS_CODES[404]] },
      status: { type: 'integer' },
      detail: { type: 'string', description: 'The error in words: the cause and the remedy.' },
      code,
      request_id: { type: 'string' },
      details,
    },
  },
}

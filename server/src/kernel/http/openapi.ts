import type { RouteOptions } from 'fastify'
import type { TObject, TSchema } from 'typebox'
import { type ErrorCode, errorCatalogue, Problem } from '../errors.ts'
import { eventPayloads } from '../event-payloads.ts'
import type { App } from './app.ts'
import { type ErrorFormat, errorFormatOf } from './error-format.ts'
import { permissions } from './permissions.ts'

type Json = Record<string, unknown>

export interface DocumentedRoute {
  method: string
  url: string
  may: string
  /** In bytes, if it differs from the default. */
  bodyLimit: number | undefined
  schema: NonNullable<RouteOptions['schema']>
  errorFormat: ErrorFormat | undefined
}

/** Collects every route as it is registered: the document is made from the schemas that validate and serialize. */
export function collectRoutes(app: App, errorFormats: readonly ErrorFormat[]): DocumentedRoute[] {
  const routes: DocumentedRoute[] = []
  app.addHook('onRoute', ({ method, url, schema, config, bodyLimit }) => {
    for (const each of [method].flat()) {
      if (each === 'HEAD' || each === 'OPTIONS' || schema?.hide) continue
      routes.push({
        method: each.toLowerCase(),
        url,
        may: config?.may ?? '',
        bodyLimit,
        schema: schema ?? {},
        errorFormat: errorFormatOf(errorFormats, url),
      })
    }
  })
  return routes
}

const description = `
Every path is available under \`/api\` and \`/api/v1\`. Responses are
\`{success, data, message?, pagination?}\`, errors \`{success: false, error, code, request_id, details?}\` (or, with
\`Accept: application/problem+json\`, RFC 9457 problem details). Times are UTC in whole seconds, prices US dollars per
1,000 tokens. Read-only fields in a body are ignored, unknown fields are errors, and \`null\`
clears an optional field. Every POST accepts an \`Idempotency-Key\`; PUT, PATCH and DELETE support \`If-Match\`.`

export function openapiDocument(routes: DocumentedRoute[], version: string): Json {
  const components = new Map<string, Json>()
  const errors = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method] = operation(route, components, errors)
  }
  const webhooks = Object.fromEntries(
    Object.entries(eventPayloads).map(([type, payload]) => [type, { post: notification(type, payload, components) }]),
  )
  const byName = <T>(entries: Iterable<[string, T]>) =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      description: description.trim().replaceAll('\n', ' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.flatMap((route) => route.schema.tags ?? []))].map((name) => ({ name })),
    'x-permissions': permissions,
    paths: byName(Object.entries(paths)),
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from /api/tokens, or a JWT of the configured OIDC issuer.',
        },
      },
      responses: byName(errors),
      schemas: byName([...components, ['Error', errorSchema]]),
    },
  }
}

const errorSchema = {
  type: 'object',
  title: 'Error',
  required: ['success', 'error', 'code', 'request_id'],
  properties: {
    success: { type: 'boolean', const: false },
    error: { type: 'string', description: 'What is wrong and how to fix it.' },
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    request_id: { type: 'string' },
    details: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}

const responseHeaders = {
  'X-Request-Id': { description: 'The ID of this request in the log.', schema: { type: 'string' } },
  RateLimit: {
    description: 'Requests left in the window, and seconds until it resets.',
    schema: { type: 'string' },
  },
}

function operation(route: DocumentedRoute, components: Map<string, Json>, errors: Map<string, Json>): Json {
  const { schema, method, url, may, errorFormat } = route
  const body = schema.body as TSchema | undefined
  const responses: Json = {}
  for (const [status, response] of Object.entries((schema.response ?? {}) as Record<string, TSchema>)) {
    responses[status] = {
      description: (response as { description?: string }).description ?? (status === '201' ? 'Created.' : 'Success.'),
      headers: responseHeaders,
      content: { [schema.produces ?? 'application/json']: { schema: hoist(schema.event ?? response, components) } },
    }
  }
  const codes = errorsOf(route)
  for (const status of new Set(codes.map((code) => errorCatalogue[code][0]))) {
    const codesOfStatus = codes.filter((code) => errorCatalogue[code][0] === status)
    const name = [...(errorFormat ? [errorFormat.name] : []), codesOfStatus.join('_or_')].join('_')
    errors.set(name, {
      description: codesOfStatus.map((code) => `\`${code}\`: ${errorCatalogue[code][1]}`).join(' '),
      content: {
        'application/json': {
          schema: errorFormat ? hoist(errorFormat.schema, components) : { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(codesOfStatus.map((code) => [code, { value: exampleError(code, errorFormat) }])),
        },
      },
    })
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  const described = [schema.description, may !== 'public' && `Permission: \`${may}\`.`].filter(Boolean).join(' ')
  return {
    operationId: schema.operationId ?? operationId(method, url),
    summary: schema.summary,
    ...(described && { description: described }),
    tags: schema.tags,
    ...(may === 'public' && { security: [] }),
    parameters: [
      ...parameters('path', schema.params as TObject | undefined),
      ...parameters('query', schema.querystring as TObject | undefined),
      ...headerParameters(method, codes),
    ],
    ...(body && { requestBody: requestBody(body, components) }),
    responses,
  }
}

/** The request that a webhook receives for an event. */
function notification(
  type: string,
  { summary, data }: { summary: string; data: TSchema },
  components: Map<string, Json>,
): Json {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  const body = {
    type: 'object',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', const: type },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: hoist(data, components),
    },
  }
  return {
    operationId: operationId('on', `/${type.replace(/\W/g, '-')}`),
    summary,
    tags: ['Webhooks'],
    security: [],
    parameters: [
      header('webhook-id', 'The same in every attempt. Use it to ignore duplicates.'),
      header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
      header('webhook-signature', 'Signatures by Standard Webhooks 1.0: `v1,` and base64, separated by spaces.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Received. Anything else, a redirect included, counts as a failure and is retried.' },
      '410': { description: 'Gone: the webhook is disabled.' },
    },
  }
}

function requestBody(body: TSchema, components: Map<string, Json>): Json {
  const { examples, ...schema } = body as TSchema & { examples?: unknown[] }
  const required = ((schema as Partial<TObject>).required ?? []).length > 0
  const content = (body as { contentMediaType?: string }).contentMediaType ?? 'application/json'
  return {
    required,
    content: { [content]: { schema: hoist(schema, components), ...(examples && { example: examples[0] }) } },
  }
}

/** Most errors of a route follow from its schema. */
function errorsOf({ schema, method, may, url }: DocumentedRoute): ErrorCode[] {
  const codes: ErrorCode[] = [...((schema.errors ?? []) as ErrorCode[])]
  if (schema.body || schema.querystring || method === 'post') codes.push('invalid_request')
  if (schema.body) codes.push('malformed_json', 'payload_too_large', 'unsupported_media_type')
  if (may !== 'public') codes.push('unauthenticated', 'invalid_token', 'forbidden')
  if (url.includes(':')) codes.push('not_found')
  if (method === 'post') codes.push('idempotency_in_progress', 'idempotency_mismatch')
  codes.push('rate_limited', 'internal_error')
  return [...new Set(codes)].sort((a, b) => errorCatalogue[a][0] - errorCatalogue[b][0])
}

function exampleError(code: ErrorCode, format: ErrorFormat | undefined): object {
  const error = errorCatalogue[code][1].replaceAll('`', '')
  const request_id = 'req_01k9z8q4m6e3v7t2w5x8y1a4bc'
  return format?.body(new Problem(code, error), request_id) ?? { success: false, error, code, request_id }
}

function parameters(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string }
    const required = place === 'path' || (schema?.required?.includes(name) === true && !('default' in rest))
    return { name, in: place, required, ...(description && { description }), schema: rest }
  })
}

function headerParameters(method: string, codes: ErrorCode[]): Json[] {
  const header = (name: string, text: string, more: Json = {}) => ({
    name,
    in: 'header',
    required: false,
    description: text,
    schema: { type: 'string', ...more },
  })
  return [
    ...(method === 'post'
      ? [
          header(
            'Idempotency-Key',
            'Requests with the same key and body run once and get the same response for 24 hours.',
            {
              maxLength: 255,
            },
          ),
        ]
      : []),
    ...(codes.includes('precondition_failed') ? [header('If-Match', 'Only if the resource still has this ETag.')] : []),
  ]
}

const operationId = (method: string, url: string): string =>
  [method, ...url.split('/').filter((part) => part && part !== 'api')]
    .map((part) => part.replace(/^:/, 'by-').replace(/[^\w]+(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')

/** Moves schemas with a title to `components`. */
function hoist(schema: unknown, components: Map<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, hoist(value, components)]))
  const { title } = schema as { title?: unknown }
  if (typeof title !== 'string') return inner
  const reference = { $ref: `#/components/schemas/${title}` }
  const types = [inner.type].flat().filter((type) => type !== 'null')
  components.set(title, { ...inner, ...(types.length === 1 && { type: types[0] }) })
  return Array.isArray(inner.type) ? { anyOf: [reference, { type: 'null' }] } : reference
}

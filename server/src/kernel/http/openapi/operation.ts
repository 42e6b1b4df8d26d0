import type { TObject, TSchema } from 'typebox'
import { isReading } from '../../access-explanation.ts'
import { type ErrorCode, errorCatalogue } from '../../errors.ts'
import { exampleTime, makeExample } from './examples.ts'
import { headerParameters } from './headers.ts'
import { failures, mediaTypes, successes } from './responses.ts'
import type { DocumentedRoute } from './routes.ts'
import { asSent, type Components, hoist, type Json } from './schemas.ts'
import type { Operation } from './share.ts'

export function operation(route: DocumentedRoute, components: Components): Operation {
  const { schema, method, url, may, errorFormat } = route
  const codes = listErrors(route)
  const described = [schema.description, may !== 'public' && `Permission: \`${may}\`.`].filter(Boolean).join(' ')
  return {
    operationId: schema.operationId ?? operationId(method, url),
    summary: schema.summary,
    ...(described && { description: described }),
    tags: schema.tags,
    ...(may === 'public' && { security: [] }),
    parameters: [
      ...parameters('path', schema.params as TObject | undefined, components, url),
      ...parameters('query', schema.querystring as TObject | undefined, components, url),
      ...headerParameters({
        method,
        may,
        codes,
        isJson: 'response' in schema,
        isRead: isReading(method, url),
        own: schema.requestHeaders ?? {},
      }),
    ],
    ...(schema.body !== undefined && { requestBody: requestBody(route, components) }),
    responses: { ...successes(route, components), ...failures(codes, errorFormat, components) },
  }
}

/** The request that a webhook receives for an event. */
export function notification(
  type: string,
  { summary, data }: { summary: string; data: TSchema },
  components: Components,
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
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: body,
          example: { type, timestamp: exampleTime, data: makeExample(data) },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Anything else, a redirect included, counts as a failure and is retried.' },
      '410': { description: 'Gone: the webhook is disabled.' },
    },
  }
}

function requestBody({ schema, method }: DocumentedRoute, components: Components): Json {
  const { examples, ...body } = asSent(schema.body as TSchema, { isNew: method === 'post' }) as TObject & {
    examples?: unknown[]
  }
  const type = (body as { contentMediaType?: string }).contentMediaType ?? 'application/json'
  return {
    required: body.required?.length > 0,
    content: {
      [type]: { schema: hoist(body, components), example: examples?.[0] },
      ...mediaTypes(schema.accepts ?? {}, components),
    },
  }
}

/** Most errors of a route follow from its schema. */
function listErrors({ schema, method, may, url }: DocumentedRoute): ErrorCode[] {
  const codes: ErrorCode[] = [...((schema.errors ?? []) as ErrorCode[])]
  if (schema.body || schema.querystring || url.includes(':') || method === 'post') codes.push('invalid_request')
  if (schema.body) codes.push('malformed_json', 'payload_too_large', 'unsupported_media_type')
  // The workspace in `X-Workspace` may not exist, and the identity provider may not respond.
  if (may !== 'public') codes.push('unauthenticated', 'invalid_token', 'forbidden', 'not_found', 'overloaded')
  if (method === 'post' && may !== 'public') codes.push('idempotency_in_progress', 'idempotency_mismatch')
  codes.push('rate_limited', 'internal_error')
  return [...new Set(codes)].sort((a, b) => errorCatalogue[a][0] - errorCatalogue[b][0])
}

function parameters(place: 'path' | 'query', schema: TObject | undefined, components: Components, url: string): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description = place === 'path' && listedAt(url, name), ...rest } = property as TSchema & {
      description?: string
    }
    const required = place === 'path' || (schema?.required?.includes(name) === true && !('default' in rest))
    return { name, in: place, required, ...(description && { description }), schema: hoist(rest, components) }
  })
}

const listedAt = (url: string, name: string): string =>
  `From the list at \`${url.slice(0, url.indexOf(`/:${name}`)).replace(/:(\w+)/g, '{$1}')}\`.`

const operationId = (method: string, url: string): string =>
  [method, ...url.split('/').filter((part) => part && part !== 'api')]
    .map((part) => part.replace(/^:/, 'by-').replace(/[^\w]+(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1)))
    .join('')

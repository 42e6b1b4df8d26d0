import { STATUS_CODES } from 'node:http'
import type { ErrorObject } from 'ajv'
import type { FastifyError } from 'fastify'
import type { Logger } from 'pino'
import type { Detail, ErrorCode } from '../errors.ts'
import { Problem } from '../errors.ts'
import type { App, Reply, Request } from './app.ts'
import { type ErrorFormat, errorFormatOf } from './error-format.ts'

const maxDetails = 50

export function handleErrors(app: App, log: Logger, formats: readonly ErrorFormat[]): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const problem = toProblem(error)
    if (problem.status === 500) log.error({ reqId: request.id, err: error }, 'a request failed')
    return sendProblem(request, reply, problem, formats)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.originalUrl.split('?', 1)[0]
    return sendProblem(
      request,
      reply,
      new Problem('not_found', `There is no ${request.method} ${path}. The routes are listed at /docs.`),
      formats,
    )
  })
}

/** Larger uploads are cut off when they are rejected. */
const maxDiscardedBytes = 64 * 1024 * 1024

export function sendProblem(request: Request, reply: Reply, problem: Problem, formats: readonly ErrorFormat[]): Reply {
  const { status, code, message, details } = problem
  const common = { code, request_id: request.id, ...(details && { details }) }
  reply.status(status).headers(problem.headers)
  if (status === 401)
    reply.header(
      'www-authenticate',
      `Bearer realm="parley"${code === 'invalid_token' ? ', error="invalid_token"' : ''}`,
    )
  // Closing the connection now would fail a client that is still sending before it reads this response.
  if (Number(request.headers['content-length']) <= maxDiscardedBytes) reply.removeHeader('connection')
  if (request.headers.accept?.includes('application/problem+json')) {
    const body = { type: `urn:parley:error:${code}`, title: STATUS_CODES[status], status, detail: message, ...common }
    return reply.type('application/problem+json').serializer(JSON.stringify).send(body)
  }
  const format = errorFormatOf(formats, request.url)
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(format?.body(problem, request.id) ?? { success: false, error: message, ...common })
}

/** Fastify's errors and their codes in our catalogue. */
const frameworkCodes: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'This route does not accept that content type. Send "Content-Type: application/json".',
  ],
  FST_ERR_CTP_EMPTY_TYPE: [
    'unsupported_media_type',
    'The body has no content type. Send "Content-Type: application/json".',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body is larger than this route accepts.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_request', 'The length of the body does not match its Content-Length.'],
  FST_ERR_BAD_URL: ['invalid_request', 'The URL is not validly encoded.'],
  FST_ERR_ASYNC_CONSTRAINT: ['invalid_request', 'The request cannot be routed.'],
}

export function toProblem(error: FastifyError | Problem): Problem {
  if (error instanceof Problem) return error
  if (error.validation) return validationProblem(error.validation as unknown as ErrorObject[], error.validationContext)
  const known = frameworkCodes[error.code]
  if (known) return new Problem(known[0], known[1])
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Problem('invalid_request', error.message)
  }
  return new Problem('internal_error', 'Internal error. Find the cause in the log by the request ID.')
}

function validationProblem(errors: ErrorObject[], context = 'body'): Problem {
  const details: Detail[] = []
  for (const error of errors) {
    const detail = describe(error, context)
    if (!details.some((other) => other.path === detail.path && other.message === detail.message)) details.push(detail)
    if (details.length === maxDetails) break
  }
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  return new Problem(
    'invalid_request',
    first ? `${first.path}: ${first.message}${more}` : 'The request is not valid.',
    { details },
  )
}

function describe(error: ErrorObject, context: string): Detail {
  const noun = context === 'querystring' ? 'parameter' : 'field'
  const at = error.instancePath
    .slice(1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
  const inside = (name: string) => (at ? `${at}.${name}` : name)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: inside(error.params.additionalProperty), message: `is not a known ${noun}` }
    case 'required':
      return { path: inside(error.params.missingProperty), message: 'is required' }
    case 'enum': {
      const values = (error.params.allowedValues as unknown[]).filter((value) => value !== null)
      return { path: at || context, message: `must be one of ${values.join(', ')}` }
    }
    case 'type': {
      const types = [error.params.type].flat().join(' or ')
      return { path: at || context, message: at || context !== 'body' ? `must be ${types}` : 'must be a JSON object' }
    }
    case 'pattern':
      return {
        path: at || context,
        message:
          (error.parentSchema as { patternMessage?: string })?.patternMessage ?? `must match ${error.params.pattern}`,
      }
    default:
      return {
        path: at || context,
        message: (error.message ?? 'is not valid').replace('must NOT have', 'must not have'),
      }
  }
}

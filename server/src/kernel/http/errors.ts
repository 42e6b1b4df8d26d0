import { STATUS_CODES } from 'node:http'
import type { ErrorObject } from 'ajv'
import type { FastifyError } from 'fastify'
import type { Logger } from 'pino'
import type { ErrorCode } from '../errors.ts'
import { Problem } from '../errors.ts'
import { isDiskFull, isUnavailable } from '../store/failures.ts'
import type { App, Reply, Request } from './app.ts'
import { ClientDisconnected } from './disconnect-signal.ts'
import { type ErrorFormat, findErrorFormat } from './error-format.ts'
import { validationProblem } from './validation-problem.ts'

export function handleErrors(app: App, log: Logger, formats: readonly ErrorFormat[]): void {
  app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
    const problem = toProblem(error)
    if (error instanceof ClientDisconnected) log.info({ reqId: request.id }, 'the client disconnected')
    else if (problem.status === 500 || (problem.status === 503 && problem !== error))
      log.error({ reqId: request.id, err: error }, 'a request failed')
    return sendProblem(request, reply, problem, formats)
  })
  app.setNotFoundHandler((request, reply) => {
    const path = request.originalUrl.split('?', 1)[0]
    return sendProblem(
      request,
      reply,
      new Problem('not_found', `There is no ${request.method} ${path}. The routes are listed at /docs/reference.`),
      formats,
    )
  })
}

/** Larger uploads are cut off when they are rejected. */
const maxDiscardedBytes = 64 * 1024 * 1024

/** Messages quote the input, which may be megabytes. */
const maxMessageLength = 4000
const maxPathLength = 500

const shortened = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text)
export const shortMessage = (message: string): string => shortened(message, maxMessageLength)
export const shortPath = (path: string): string => shortened(path, maxPathLength)

export function sendProblem(request: Request, reply: Reply, problem: Problem, formats: readonly ErrorFormat[]): Reply {
  const { status, code } = problem
  reply.status(status).headers(problem.headers)
  if (status === 401)
    reply.header(
      'www-authenticate',
      `Bearer realm="parley"${code === 'invalid_token' ? ', error="invalid_token"' : ''}`,
    )
  // Closing the connection now would fail a client that is still sending before it reads this response.
  if (Number(request.headers['content-length']) <= maxDiscardedBytes) reply.removeHeader('connection')
  if (request.headers.accept?.includes('application/problem+json')) {
    const body = problemDetails(problem, request.id)
    return reply.type('application/problem+json').serializer(JSON.stringify).send(body)
  }
  const format = findErrorFormat(formats, request.url)
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(format?.body(problem, request.id) ?? errorBody(problem, request.id))
}

/** The fields that every format of an error has. */
export const commonFields = ({ code, details }: Problem, requestId: string) => ({
  code,
  request_id: requestId,
  ...(details && {
    details: details.map(({ path, message }) => ({
      path: shortPath(path),
      message: shortMessage(message),
    })),
  }),
})

/** The body of an error response. */
export const errorBody = (problem: Problem, requestId: string) => ({
  success: false,
  error: shortMessage(problem.message),
  ...commonFields(problem, requestId),
})

/** An error in the format of RFC 9457. */
export const problemDetails = (problem: Problem, requestId: string) => ({
  type: `urn:parley:error:${problem.code}`,
  title: STATUS_CODES[problem.status],
  status: problem.status,
  detail: shortMessage(problem.message),
  ...commonFields(problem, requestId),
})

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
  if (isDiskFull(error)) {
    return new Problem('overloaded', 'The disk of the database is full. An operator must free some space.', {
      headers: { 'retry-after': '60' },
    })
  }
  if (isUnavailable(error)) {
    return new Problem('overloaded', 'The database does not respond. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    })
  }
  return new Problem('internal_error', 'Internal error. Find the cause in the log by the request ID.')
}

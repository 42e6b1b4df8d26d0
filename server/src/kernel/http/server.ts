import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import Fastify, { type RawServerDefault } from 'fastify'
import type { Context } from '../context.ts'
import type { ErrorCode } from '../errors.ts'
import { type AccessSettings, addressKey, enforceAccess } from './access.ts'
import { type App, mebibyte } from './app.ts'
import { auditActions } from './audit.ts'
import { limitBodyTime, requestTimeout } from './body-deadline.ts'
import { closeUnusedConnections } from './close-connections.ts'
import type { ErrorFormat } from './error-format.ts'
import { handleErrors, sendProblem, toProblem } from './errors.ts'
import { handleEtags } from './etag.ts'
import { handleIdempotencyKeys } from './idempotency.ts'
import { parseJsonBodies } from './json-body.ts'
import { measureRequests } from './metrics.ts'
import { collectRoutes, type DocumentedRoute } from './openapi/routes.ts'
import { serializerCompiler, validatorCompiler } from './schema-compilers.ts'
import { traceRequests } from './trace-requests.ts'

const validRequestId = /^[\w.:/+=@-]{1,128}$/
const currentVersion = /^\/api\/v1\//
/** The path that Prometheus reads by default. */
const defaultMetrics = /^\/metrics(?=\?|$)/
/** Only in the API: pages of the documentation redirect to their address without one. */
const trailingSlash = /^(\/api\/[^?]*[^?/])\/(?=\?|$)/
/** Browsers must not guess another type, such as HTML in a document that was uploaded. */
const noSniffing = ['x-content-type-options', 'nosniff'] as const

/** Creates the HTTP server with everything that all routes share. */
export async function createServer(
  ctx: Context,
  access: AccessSettings,
  errorFormats: readonly ErrorFormat[],
  { bodyTimeout }: { bodyTimeout?: number | undefined } = {},
): Promise<{ app: App; routes: DocumentedRoute[] }> {
  const { config } = ctx
  const app: App = Fastify<RawServerDefault>({
    trustProxy: trustFunction(config.trustProxy),
    bodyLimit: mebibyte,
    requestTimeout,
    routerOptions: { maxParamLength: 16_384 },
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const sent = headers['x-request-id']
      return typeof sent === 'string' && validRequestId.test(sent) ? sent : ctx.newId('req')
    },
    rewriteUrl: ({ url = '/' }) =>
      url.replace(currentVersion, '/api/').replace(defaultMetrics, '/api/metrics').replace(trailingSlash, '$1'),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header(...noSniffing)
      const count = async () => access.limiter.count(reply, addressKey(request), access.defaultLimit)
      const respond = () => sendProblem(request, reply, toProblem(error), errorFormats)
      count().then(respond, (limit) => sendProblem(request, reply, limit, errorFormats))
    },
    clientErrorHandler: (error, socket) => rejectMalformed(error as NodeJS.ErrnoException, socket, ctx.newId('req')),
    forceCloseConnections: 'idle',
  })

  app.addHook('onRequest', (_request, reply, next) => {
    reply.header(...noSniffing)
    next()
  })
  if (config.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: config.corsOrigins.includes('*') ? '*' : config.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'X-Request-Id',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'Idempotent-Replayed',
      ],
      maxAge: 600,
    })
  }
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  limitBodyTime(app, bodyTimeout)
  parseJsonBodies(app)
  handleErrors(app, ctx.log, errorFormats)
  const routes = collectRoutes(app, errorFormats)
  traceRequests(app, ctx.telemetry)
  enforceAccess(app, access)
  handleEtags(app)
  handleIdempotencyKeys(app, ctx)
  auditActions(app, ctx)
  measureRequests(app, ctx)
  closeUnusedConnections(app)
  return { app, routes }
}

const trustFunction = (proxies: boolean | number | string) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies

const clientErrors: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

/** Input that is not HTTP never reaches a route, but still gets an error in the usual format. */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, message] = clientErrors[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const code: ErrorCode = 'invalid_request'
  const body = JSON.stringify({ success: false, error: message, code, request_id: requestId })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nX-Request-Id: ${requestId}\r\n${noSniffing.join(': ')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

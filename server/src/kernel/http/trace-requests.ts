import type { RequestSpan } from '../telemetry/spans.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { parseTraceparent } from '../telemetry/traceparent.ts'
import type { App } from './app.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: RequestSpan | null
  }
}

/** Takes over the client's trace context. With OpenTelemetry, every request that needs a token is a span. */
export function traceRequests(app: App, { tracing }: Telemetry): void {
  app.decorateRequest('traceparent', null)
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, next) => {
    const { traceparent } = request.headers
    const { may, url: route } = request.routeOptions.config
    if (tracing && may && may !== 'public' && route !== undefined) {
      const [path = ''] = request.url.split('?', 1)
      request.span = tracing.request({ method: request.method, route, path, traceparent })
      request.traceparent = request.span.traceparent
    } else if (parseTraceparent(traceparent)) request.traceparent = traceparent as string
    next()
  })
  if (!tracing) return
  app.addHook('onResponse', (request, reply, next) => {
    request.span?.end(reply.statusCode)
    next()
  })
}

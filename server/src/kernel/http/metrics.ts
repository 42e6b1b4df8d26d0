import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Jobs } from '../jobs/jobs.ts'
import type { App } from './app.ts'

export interface Metrics {
  text(): Promise<string>
  contentType: string
  registry: Registry
}

export function createMetrics(jobs: Jobs): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'parley_' })
  new Gauge({
    name: 'parley_jobs',
    help: 'Background jobs by status.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      for (const [status, count] of Object.entries(await jobs.counts())) this.set({ status }, count)
    },
  })
  return { registry, contentType: registry.contentType, text: () => registry.metrics() }
}

/** Counts and times every request by route, and writes one line for each to the log. */
export function measureRequests(app: App, { registry }: Metrics): void {
  const labelNames = ['method', 'route', 'status'] as const
  const total = new Counter({
    name: 'parley_http_requests_total',
    help: 'Requests answered.',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    total.inc({ method: request.method, route, status: reply.statusCode })
    seconds.observe({ method: request.method, route }, reply.elapsedTime / 1000)
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      'answered',
    )
    done()
  })
}

import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Context } from '../context.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { App } from './app.ts'
import { createRouteTimes } from './route-times.ts'

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
export function measureRequests(app: App, { metrics, logRequest }: Pick<Context, 'metrics' | 'logRequest'>): void {
  const note = createRouteTimes(metrics.registry)
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const { config } = request.routeOptions
    const { url: route = 'unknown' } = config
    const status = reply.statusCode
    const milliseconds = reply.elapsedTime
    note(request.is404 ? method : config, method, route, status, milliseconds / 1000)
    logRequest({ id, method, route, status, milliseconds })
    done()
  })
}

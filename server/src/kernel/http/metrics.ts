import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { createMeters, type Meters } from '../telemetry/meters.ts'
import type { App } from './app.ts'

export interface Metrics extends Meters {
  text(): Promise<string>
  contentType: string
  registry: Registry
}

export function createMetrics(jobs: Jobs): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'parley_' })
  new Gauge({
    name: 'parley_jobs',
    help: 'Background jobs by status. The due ones are part of the queued ones.',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      for (const [status, count] of Object.entries(await jobs.counts())) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'parley_job_queue_depth',
    help: 'Jobs that are due and wait for a worker.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const { queue, depth } of await jobs.waiting()) this.set({ queue }, depth)
    },
  })
  new Gauge({
    name: 'parley_job_queue_oldest_seconds',
    help: 'How long the oldest of these jobs has waited.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const { queue, oldestSeconds } of await jobs.waiting()) this.set({ queue }, oldestSeconds)
    },
  })
  const { contentType } = registry
  return { registry, contentType, text: () => registry.metrics(), ...createMeters(registry) }
}

const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Counts and times every request by route, and logs one line for each. */
export function measureRequests(
  app: App,
  { metrics, logRequest }: { metrics: Metrics; logRequest: Log['logRequest'] },
): void {
  const registers = [metrics.registry]
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Completed requests.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const { url: route = 'unknown' } = request.routeOptions.config
    const status = reply.statusCode
    const milliseconds = reply.elapsedTime
    requests.inc({ method, route, status })
    durations.observe({ method, route }, milliseconds / 1000)
    logRequest({ id, method, route, status, milliseconds })
    done()
  })
}

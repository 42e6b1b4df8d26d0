import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import { byLabels } from '../telemetry/by-labels.ts'
import { registerJobGauges } from '../telemetry/job-gauges.ts'
import { createMeters, type Meters } from '../telemetry/meters.ts'
import type { App } from './app.ts'

export interface Metrics extends Meters {
  text(): Promise<string>
  contentType: string
  registry: Registry
}

/** Made once: its observer and timer of the process cannot be stopped, and would keep every closed service in memory. */
const processMetrics = new Registry()
collectDefaultMetrics({ register: processMetrics, prefix: 'parley_' })

export function createMetrics(jobs: Jobs): Metrics {
  const registry = Registry.merge([processMetrics]) as Registry
  registerJobGauges(registry, jobs)
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
  const requestsWith = byLabels((method, route, status) => requests.labels(method, route, status))
  const durationsWith = byLabels((method, route) => durations.labels(method, route))
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const { url: route = 'unknown' } = request.routeOptions.config
    const status = reply.statusCode
    const milliseconds = reply.elapsedTime
    requestsWith(method, route, String(status)).inc()
    durationsWith(method, route).observe(milliseconds / 1000)
    logRequest({ id, method, route, status, milliseconds })
    done()
  })
}

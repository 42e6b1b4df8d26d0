import type { Metric, Registry } from 'prom-client'

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const countName = 'parley_http_requests_total'
const timeName = 'parley_http_request_duration_seconds'

interface Route {
  method: string
  route: string
  statuses: Map<number, number>
  /** How many took at most as long as each bound and longer than the one before; the last is for those beyond all. */
  buckets: number[]
  sum: number
}

interface Sample {
  labels: Record<string, string | number>
  value: number
  metricName?: string
}

/**
 * Requests by route, counted and timed. Every request passes here, so it costs no more than a few additions; the forms
 * that Prometheus reads are made when it asks.
 */
export function createRouteTimes(registry: Registry) {
  const routes = new Map<object | string, Route>()
  const enter = (type: 'counter' | 'histogram', name: string, help: string, samples: (route: Route) => Sample[]) => {
    const get = async () => ({ name, help, type, aggregator: 'sum', values: [...routes.values()].flatMap(samples) })
    registry.registerMetric({ name, get, reset() {} } as unknown as Metric)
  }
  enter('counter', countName, 'Requests answered.', ({ method, route, statuses }) =>
    [...statuses].map(([status, value]) => ({ labels: { method, route, status }, value })),
  )
  enter('histogram', timeName, 'Time from the first byte of a request to the last of its answer.', histogram)

  /** `of` stands for the method and the route: to look for their names would cost more. */
  return (of: object | string, method: string, route: string, status: number, seconds: number): void => {
    let known = routes.get(of)
    if (!known) {
      known = { method, route, statuses: new Map(), buckets: Array<number>(bounds.length + 1).fill(0), sum: 0 }
      routes.set(of, known)
    }
    known.statuses.set(status, (known.statuses.get(status) ?? 0) + 1)
    known.sum += seconds
    let bucket = 0
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket++
    known.buckets[bucket] = (known.buckets[bucket] as number) + 1
  }
}

function histogram({ method, route, buckets, sum }: Route): Sample[] {
  let count = 0
  const samples: Sample[] = buckets.map((inBucket, index) => {
    count += inBucket
    const le = bounds[index] ?? '+Inf'
    return { labels: { le, method, route }, value: count, metricName: `${timeName}_bucket` }
  })
  return [
    ...samples,
    { labels: { method, route }, value: sum, metricName: `${timeName}_sum` },
    { labels: { method, route }, value: count, metricName: `${timeName}_count` },
  ]
}

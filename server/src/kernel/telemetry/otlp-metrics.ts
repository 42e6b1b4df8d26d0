import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'
import { within } from '../within.ts'
import { schemaUrl } from './attributes.ts'
import { type ClientMetrics, createClientMetrics } from './client-metrics.ts'
import type { TelemetrySettings } from './settings.ts'

type PromMetric = MetricObjectWithValues<MetricValue<string> & { metricName?: string }>

const flushTimeout = 5000

/** Exports the metrics of `/metrics` over OTLP as well, under the same names, and those of the conventions. */
export function exportMetrics(
  settings: TelemetrySettings,
  url: string,
  registry: Registry,
  resource: Record<string, string>,
): { client: ClientMetrics; close(): Promise<void> } {
  const { headers, timeout, metricInterval } = settings
  const since = toHrTime(Date.now())
  const scope = { name: 'parley' }
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, headers, timeoutMillis: timeout }),
    exportIntervalMillis: metricInterval,
    exportTimeoutMillis: Math.min(timeout, metricInterval),
    metricProducers: [
      {
        async collect() {
          const registered = (await registry.getMetricsAsJSON()) as unknown as PromMetric[]
          const metrics = registered.flatMap((metric) => toMetric(metric, since, toHrTime(Date.now())))
          return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors: [] }
        },
      },
    ],
  })
  const provider = new MeterProvider({ resource: resourceFromAttributes(resource), readers: [reader] })
  const meter = provider.getMeter('parley', resource['service.version'], { schemaUrl })
  return { client: createClientMetrics(meter), close: () => within(flushTimeout, provider.shutdown()) }
}

const toHrTime = (milliseconds: number): HrTime => [Math.floor(milliseconds / 1000), (milliseconds % 1000) * 1e6]

function toMetric({ name, help, type, values }: PromMetric, startTime: HrTime, endTime: HrTime): MetricData[] {
  const common = {
    descriptor: { name, description: help, unit: findUnit(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const times = { startTime, endTime }
  const points = () => values.map(({ labels, value }) => ({ ...times, attributes: labels as Attributes, value }))
  switch (String(type)) {
    case 'counter':
      return [{ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }]
    case 'gauge':
      return [{ ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() }]
    case 'histogram':
      return [{ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(values, times) }]
    default:
      return [] // summaries have no counterpart
  }
}

const findUnit = (name: string): string => (/_seconds/.test(name) ? 's' : /_bytes/.test(name) ? 'By' : '')

/** Prometheus counts a bucket into all larger ones, OpenTelemetry does not. */
function histograms(
  values: PromMetric['values'],
  times: Pick<DataPoint<Histogram>, 'startTime' | 'endTime'>,
): DataPoint<Histogram>[] {
  const byLabels = Map.groupBy(values, ({ labels: { le, ...labels } }) => JSON.stringify(labels))
  return [...byLabels.values()].map((series) => {
    const of = (suffix: string) => series.filter(({ metricName }) => metricName?.endsWith(suffix))
    const buckets = of('_bucket')
    const { le, ...attributes } = buckets[0]?.labels ?? {}
    const cumulative = buckets.map(({ value }) => value)
    return {
      ...times,
      attributes: attributes as Attributes,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite),
          counts: cumulative.map((count, at) => count - (cumulative[at - 1] ?? 0)),
        },
        sum: of('_sum')[0]?.value ?? 0,
        count: of('_count')[0]?.value ?? 0,
      },
    }
  })
}

/** Settings from the standard environment variables of OpenTelemetry. */
export interface TelemetrySettings {
  /** Null if this signal is not exported. */
  tracesUrl: string | null
  metricsUrl: string | null
  headers: Record<string, string>
  timeout: number
  resource: Record<string, string>
  sampler: { name: SamplerName; ratio: number }
  /** Whether spans carry prompts, replies, arguments and results. */
  capturesContent: boolean
  /** Milliseconds between two exports, and how many spans may wait. */
  traceDelay: number
  maxQueueSize: number
  metricInterval: number
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

/** How settings are read: each fails with one line that names the variable. */
export interface Reader {
  text(name: string): string | null
  url(name: string, protocols: string[]): string | null
  integer(name: string, fallback: number, min: number, max: number): number
  choice<T extends string>(name: string, values: readonly T[], fallback: T): T
  fail(name: string, wanted: string): never
  /** Fails with this line. */
  reject(line: string): never
}

/** Null unless an endpoint is configured. */
export function telemetrySettings(read: Reader): TelemetrySettings | null {
  if (read.text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return null
  const base = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  const signalUrl = (signal: 'traces' | 'metrics') => {
    const name = signal.toUpperCase()
    const own = read.url(`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`, ['http:', 'https:'])
    if (read.choice(`OTEL_${name}_EXPORTER`, ['otlp', 'none'], 'otlp') === 'none') return null
    return own ?? (base && `${base.replace(/\/+$/, '')}/v1/${signal}`)
  }
  const tracesUrl = signalUrl('traces')
  const metricsUrl = signalUrl('metrics')
  if (tracesUrl === null && metricsUrl === null) return null
  read.choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], 'http/protobuf')
  const resource = pairs(read, 'OTEL_RESOURCE_ATTRIBUTES')
  const service = read.text('OTEL_SERVICE_NAME') ?? resource['service.name'] ?? 'parley'
  return {
    tracesUrl,
    metricsUrl,
    headers: pairs(read, 'OTEL_EXPORTER_OTLP_HEADERS'),
    timeout: read.integer('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, 1, 600_000),
    resource: { ...resource, 'service.name': service },
    sampler: { name: read.choice('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'), ratio: ratio(read) },
    capturesContent:
      read.choice('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', ['true', 'false'], 'false') === 'true',
    traceDelay: read.integer('OTEL_BSP_SCHEDULE_DELAY', 5000, 1, 600_000),
    maxQueueSize: read.integer('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 1, 1_000_000),
    metricInterval: read.integer('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 1, 3_600_000),
  }
}

function ratio(read: Reader): number {
  const name = 'OTEL_TRACES_SAMPLER_ARG'
  const value = Number(read.text(name) ?? 1)
  return value >= 0 && value <= 1 ? value : read.fail(name, 'a number from 0 to 1')
}

/** A list such as `name=value,other=value`, percent-encoded. Its values may be secrets, so they are never shown. */
function pairs(read: Reader, name: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const pair of (read.text(name) ?? '').split(',')) {
    if (pair.trim() === '') continue
    const [key = '', value] = split(pair)
    if (key === '' || value === undefined) read.reject(`${name} must be a list such as name=value,other=value.`)
    else headers[key] = value
  }
  return headers
}

function split(pair: string): [key: string, value: string] | [] {
  const at = pair.indexOf('=')
  if (at < 1) return []
  try {
    return [decodeURIComponent(pair.slice(0, at).trim()), decodeURIComponent(pair.slice(at + 1).trim())]
  } catch {
    return []
  }
}

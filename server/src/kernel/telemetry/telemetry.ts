import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { RemoteFacts, Step, TurnObserver } from '../agent/steps.ts'
import type { ClientMetrics } from './client-metrics.ts'
import type { Meters } from './meters.ts'
import type { TelemetrySettings } from './settings.ts'
import type { Tracing, TurnStart } from './spans.ts'

export interface Telemetry {
  /** Follows a turn. */
  turn(start: TurnStart): TurnObserver
  /** Null unless OpenTelemetry is configured. */
  tracing: Tracing | null
  close(): Promise<void>
}

export interface Instance {
  version: string
  node: string
  log: Logger
}

/** The packages of OpenTelemetry are only loaded if it is configured. */
export async function openTelemetry(
  settings: TelemetrySettings | null,
  metrics: Meters & { registry: Registry },
  { version, node, log }: Instance,
): Promise<Telemetry> {
  const closing: (() => Promise<void>)[] = []
  let tracing: Tracing | null = null
  let client: ClientMetrics | null = null
  const resource = { ...settings?.resource, 'service.version': version, 'service.instance.id': node }
  if (settings?.tracesUrl) {
    const { openTracing } = await import('./tracing.ts')
    tracing = openTracing(settings, settings.tracesUrl, resource, log)
    closing.push(tracing.close)
  }
  if (settings?.metricsUrl) {
    const { exportMetrics } = await import('./otlp-metrics.ts')
    const exported = exportMetrics(settings, settings.metricsUrl, metrics.registry, resource)
    client = exported.client
    closing.push(exported.close)
  }
  return {
    tracing,
    turn: (start) => observeTurn(metrics, tracing, client, start),
    async close() {
      // Data that the collector does not accept in time is lost, but must not fail the shutdown.
      for (const result of await Promise.allSettled(closing.map((close) => close()))) {
        if (result.status === 'rejected') log.warn({ err: result.reason }, 'telemetry could not be exported')
      }
    },
  }
}

function observeTurn(
  meters: Meters,
  tracing: Tracing | null,
  client: ClientMetrics | null,
  start: TurnStart,
): TurnObserver {
  const startedAt = performance.now()
  const spans = tracing?.turn(start) ?? null
  let hasText = start.resumed !== undefined
  let isFinished = false
  return {
    capturesContent: spans?.capturesContent ?? false,
    describe: (facts) => spans?.describe(facts),
    started: (step, parent) => spans?.started(step, parent),
    content: (step, content) => spans?.content(step, content),
    ...((spans || client) && {
      remote(step: Step, facts: RemoteFacts) {
        spans?.remote?.(step, facts)
        client?.remote(step, facts)
      },
    }),
    ended(step) {
      meters.stepEnded(step)
      spans?.ended(step)
      client?.ended(step)
      if (step.firstText === undefined || step.type !== 'model' || hasText) return
      hasText = true
      meters.firstToken((step.at + step.firstText) / 1000)
    },
    finished(status, error) {
      if (isFinished) return
      isFinished = true
      meters.turnEnded(status, (performance.now() - startedAt) / 1000)
      spans?.finished(status, error)
    },
    traceparent: (step) => (spans ? spans.traceparent(step) : (start.resumed?.traceparent ?? start.request)),
  }
}

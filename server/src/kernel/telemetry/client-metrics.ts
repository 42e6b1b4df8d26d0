import { type Attributes, type Meter, ValueType } from '@opentelemetry/api'
import type { RemoteFacts, Step } from '../agent/steps.ts'
import { isClient, remoteAttributes, stepAttributes } from './attributes.ts'

/** Records the calls of models by the conventions for clients. */
export interface ClientMetrics {
  remote(step: Step, facts: RemoteFacts): void
  ended(step: Step): void
}

/** The boundaries that the conventions recommend. */
const durationBounds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const firstChunkBounds = [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power)

const labels = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.response.model',
  'server.address',
  'server.port',
  'error.type',
]

export function createClientMetrics(meter: Meter): ClientMetrics {
  const histogram = (name: string, unit: string, description: string, bounds: number[], valueType: ValueType) =>
    meter.createHistogram(name, { unit, description, valueType, advice: { explicitBucketBoundaries: bounds } })
  const seconds = (name: string, description: string, bounds: number[]) =>
    histogram(`gen_ai.client.operation.${name}`, 's', description, bounds, ValueType.DOUBLE)
  const durations = seconds('duration', 'Time of a model call, with its retries.', durationBounds)
  const firstChunks = seconds('time_to_first_chunk', 'Time from a request to its first text.', firstChunkBounds)
  const tokens = histogram(
    'gen_ai.client.token.usage',
    '{token}',
    'Tokens of a model call, as its provider reports them.',
    tokenBounds,
    ValueType.INT,
  )
  const remotes = new WeakMap<Step, RemoteFacts>()
  return {
    remote: (step, facts) => void remotes.set(step, { ...remotes.get(step), ...facts }),
    ended(step) {
      const attributes = pick({ ...stepAttributes(step), ...remoteAttributes(remotes.get(step) ?? {}) })
      if (!isClient(step) || attributes['gen_ai.operation.name'] === undefined) return
      durations.record((step.ms ?? 0) / 1000, attributes)
      if (step.firstText !== undefined) firstChunks.record(step.firstText / 1000, attributes)
      if (!step.usage || step.estimated) return
      const { 'error.type': _, ...used } = attributes
      tokens.record(step.usage.input, { ...used, 'gen_ai.token.type': 'input' })
      if (step.type === 'model') tokens.record(step.usage.output, { ...used, 'gen_ai.token.type': 'output' })
    },
  }
}

const pick = (attributes: Attributes): Attributes =>
  Object.fromEntries(labels.flatMap((name) => (attributes[name] === undefined ? [] : [[name, attributes[name]]])))

import { Counter, Histogram, type Registry } from 'prom-client'
import type { Step, TurnStatus } from '../agent/steps.ts'
import { byLabels } from './by-labels.ts'

/** Up to here a model answers within a moment; some take minutes. */
const modelBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300]
const turnBuckets = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300, 600]
const toolBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const searchBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Workspaces name their models freely, and each name is a separate time series. */
const maxModels = 200

const modelTypes = { model: 'chat', embedding: 'embedding', rerank: 'rerank' } as const

/** One call as the ledger has it. */
interface BilledCall {
  type: 'chat' | 'embedding' | 'rerank'
  provider: string
  model: string
  input: number
  output: number
  /** Nano-dollars. */
  cost: number
}

const turnStatuses: TurnStatus[] = ['completed', 'failed', 'interrupted', 'cancelled', 'refused', 'awaiting_approval']

export interface Meters {
  turnEnded(status: TurnStatus, seconds: number | null): void
  firstToken(seconds: number): void
  stepEnded(step: Step): void
  billed(call: BilledCall): void
  searched(mode: string, seconds: number): void
}

/** Metrics of agents. */
export function createMeters(registry: Registry): Meters {
  const registers = [registry]
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <T extends string>(name: string, help: string, labelNames: readonly T[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })

  const turns = counter('parley_turns_total', 'Turns that ended, or paused for approval.', ['status'])
  // A series that begins with its first turn hides that turn from rate() and increase().
  for (const status of turnStatuses) turns.inc({ status }, 0)
  const turnTimes = histogram(
    'parley_turn_duration_seconds',
    'Time of a turn, without waits for approval.',
    ['status'],
    turnBuckets,
  )
  const firstTokens = histogram(
    'parley_time_to_first_token_seconds',
    'Time from the start of a turn to its first text.',
    [],
    modelBuckets,
  )
  const modelTimes = histogram(
    'parley_model_call_duration_seconds',
    'Time of a model call in a turn, with its retries.',
    ['type', 'provider', 'model', 'status'],
    modelBuckets,
  )
  const toolTimes = histogram(
    'parley_tool_call_duration_seconds',
    'Time of a tool call in a turn.',
    ['type', 'status'],
    toolBuckets,
  )
  const searches = histogram('parley_search_duration_seconds', 'Time of a search in an index.', ['mode'], searchBuckets)
  const modelLabels = ['type', 'provider', 'model'] as const
  const tokens = counter('parley_tokens_total', 'Tokens in the ledger.', [...modelLabels, 'direction'])
  const cost = counter('parley_cost_dollars_total', 'Cost in the ledger, in US dollars.', modelLabels)
  const calls = counter('parley_model_calls_total', 'Model calls in the ledger.', modelLabels)

  const models = new Set<string>()
  const modelLabel = (provider: string, model: string): string => {
    const name = `${provider} ${model}`
    if (models.size < maxModels) models.add(name)
    return models.has(name) ? model : 'other'
  }
  // Metrics are bound to their labels once, because every turn counts a dozen of them.
  const turn = byLabels((status: string) => ({ count: turns.labels(status), time: turnTimes.labels(status) }))
  const search = byLabels((mode: string) => searches.labels(mode))
  const tool = byLabels((type: string, status: string) => toolTimes.labels(type, status))
  const modelTime = byLabels((type: string, provider: string, model: string, status: string) =>
    modelTimes.labels(type, provider, model, status),
  )
  const ledger = byLabels((type: string, provider: string, model: string) => ({
    calls: calls.labels(type, provider, model),
    input: tokens.labels(type, provider, model, 'input'),
    output: tokens.labels(type, provider, model, 'output'),
    cost: cost.labels(type, provider, model),
  }))
  return {
    turnEnded(status, seconds) {
      const { count, time } = turn(status)
      count.inc()
      if (seconds !== null) time.observe(seconds)
    },
    firstToken: (seconds) => firstTokens.observe(seconds),
    searched: (mode, seconds) => search(mode).observe(seconds),
    stepEnded({ type, ms, name = '', provider = '', failure: status = 'completed' }) {
      const seconds = (ms ?? 0) / 1000
      if (type === 'tool' || type === 'retrieval') tool(type, status).observe(seconds)
      if (type === 'model' || type === 'embedding' || type === 'rerank')
        modelTime(modelTypes[type], provider, modelLabel(provider, name), status).observe(seconds)
    },
    billed({ type, provider, model, input, output, cost: nano }) {
      const counters = ledger(type, provider, modelLabel(provider, model))
      counters.calls.inc()
      counters.input.inc(input)
      counters.output.inc(output)
      counters.cost.inc(nano / 1e9)
    },
  }
}

import { type AgentListener, type ModelCall, runAgent } from '../../kernel/agent/loop.ts'
import { Steps } from '../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { budgetFor } from '../models/calls.ts'
import { connect, type ModelRow, windowOf } from '../models/service.ts'
import { costOf as priceOf } from '../usage/cost.ts'
import { type Bill, bill, type Charge, type Purpose } from '../usage/ledger.ts'

export type LedgerEntry = Bill

interface ModelRequest {
  model: ModelRow
  messages: ModelMessage[]
  purpose: Purpose
  temperature: number | null
  signal: AbortSignal
}

/** The outcome of one model call. A failed call has costs, too. */
interface ModelResponse {
  text: string
  latencyMs: number
  entries: LedgerEntry[]
  failure: unknown
}

export async function callModel(ctx: Context, who: Caller, request: ModelRequest): Promise<ModelResponse> {
  const { model, messages, purpose, temperature, signal } = request
  const calls: ModelCall[] = []
  let text = ''
  let failure: unknown = null
  const listener: AgentListener = {
    onText(delta) {
      text += delta
    },
    onToolStarted() {},
    onToolFinished() {},
    onModelCall: (call) => calls.push(call),
  }
  const started = performance.now()
  const prices = new Map([[model.id, model.pricing]])
  const budget = await budgetFor(ctx, who, purpose, ctx.newId('use'), prices)
  try {
    const { id, provider, model_id: name } = model
    const contextWindow = windowOf(model)
    const models = [{ id, provider, name, contextWindow, model: connect(ctx, who.workspace, model) }]
    const run = { models, messages, tools: [], maxSteps: 1, temperature, maxTokens: null, signal, tokens: ctx.tokens }
    const steps = new Steps(ctx.now(), ctx.telemetry.call())
    await runAgent({ ...run, budget, steps, costOf: ({ usage }) => priceOf(usage, model.pricing) }, listener)
  } catch (error) {
    failure = error
  }
  const latencyMs = Math.round(performance.now() - started)
  const charges = calls.map(
    ({ modelId, usage, estimated }): Charge => ({
      kind: 'chat',
      modelId,
      provider: model.provider,
      model: model.model_id,
      usage,
      estimated,
      price: model.pricing,
    }),
  )
  const entry = await bill(ctx, who, purpose, charges, budget)
  entry.sent() // it is stored with the result of the case
  return { text, latencyMs, entries: [entry], failure }
}

export const tokensOf = (entries: LedgerEntry[]): number =>
  entries.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)

export const costOf = (entries: LedgerEntry[]): number =>
  entries.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.cost_nano, 0)

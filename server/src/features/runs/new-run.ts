import type { FoundPassages } from '../../kernel/agent/found-passages.ts'
import type { ModelChoice, PlannedCall } from '../../kernel/agent/generate.ts'
import { toolSpec } from '../../kernel/agent/offer.ts'
import type { Steps, TurnFacts } from '../../kernel/agent/steps.ts'
import type { AgentTool } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { AgentRow } from '../agents/service.ts'
import { budgetFor } from '../models/calls.ts'
import type { Price } from '../usage/cost.ts'
import type { Purpose } from '../usage/ledger.ts'
import { Meter } from '../usage/meter.ts'
import type { Shorten } from './history.ts'
import type { MessageRow } from './reply.ts'
import type { Binding, PreparedRun } from './setup.ts'
import type { Sink } from './sink.ts'

/** A run that is prepared but not started. */
export interface NewRun {
  reply: MessageRow
  run: PreparedRun
  /** Called when the start of the run is stored, if its messages do not fit. */
  shorten?: Shorten
  /** Identifies the run in its trace and its approvals. */
  facts: TurnFacts
  purpose: Purpose
  prices: Map<string, Price | null>
  steps: Steps
  sink: Sink
  /** The passages of the run that it continues. New ones are numbered after them. */
  found?: FoundPassages
  /** The variables of the conversation, for the prompt of an agent that the reply is handed to. */
  variables?: Record<string, string>
  /** The version that the conversation is bound to, for a handoff back to its agent. */
  binding?: Binding | null
  /** Further tools that an agent has in this conversation. */
  conversationTools?(agent: AgentRow): Promise<AgentTool[]>
}

/** Meters the calls of a run. A sink that stores progress also stores them. */
export async function openMeter(
  ctx: Context,
  who: Caller,
  { reply, purpose, prices, run, sink }: NewRun,
  store: (() => Promise<void>) | undefined,
): Promise<Meter> {
  return new Meter(ctx, who, purpose, {
    holder: reply.id,
    budget: await budgetFor(ctx, who, purpose, reply.id, prices),
    findModel: (modelId) => calledModel(run.models, prices, modelId),
    alongside: sink.start?.() ?? [],
    ...(sink.progress &&
      store && { keeper: { name: sink.progress.keeper, knowsFirst: sink.progress.knowsFirstCall, store } }),
  })
}

const calledModel = (models: readonly ModelChoice[], prices: Map<string, Price | null>, modelId: string) => {
  const { provider = '', name = '' } = models.find(({ id }) => id === modelId) ?? {}
  return { kind: 'chat' as const, provider, model: name, price: prices.get(modelId) ?? null }
}

/** The first model call of a run. */
export const firstCall = (run: PreparedRun): PlannedCall => ({
  modelId: run.models[0]?.id ?? '',
  messages: run.messages,
  tools: [...run.tools.map(toolSpec), ...(run.callerTools ?? [])],
  maxTokens: run.maxTokens,
})

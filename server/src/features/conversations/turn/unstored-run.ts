import { type AgentListener, type AgentOutcome, type ModelCall, runAgent } from '../../../kernel/agent/loop.ts'
import { failureOf, type Steps } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { type AuditedChange, auditStatements } from '../../../kernel/store/audit.ts'
import { budgetFor } from '../../models/calls.ts'
import { costOf, dollars } from '../../usage/cost.ts'
import type { Purpose } from '../../usage/ledger.ts'
import { MeteredCalls } from '../../usage/metered-calls.ts'
import type { AgentSetup, PreparedRun } from './agent-setup.ts'
import type { Turn } from './turn.ts'
import { explain, faultsIn, turnTimeout } from './turns.ts'

interface UnstoredRun {
  setup: AgentSetup
  run: PreparedRun
  purpose: Purpose
  steps: Steps
  signal: AbortSignal
  /** What the audit log says about it. */
  action: AuditedChange['action']
  /** Called when the budgets allow a call, before it is made. */
  onReserved?(): void
}

/** Runs an agent outside of a conversation. Only its usage is stored. Calls that need approval are refused. */
export async function runUnstored(
  ctx: Context,
  who: Caller,
  { setup, run, purpose, steps, signal, action, onReserved }: UnstoredRun,
  listener: AgentListener,
): Promise<AgentOutcome> {
  const holder = ctx.newId('use')
  const budget = await budgetFor(ctx, who, purpose, holder, setup.prices)
  const modelOf = (modelId: string) => calledModel(setup, modelId)
  const metered = new MeteredCalls(ctx, who, purpose, {
    holder,
    budget,
    modelOf,
    alongside: auditStatements(ctx, who, { action, kind: 'agent', id: setup.agent.id }),
  })
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(turnTimeout(ctx)), ctx.config.turnTimeout)
  try {
    const outcome = await runAgent(
      {
        ...run,
        signal: AbortSignal.any([signal, limit.signal]),
        tokens: ctx.tokens,
        purpose,
        budget: {
          async reserve(call) {
            const maxTokens = await metered.reserve(call)
            onReserved?.()
            return maxTokens
          },
          note: (call) => metered.note(call),
        },
        steps,
        costOf: ({ modelId, usage }) => costOf(usage, setup.prices.get(modelId) ?? null),
      },
      listener,
    )
    steps.finish('completed')
    return outcome
  } catch (error) {
    steps.finish(signal.aborted ? 'cancelled' : 'failed', failureOf(error).error)
    throw error
  } finally {
    clearTimeout(timer)
    await metered.close()
  }
}

const calledModel = ({ choices, prices }: AgentSetup, modelId: string) => {
  const { provider = '', name = '' } = choices.find(({ id }) => id === modelId) ?? {}
  return { kind: 'chat' as const, provider, model: name, price: prices.get(modelId) ?? null }
}

/** Ends a turn as it would be stored. */
export async function endUnstored(
  ctx: Context,
  turn: Turn,
  outcome: Promise<AgentOutcome>,
  { prices }: Pick<AgentSetup, 'prices'>,
  signal: AbortSignal,
): Promise<void> {
  const { row } = turn
  try {
    const { modelId: model_id, finishReason: finish_reason, output = null, handedOver } = await outcome
    if (handedOver) turn.onHandedOver(handedOver)
    Object.assign(row, { status: 'completed', model_id, finish_reason, output })
  } catch (error) {
    const [code, message] = explain(error)
    const isInternal = code === 'internal_error' && !signal.aborted
    if (isInternal) ctx.log.error({ err: error, agent: row.agent_id }, 'a turn that is not stored failed')
    if (signal.aborted) Object.assign(row, { status: 'cancelled', finish_reason: 'cancelled' })
    else
      Object.assign(row, { status: 'failed', finish_reason: 'error', code, error: message, details: faultsIn(error) })
  }
  await turn.keepUsedCitations().catch(() => {})
  turn.enter('storing')
  const ended = { latency_ms: turn.elapsed(), usage: usageOf(turn, prices), alive_at: ctx.now() }
  Object.assign(row, turn.progress(), ended)
  turn.enter('ended')
}

function usageOf({ modelCalls }: Turn, prices: AgentSetup['prices']): Turn['row']['usage'] {
  if (modelCalls.length === 0) return null
  const sum = (of: (call: ModelCall) => number) => modelCalls.reduce((total, call) => total + of(call), 0)
  const input_tokens = sum(({ usage }) => usage.input)
  const output_tokens = sum(({ usage }) => usage.output)
  const cost = dollars(sum(({ modelId, usage }) => costOf(usage, prices.get(modelId) ?? null)))
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, cost }
}

import { type AgentListener, type AgentOutcome, runAgent } from '../../../kernel/agent/loop.ts'
import { failureOf, type Steps } from '../../../kernel/agent/steps.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { budgetFor } from '../../models/calls.ts'
import { costOf } from '../../usage/cost.ts'
import type { Purpose } from '../../usage/ledger.ts'
import { MeteredCalls } from '../../usage/metered-calls.ts'
import type { AgentSetup, PreparedRun } from './prepare.ts'
import { turnTimeout } from './turns.ts'

interface UnstoredRun {
  setup: AgentSetup
  run: PreparedRun
  purpose: Purpose
  steps: Steps
  signal: AbortSignal
  /** Called when the budgets allow a call, before it is made. */
  onReserved?(): void
}

/** Runs an agent outside of a conversation. Only its usage is stored. Calls that need approval are refused. */
export async function runUnstored(
  ctx: Context,
  who: Caller,
  { setup, run, purpose, steps, signal, onReserved }: UnstoredRun,
  listener: AgentListener,
): Promise<AgentOutcome> {
  const holder = ctx.newId('use')
  const budget = await budgetFor(ctx, who, purpose, holder, setup.prices)
  const modelOf = (modelId: string) => calledModel(setup, modelId)
  const metered = new MeteredCalls(ctx, who, purpose, { holder, budget, modelOf })
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

import { specOf } from '../../../kernel/agent/offer.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { budgetFor } from '../../models/calls.ts'
import type { Budget } from '../../usage/budget.ts'
import type { Purpose } from '../../usage/ledger.ts'
import type { Preparation } from './prepare.ts'

/** What the model calls of a turn are billed to. */
export const purposeOf = ({ conversation, reply }: Pick<Preparation, 'conversation' | 'reply'>): Purpose => ({
  agentId: reply.agent_id,
  conversationId: conversation.id,
  messageId: reply.id,
  userId: conversation.user_id,
  evaluationId: conversation.evaluation_id,
})

/** The blocking thresholds of a turn; null where there are none. */
export const openTurnBudget = (ctx: Context, who: Caller, preparation: Preparation): Promise<Budget | null> =>
  budgetFor(ctx, who, purposeOf(preparation), preparation.reply.id, preparation.prices)

/** Reserves for the first call of a turn before anything is written, so that a refusal leaves no trace. */
export async function reserveAhead(ctx: Context, who: Caller, preparation: Preparation): Promise<Budget | null> {
  const { run } = preparation
  const budget = await openTurnBudget(ctx, who, preparation)
  const first = run.models[0]
  if (!budget || !first) return budget
  const tools = [...run.tools.map(specOf), ...(run.callerTools ?? [])]
  await budget.reserveAhead({ modelId: first.id, messages: run.messages, tools, maxTokens: run.maxTokens })
  return budget
}

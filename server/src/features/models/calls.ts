import type { PlannedCall } from '../../kernel/agent/loop.ts'
import type { Context } from '../../kernel/context.ts'
import { ProviderError, type TokenUsage } from '../../kernel/llm/model.ts'
import { type Budget, openBudget } from '../usage/budget.ts'
import type { Price } from '../usage/cost.ts'
import { bill, type Charge, type Payer, type Purpose } from '../usage/ledger.ts'
import { type ModelRow, models } from './service.ts'

/** The budget for calls of these models, or null if no threshold blocks them. */
export const budgetFor = (
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  holder: string,
  prices: Map<string, Price | null>,
): Promise<Budget | null> =>
  openBudget(ctx, who, purpose, holder, [...prices.keys()], () =>
    Promise.all(
      [...prices].map(async ([id, pricing]) => {
        const model = await models.find(ctx.db, who, id)
        return { id, pricing, context_window: model?.context_window ?? null }
      }),
    ),
  )

interface Outcome<T> {
  result: T
  usage: TokenUsage
  estimated: boolean
}

/** One call of a model, checked against the budgets and billed. `work` gets the token limit of the reply. */
export async function chargedCall<T>(
  ctx: Context,
  who: Payer,
  purpose: Purpose,
  model: ModelRow,
  call: Omit<PlannedCall, 'modelId'> & { kind: Charge['kind'] },
  work: (maxTokens: number | null) => Promise<Outcome<T>>,
): Promise<T> {
  const prices = new Map([[model.id, model.pricing]])
  const budget = await budgetFor(ctx, who, purpose, ctx.newId('use'), prices)
  const maxTokens = budget ? await budget.reserve({ ...call, modelId: model.id }) : call.maxTokens
  const charges: Charge[] = []
  const charge = (usage: TokenUsage, estimated: boolean) => {
    budget?.note({ modelId: model.id, usage })
    charges.push({ kind: call.kind, modelId: model.id, usage, estimated, price: model.pricing })
  }
  try {
    const { result, usage, estimated } = await work(maxTokens)
    charge(usage, estimated)
    return result
  } catch (error) {
    if (error instanceof ProviderError && error.usage) charge(error.usage, false)
    throw error
  } finally {
    const { statements, sent } = await bill(ctx, who, purpose, charges, budget)
    if (statements.length > 0) await ctx.commits.commit(statements)
    sent()
  }
}

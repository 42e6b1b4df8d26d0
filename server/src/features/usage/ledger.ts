import type { Context } from '../../kernel/context.ts'
import type { TokenUsage } from '../../kernel/llm/model.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { prepared } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import { computeCost, type Price, savedByCache } from './cost.ts'
import type { Payer, Purpose } from './purpose.ts'
import { applies, type Threshold, thresholdsFor } from './threshold.ts'
import { addToWindow, publishIfReached, releaseStatements } from './window-store.ts'

export type { Payer, Purpose } from './purpose.ts'

export interface UsageRow {
  id: string
  workspace_id: string
  kind: 'chat' | 'embedding' | 'rerank'
  model_id: string
  agent_id: string | null
  conversation_id: string | null
  message_id: string | null
  user_id: string | null
  token_id: string
  tool_id: string | null
  evaluation_id: string | null
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  reasoning_tokens: number
  cost_nano: number
  /** The cost that the provider's cache saved. */
  saved_nano: number
  price: string
  estimated: boolean
  day: string
  created_at: string
}

/** A model call to bill, before it is a row of the ledger. */
export interface Charge {
  kind: UsageRow['kind']
  modelId: string
  /** Its provider, and the provider's name of it, for the metrics. */
  provider: string
  model: string
  usage: TokenUsage
  estimated: boolean
  /** The price that applies now; a later change of the model does not change what this call cost. */
  price: Price | null
}

export interface Bill {
  rows: UsageRow[]
  /** To commit in one transaction, together with the results of the calls. */
  statements: Statement[]
  /** Call it after the commit: it counts the calls and publishes reached thresholds. A job does the same later. */
  sent(): void
}

/** Collects bills that are stored later, in one transaction with what they paid for. */
export interface Tab {
  evaluationId: string
  add(bill: Bill): void
}

declare module '../../kernel/caller.ts' {
  interface Caller {
    /** Without a tab, each bill is stored at once. */
    tab?: Tab
  }
}

/** The reservation of the billed calls. */
export interface Reserved {
  holder: string
  at: number
  /** Called when it is released. */
  closed?(): void
}

const insertRow = prepared((db, row: UsageRow) => db.insertInto('usage_record').values(row))

/** The ledger rows of model calls and their effect on thresholds. Releases the reservation in the same transaction. */
export async function bill(
  ctx: Context,
  who: Payer,
  callPurpose: Purpose,
  charges: Charge[],
  reserved: Reserved | null = null,
): Promise<Bill> {
  const purpose = who.tab ? { ...callPurpose, evaluationId: who.tab.evaluationId } : callPurpose
  // A call belongs to the day of its reservation, if it has one.
  const at = reserved?.at || ctx.now()
  const rows = charges.map((charge) => ledgerRow(ctx, who, purpose, charge, at)).sort(byModel)
  // The call may have taken long, and counts towards the thresholds there are now.
  const isCounted = rows.length > 0 || reserved !== null
  const thresholds = isCounted ? await thresholdsFor(ctx, { workspace: who.workspace }, purpose) : []
  const amounts = thresholds.map((threshold) => [threshold, amountSpent(threshold, who, purpose, rows)] as const)
  const touched = amounts.filter(([, amount]) => amount > 0 || reserved !== null)
  return {
    rows,
    statements: [
      ...rows.map((row) => insertRow(ctx.db, row)),
      ...touched.map(([threshold, amount]) => addToWindow(ctx, threshold, at, amount)),
      ...(reserved ? releaseStatements(ctx, reserved.holder) : []),
    ],
    sent() {
      reserved?.closed?.()
      for (const { kind, provider, model, usage, price } of charges) {
        const { input, output } = usage
        ctx.metrics.billed({ type: kind, provider, model, input, output, cost: computeCost(usage, price) })
      }
      if (touched.length > 0) void publishIfReached(ctx, thresholds, at)
    },
  }
}

/** Stores a bill, or puts it on the tab. */
export async function storeBill(ctx: Context, owed: Bill, tab?: Tab): Promise<void> {
  if (tab) tab.add(owed)
  else if (owed.statements.length > 0) await ctx.commits.commit(owed.statements)
  owed.sent()
}

/** Transactions update the roll-up in the same order, so that they do not deadlock. */
const byModel = (a: UsageRow, b: UsageRow): number => (a.model_id < b.model_id ? -1 : a.model_id > b.model_id ? 1 : 0)

const amountSpent = (threshold: Threshold, who: Payer, purpose: Purpose, rows: UsageRow[]): number =>
  rows
    .filter((row) => applies(threshold, who, purpose, row.model_id))
    .reduce((sum, row) => sum + (threshold.metric === 'cost' ? row.cost_nano : row.input_tokens + row.output_tokens), 0)

function ledgerRow(ctx: Context, who: Payer, purpose: Purpose, charge: Charge, at: number): UsageRow {
  const created = timestamp(at)
  return {
    id: ctx.newId('use'),
    workspace_id: who.workspace,
    kind: charge.kind,
    model_id: charge.modelId,
    agent_id: purpose.agentId ?? null,
    conversation_id: purpose.conversationId ?? null,
    message_id: purpose.messageId ?? null,
    user_id: purpose.userId ?? null,
    token_id: who.token,
    tool_id: purpose.toolId ?? null,
    evaluation_id: purpose.evaluationId ?? null,
    input_tokens: charge.usage.input,
    cached_input_tokens: charge.usage.cachedInput,
    cache_write_tokens: charge.usage.cacheWrite ?? 0,
    output_tokens: charge.usage.output,
    reasoning_tokens: charge.usage.reasoning,
    cost_nano: computeCost(charge.usage, charge.price),
    saved_nano: savedByCache(charge.usage, charge.price),
    price: JSON.stringify(charge.price),
    estimated: charge.estimated,
    day: created.slice(0, 10),
    created_at: created,
  }
}

import type { Caller, Context } from '../../kernel/context.ts'
import type { TokenUsage } from '../../kernel/llm/model.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { timestamp } from '../../kernel/time.ts'
import { costOf, type Price } from './cost.ts'

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
  output_tokens: number
  reasoning_tokens: number
  cost_nano: number
  price: string
  estimated: boolean
  day: string
  created_at: string
}

/** What a call was made for. */
export interface Purpose {
  agentId?: string | null
  conversationId?: string | null
  messageId?: string | null
  userId?: string | null
  toolId?: string | null
  evaluationId?: string | null
}

export interface Charge {
  kind: UsageRow['kind']
  modelId: string
  usage: TokenUsage
  estimated: boolean
  /** The price that applies now; a later change of the model does not change what this call cost. */
  price: Price | null
}

/** A row of the ledger for one call of a model, to be written in the transaction that stores what came of it. */
export function ledgerEntry(
  ctx: Context,
  who: Pick<Caller, 'workspace' | 'token'>,
  purpose: Purpose,
  charge: Charge,
): { row: UsageRow; statement: Statement } {
  const created = timestamp(ctx.now())
  const row: UsageRow = {
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
    output_tokens: charge.usage.output,
    reasoning_tokens: charge.usage.reasoning,
    cost_nano: costOf(charge.usage, charge.price),
    price: JSON.stringify(charge.price),
    estimated: charge.estimated,
    day: created.slice(0, 10),
    created_at: created,
  }
  return { row, statement: ctx.statements.insert('usage_record', { ...row }) }
}

import { sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { releaseStarted } from '../../../kernel/http/idempotency-store.ts'
import { estimateUsage } from '../../../kernel/llm/estimate-usage.ts'
import type { ModelMessage } from '../../../kernel/llm/model.ts'
import { models } from '../../models/service.ts'
import { type Bill, bill, type Charge } from '../../usage/ledger.ts'
import { decode, type MessageRow, updateMessage } from '../message-row.ts'
import { readHistory } from '../store.ts'
import { maxHistoryMessages } from './history.ts'
import { toolCallRows } from './tool-call-rows.ts'
import { addUsage, interruption } from './turn-store.ts'
import { deleteUnbilledCalls, findUnbilledCalls } from './unbilled-calls.ts'

/** Ends turns whose process is gone: what was stored of the reply stays, and the conversation is free again. */
export async function recoverTurns(ctx: Context, silentSince: number): Promise<void> {
  const lost = await ctx.db
    .selectFrom('message')
    .selectAll()
    .where('status', '=', sql.lit('running')) // a parameter would not match the partial index
    .where('alive_at', '<=', silentSince)
    .execute()
  for (const cells of lost) {
    const message = decode(cells)
    const { id, conversation_id, workspace_id } = message
    if (ctx.state.conversations.find(id)) continue
    const { rows, statements } = await costSoFar(ctx, message)
    for (const call of message.tool_calls) {
      if (call.status === 'running')
        Object.assign(call, { status: 'failed', result: 'The service stopped during the call.' })
    }
    const changes = {
      ...interruption,
      alive_at: ctx.now(),
      tool_calls: message.tool_calls,
      usage: addUsage(message.usage, rows),
    }
    await ctx.commits.commit([
      updateMessage(ctx, message, changes),
      deleteUnbilledCalls(ctx, message),
      ...toolCallRows(ctx, message),
      releaseStarted(ctx, workspace_id, id),
      ctx.statements.update(
        'conversation',
        { running_message_id: null, last_message_id: id },
        { id: conversation_id, workspace_id, running_message_id: id },
      ),
      ...statements,
    ])
  }
}

/** Bills the calls that were finished, and an estimate of the one that was not: the provider charges for it, too. */
async function costSoFar(ctx: Context, message: MessageRow): Promise<Bill> {
  const { id, conversation_id, workspace_id, model_id, agent_id, content } = message
  const who = { workspace: workspace_id, token: 'recovered' }
  const reserved = { holder: id, at: Date.parse(message.timestamp) }
  const model = model_id === null ? undefined : await models.find(ctx.db, who, model_id)
  const runsAgain = message.evaluation_id !== null // a case is billed once, for the run that counts
  if (!model || runsAgain) return bill(ctx, who, {}, [], reserved)
  const finished: Charge[] = []
  for (const { modelId, usage, estimated } of await findUnbilledCalls(ctx, message)) {
    const price = (modelId === model.id ? model : await models.find(ctx.db, who, modelId))?.pricing ?? null
    finished.push({ kind: 'chat', modelId, usage, estimated, price })
  }
  const before = await readHistory(ctx.db, workspace_id, conversation_id, maxHistoryMessages)
  const messages = before.filter((row) => row.id < id).map(({ role, content }): ModelMessage => ({ role, content }))
  const estimate = await estimateUsage(ctx.tokens, { messages, tools: [] }, content)
  // What came before a pause for approval is in the ledger already.
  const known = finished.reduce((sum, call) => sum + call.usage.output, message.usage?.output_tokens ?? 0)
  const usage = { ...estimate, output: Math.max(0, estimate.output - known) }
  const { user_id: userId, evaluation_id: evaluationId } = message
  const purpose = { agentId: agent_id, conversationId: conversation_id, messageId: id, userId, evaluationId }
  const unheard: Charge = { kind: 'chat', modelId: model.id, usage, estimated: true, price: model.pricing }
  const wasAsked = !message.tool_calls.some(({ status }) => status === 'running')
  return bill(ctx, who, purpose, wasAsked ? [...finished, unheard] : finished, reserved)
}

import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { enterRetention } from '../../kernel/retention.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { minute, second } from '../../kernel/time.ts'
import { models } from '../models/service.ts'
import { type Bill, bill, type Charge } from '../usage/ledger.ts'
import { activityStep } from './activity.ts'
import { completeNow } from './completion.ts'
import { farthestBack } from './history.ts'
import { decode, type MessageRow, updateMessage } from './message-row.ts'
import { history } from './store.ts'
import { toolCallRows } from './tool-call-row.ts'
import { forgetCalls, keptCalls } from './turn-calls.ts'
import { withRows } from './turn-usage.ts'
import { turnsOf } from './turns.ts'

const deadAfter = 30 * second
/** Completed in one transaction, which others wait for. */
const atOnce = 50

/** A turn whose process is gone keeps what was written down of it, and its conversation is free again. */
export async function recoverTurns(ctx: Context, silentSince: number): Promise<void> {
  const lost = await ctx.db
    .selectFrom('message')
    .selectAll()
    .where('status', '=', sql.lit('running')) // as a parameter it would not find the index
    .where('alive_at', '<=', silentSince)
    .execute()
  for (const cells of lost) {
    const message = decode(cells)
    const { id, conversation_id, workspace_id } = message
    if (turnsOf(ctx).find(id)) continue
    const { rows, statements } = await costSoFar(ctx, message)
    for (const call of message.tool_calls) {
      if (call.status === 'running')
        Object.assign(call, { status: 'failed', result: 'The service stopped during the call.' })
    }
    const gone = {
      status: 'interrupted',
      finish_reason: 'interrupted',
      code: 'internal_error',
      error: 'The service stopped while it was answering.',
      tool_calls: message.tool_calls,
      usage: withRows(message.usage, rows),
    } as const
    await ctx.commits.commit([
      updateMessage(ctx, message, gone),
      forgetCalls(ctx, message),
      ...toolCallRows(ctx, message),
      ctx.statements.update(
        'conversation',
        { running_message_id: null, last_message_id: id },
        { id: conversation_id, workspace_id, running_message_id: id },
      ),
      ...statements,
    ])
  }
}

const charactersPerToken = 4

/** The calls that were finished, and an estimate of the one that was not: the provider will be paid for it, too. */
async function costSoFar(ctx: Context, message: MessageRow): Promise<Bill> {
  const { id, conversation_id, workspace_id, model_id, agent_id, content } = message
  const who = { workspace: workspace_id, token: 'recovered' }
  const reserved = { holder: id, at: Date.parse(message.timestamp) }
  const model = model_id === null ? undefined : await models.find(ctx.db, who, model_id)
  const isRunAgain = message.evaluation_id !== null // a case is billed once: for the run that counts
  if (!model || isRunAgain) return bill(ctx, who, {}, [], reserved)
  const finished: Charge[] = []
  for (const { modelId, usage, estimated } of await keptCalls(ctx, message)) {
    const price = (modelId === model.id ? model : await models.find(ctx.db, who, modelId))?.pricing ?? null
    finished.push({ kind: 'chat', modelId, usage, estimated, price })
  }
  const before = await history(ctx.db, workspace_id, conversation_id, farthestBack)
  const asked = before.filter((row) => row.id < id).reduce((sum, row) => sum + row.content.length, 0)
  const tokens = (characters: number) => Math.ceil(characters / charactersPerToken)
  // What came before a pause for approval is in the ledger already.
  const known = finished.reduce((sum, call) => sum + call.usage.output, message.usage?.output_tokens ?? 0)
  const output = Math.max(0, tokens(content.length) - known)
  const usage = { input: tokens(asked), cachedInput: 0, output, reasoning: 0 }
  const { user_id: userId, evaluation_id: evaluationId } = message
  const purpose = { agentId: agent_id, conversationId: conversation_id, messageId: id, userId, evaluationId }
  const unheard: Charge = { kind: 'chat', modelId: model.id, usage, estimated: true, price: model.pricing }
  const wasAsked = !message.tool_calls.some(({ status }) => status === 'running')
  return bill(ctx, who, purpose, wasAsked ? [...finished, unheard] : finished, reserved)
}

/** Conversations that nobody has spoken in for long are completed. */
async function completeIdle(ctx: Context): Promise<void> {
  const idleSince = ctx.now() - ctx.config.conversationIdleMinutes * minute - activityStep
  for (;;) {
    const idle = await ctx.db
      .selectFrom('conversation')
      .select(['id', 'workspace_id'])
      .where('status', '=', 'active')
      .where('running_message_id', 'is', null)
      .where('evaluation_id', 'is', null)
      .where('active_at', '<', idleSince)
      .limit(atOnce)
      .execute()
    if (idle.length === 0) return
    await inTransaction(ctx.db, async (tx) => {
      for (const { id, workspace_id } of idle)
        await completeNow(ctx, tx, { workspace: workspace_id, id, reason: 'idle', idleSince })
    })
  }
}

const removedAtOnce = 100

/** Conversations that nobody has spoken in since then go, with all that was said in them. */
async function removeOld(ctx: Context, before: number): Promise<number> {
  const old = await ctx.db
    .selectFrom('conversation')
    .select('id')
    .where('active_at', '<', before)
    .limit(removedAtOnce)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  await ctx.db.deleteFrom('conversation').where('id', 'in', ids).where('active_at', '<', before).execute()
  for (const id of ids) turnsOf(ctx).histories.forget(id)
  return ids.length
}

enterRetention({ what: 'conversations', remove: removeOld })

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({ queue: 'conversations.complete-idle', every: 30 * second, run: () => completeIdle(ctx) })
  ctx.jobs.define({
    queue: 'conversations.recover',
    every: 15 * second,
    run: () => recoverTurns(ctx, ctx.now() - deadAfter),
  })
}

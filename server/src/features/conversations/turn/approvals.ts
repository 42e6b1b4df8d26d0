import { endStoredSteps } from '../../../kernel/agent/steps.ts'
import { approvedTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import { encode, type MessageRow } from '../message-row.ts'
import type { ToolCallView } from '../schema.ts'
import { type ConversationRow, lockMessage } from '../store.ts'
import { deletePausedTurn, findPausedTurn, type PausedTurn } from './paused-turn.ts'
import { prepareResumption } from './prepare.ts'
import type { Turn } from './turn.ts'

export interface Decision {
  tool_call_id: string
  approved: boolean
}

/**
 * Records the decision about a tool call. The last open decision also marks the turn as running, in the same transaction,
 * so that one node resumes it, once. Returns the turn if this decision resumed it, else the message as it is.
 */
export async function decide(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  messageId: string,
  decision: Decision,
): Promise<Turn | MessageRow> {
  const paused = await findPausedTurn(ctx.db, who.workspace, messageId)
  const preparation = paused && (await prepareResumption(ctx, who, conversation, paused))
  const tools = await approvedTools(ctx, who, paused?.pause.pending ?? [], preparation?.run.tools ?? [])
  const { row, resumes } = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockMessage(tx, who.workspace, conversation.id, messageId)
    return record(ctx, tx, locked ?? notFound('message', messageId), decision, paused)
  })
  if (!resumes || !preparation) return row
  const decisions = new Map(row.tool_calls.map(({ id, approved }) => [id, approved ?? false]))
  const run = { ...preparation.run, resumed: { pause: paused.pause, decisions, approvedTools: tools } }
  return ctx.state.conversations.resume(who, { ...preparation, reply: row, run })
}

async function record(
  ctx: Context,
  tx: Db,
  row: MessageRow,
  { tool_call_id, approved }: Decision,
  prepared: PausedTurn | undefined,
) {
  const call = row.tool_calls.find(({ id }) => id === tool_call_id)
  if (!call) unknownReference('tool_call_id', 'tool call', tool_call_id)
  if (isDecided(row, call, approved)) return { row, resumes: false }
  const paused = await findPausedTurn(tx, row.workspace_id, row.id)
  if (paused?.pause.step !== prepared?.pause.step) {
    throw new Problem('conversation_busy', 'The reply went on just now. Look at it again.')
  }
  call.approved = approved
  const resumes = row.tool_calls.every((each) => each.status !== 'awaiting_approval' || each.approved !== undefined)
  row.alive_at = ctx.now()
  if (resumes) {
    row.status = 'running'
    row.node = ctx.node
    await deletePausedTurn(tx, row.workspace_id, row.id)
  }
  const { tool_calls, status, alive_at, node } = row
  await change(tx, row, { tool_calls, status, alive_at, node })
  return { row, resumes }
}

/** Whether the same was decided before; refuses what cannot be decided any more. */
function isDecided(row: MessageRow, call: ToolCallView, approved: boolean): boolean {
  if (call.approved === approved) return true
  if (call.approved !== undefined) {
    const done = call.approved ? 'approved' : 'refused'
    throw new Problem('already_running', `This call was already ${done}. A decision cannot be changed.`)
  }
  if (row.status === 'awaiting_approval' && call.status === 'awaiting_approval') return false
  const known = row.status === 'cancelled' ? 'the reply was cancelled' : 'it needs none'
  return invalid('tool_call_id', `names a call that does not wait for a decision: ${known}`)
}

/** Gives up a reply that waits. Answers with undefined when it waits no more. */
export async function cancelWaiting(
  ctx: Context,
  who: Caller,
  conversationId: string,
  messageId: string,
): Promise<MessageRow | undefined> {
  const cancelled = await inTransaction(ctx.db, async (tx) => {
    const row = await lockMessage(tx, who.workspace, conversationId, messageId)
    if (row?.status !== 'awaiting_approval') return undefined
    for (const call of row.tool_calls) {
      if (call.status !== 'awaiting_approval') continue
      Object.assign(call, { status: 'refused', result: 'The reply was cancelled before this call was made.' })
    }
    const steps = endStoredSteps(row.steps, { at: ctx.now(), failure: 'cancelled' })
    Object.assign(row, { status: 'cancelled', finish_reason: 'cancelled', alive_at: ctx.now(), steps })
    const { tool_calls, status, finish_reason, alive_at } = row
    await change(tx, row, { tool_calls, status, finish_reason, alive_at, steps })
    await deletePausedTurn(tx, who.workspace, messageId)
    await free(ctx, tx, row)
    return row
  })
  if (!cancelled) return undefined
  ctx.state.conversations.histories.invalidate(conversationId)
  ctx.metrics.turnEnded('cancelled', null)
  return cancelled
}

async function change(tx: Db, row: MessageRow, changes: Partial<MessageRow>): Promise<void> {
  await tx
    .updateTable('message')
    .set(encode(changes))
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
}

async function free(ctx: Context, tx: Db, { id, workspace_id, conversation_id }: MessageRow): Promise<void> {
  await tx
    .updateTable('conversation')
    .set({
      running_message_id: null,
      last_message_id: id,
      active_at: ctx.now(),
      updated_at: timestamp(ctx.now()),
    })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', conversation_id)
    .where('running_message_id', '=', id)
    .execute()
}

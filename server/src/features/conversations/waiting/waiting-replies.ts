import type { AskingReply } from '../../../kernel/agent/agent-tool.ts'
import { firstWaiting, isWaiting, type WaitingStatus, waitingStatuses } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { runStatements } from '../../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { type Ending, endingFor, neverMade, Stopped } from '../../runs/ending.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { removeWaiting } from '../../runs/waiting.ts'
import { isUnsettled } from '../../runs/waiting-kinds.ts'
import { endedStored, endStored } from '../end-stored.ts'
import { encode, updateMessage } from '../message-row.ts'
import { findCallers, findMessage, lockMessage } from '../store.ts'
import { cancelChannel } from '../streaming/remote-turns.ts'
import { deciderName, findReplyApprovals, settle } from './approvals.ts'
import { type AwaitingApproval, findAwaitingApproval, needId } from './awaiting-approval.ts'

/**
 * A reply that asks another agent waits while the other reply waits. Both are marked as running in the transaction of the
 * decision: the other reply runs on, and the reply that asked follows it. So after a crash both are found as running replies.
 * Replies that asked are always locked before those that answer.
 */

/** A reply that has waited and is marked as running, with everything that it is resumed from. */
export interface WokenReply {
  row: MessageRow
  waiting: AwaitingApproval
}

/** The replies that led to a conversation, locked, the first one first. */
export async function lockCallers(tx: Db, workspace: string, callers: readonly AskingReply[]): Promise<MessageRow[]> {
  const rows: MessageRow[] = []
  for (const { conversation_id, message_id } of callers) {
    const row = await lockMessage(tx, workspace, conversation_id ?? '', message_id ?? '')
    if (row) rows.push(row)
  }
  return rows
}

/** Whether a reply waits for a decision about a call of its own, or for another reply that waits. */
export async function stillWaits(tx: Db, { workspace_id, tool_calls }: MessageRow): Promise<boolean> {
  const open = tool_calls.filter(({ status }) => isWaiting(status))
  if (open.some((call) => call.conversation_id === undefined && isUnsettled(call))) return true
  const children = open.flatMap(({ conversation_id }) => conversation_id ?? [])
  if (children.length === 0) return false
  const waiting = await tx
    .selectFrom('message')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('conversation_id', 'in', children)
    .where('status', 'in', waitingStatuses)
    .limit(1)
    .executeTakeFirst()
  return waiting !== undefined
}

/** The status of a reply by the calls that still wait. */
export const waitingStatus = ({ tool_calls }: MessageRow): WaitingStatus =>
  firstWaiting(tool_calls.filter(isUnsettled).map(({ status }) => status))

/** Marks replies that need not wait any more as running, the last one first. They are resumed after the transaction. */
export async function wake(ctx: Context, tx: Db, callers: MessageRow[]): Promise<WokenReply[]> {
  const woken: WokenReply[] = []
  for (const row of callers.toReversed()) {
    const waiting = isWaiting(row.status) && !(await stillWaits(tx, row))
    const state = waiting && (await findAwaitingApproval(tx, row.workspace_id, row.id))
    if (!state) break
    await markRunning(ctx, tx, row)
    woken.push({ row, waiting: state })
  }
  return woken
}

/** The reply goes on, on this node. */
export async function markRunning(ctx: Context, tx: Db, row: MessageRow): Promise<void> {
  Object.assign(row, { status: 'running', node: ctx.node, alive_at: ctx.now() })
  const { status, node, alive_at, tool_calls } = row
  await removeWaiting(tx, row.workspace_id, [row.id])
  await changeReply(tx, row, { tool_calls, status, alive_at, node })
}

export async function changeReply(tx: Db, row: MessageRow, changes: Partial<MessageRow>): Promise<void> {
  await tx
    .updateTable('message')
    .set(encode(changes))
    .where('workspace_id', '=', row.workspace_id)
    .where('id', '=', row.id)
    .execute()
}

const cancellation = endingFor(new Stopped('cancelled', 'The reply was cancelled.'))

export const decisionActions = { approved: 'approve', refused: 'refuse', expired: 'expire' } as const

/** Ends a reply that waits, with the replies that it waits for. Returns undefined if it waits no more. */
export async function cancelWaiting(
  ctx: Context,
  who: Caller,
  conversationId: string,
  messageId: string,
  { ending = cancellation, hasExpired = false } = {},
): Promise<MessageRow | undefined> {
  const asking = await findCallers(ctx.db, who.workspace, conversationId)
  const { ended, running, woken } = await inTransaction(ctx.db, async (tx) => {
    const callers = await lockCallers(tx, who.workspace, asking)
    const cancelled: Cancelled = { ended: [], running: [] }
    await endWaiting(ctx, tx, who, conversationId, messageId, { ending, hasExpired }, cancelled)
    return { ...cancelled, woken: cancelled.ended.length > 0 ? await wake(ctx, tx, callers) : [] }
  })
  for (const { row, ending } of ended) endedStored(ctx, row, ending)
  for (const row of running) stopElsewhere(ctx, row)
  await ctx.state.conversations.resumeWoken(woken)
  return ended[0]?.row
}

interface Cancelled {
  ended: { row: MessageRow; ending: Ending }[]
  /** Replies of other agents that run. They are told to stop. */
  running: MessageRow[]
}

async function endWaiting(
  ctx: Context,
  tx: Db,
  who: Caller,
  conversationId: string,
  messageId: string,
  { ending, hasExpired }: { ending: Ending; hasExpired: boolean },
  cancelled: Cancelled,
): Promise<void> {
  const row = await lockMessage(tx, who.workspace, conversationId, messageId)
  if (!row || !isWaiting(row.status)) return
  for (const approval of await findReplyApprovals(tx, row)) {
    if (approval.status !== 'pending') continue
    const status = hasExpired ? 'expired' : 'refused'
    await settle(ctx, tx, row.workspace_id, approval, {
      status,
      decided_by: hasExpired ? null : deciderName(who),
      comment: neverMade(ending.status),
    })
    await ctx.audit.record(tx, who, { action: decisionActions[status], kind: 'approval', id: approval.id })
  }
  await runStatements(tx, endStored(ctx, row, ending))
  await removeWaiting(tx, who.workspace, [messageId, ...row.tool_calls.map(({ id }) => needId(messageId, id))])
  cancelled.ended.push({ row, ending })
  if (!row.tool_calls.some(({ conversation_id }) => conversation_id !== undefined)) return
  for (const child of await openChildren(tx, row)) {
    const reply = await lockMessage(tx, who.workspace, child.id, child.running_message_id)
    if (reply?.status === 'running') {
      await changeReply(tx, reply, { cancel_requested: true })
      cancelled.running.push(reply)
    } else
      await endWaiting(
        ctx,
        tx,
        who,
        child.id,
        child.running_message_id,
        { ending: cancellation, hasExpired: false },
        cancelled,
      )
  }
}

/** The conversations in which agents that a reply has asked still run or wait. */
async function openChildren(db: Db, { id, workspace_id }: MessageRow) {
  const rows = await db
    .selectFrom('conversation')
    .select(['id', 'running_message_id'])
    .where('workspace_id', '=', workspace_id)
    .where('parent_message_id', '=', id)
    .where('running_message_id', 'is not', null)
    .execute()
  return rows.map((row) => ({ id: row.id, running_message_id: row.running_message_id ?? '' }))
}

/** Cancels what a reply has asked other agents. It is called before the end of the reply is stored, so that a crash loses neither. */
export async function cancelChildren(ctx: Context, who: Caller, row: MessageRow): Promise<void> {
  for (const child of await openChildren(ctx.db, row)) {
    if (await cancelWaiting(ctx, who, child.id, child.running_message_id)) continue
    const reply = await findMessage(ctx.db, row.workspace_id, child.id, child.running_message_id)
    if (reply?.status !== 'running') continue
    await ctx.commits.commit([updateMessage(ctx, reply, { cancel_requested: true })])
    stopElsewhere(ctx, reply)
  }
}

function stopElsewhere(ctx: Context, { id, node }: MessageRow): void {
  ctx.state.runs.cancel(id)
  if (node !== null) ctx.signals.send(cancelChannel(node))
}

import { isDeepStrictEqual } from 'node:util'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem, unknownReference } from '../../../kernel/errors.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { eachNeed, findWaiting, removeWaiting, type WaitingRun } from '../../runs/waiting.ts'
import { conversations } from '../conversations.ts'
import { type ConversationRow, callersIn, lockMessage } from '../store.ts'
import { findReplyApprovals } from '../waiting/approvals.ts'
import { type CallNeed, findAwaitingApproval, needId } from '../waiting/awaiting-approval.ts'
import { showAnswer, showNextWait } from '../waiting/shown-waits.ts'
import {
  cancelWaiting,
  changeReply,
  isUnsettled,
  lockCallers,
  markRunning,
  stillWaits,
  waitingStatus,
  wake,
} from '../waiting/waiting-replies.ts'
import { prepareToResume, resume, resumeWoken } from './decide.ts'
import { timeoutCaller } from './expiry.ts'

/** The outcome of the need of a call. */
export interface Settlement {
  toolCallId: string
  /** Changes the call. Not called if the call does not wait any more. */
  apply(call: StoredToolCall): void
  /** Recorded in the audit log. */
  action: string
}

/**
 * Records what a call has waited for. If its reply waits for nothing else, this marks it as running in the same transaction,
 * so that one node resumes it, once. Returns the run if this resumed it, else the message as it is.
 */
export async function settleNeed(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  messageId: string,
  { toolCallId, apply, action }: Settlement,
): Promise<Run | MessageRow> {
  const { workspace_id: workspace } = conversation
  const waiting = await findAwaitingApproval(ctx.db, workspace, messageId)
  const prepared = waiting && (await prepareToResume(ctx, who, conversation, waiting))
  const { row, woken, approvals } = await inTransaction(ctx.db, async (tx) => {
    const callers = await lockCallers(tx, workspace, callersIn(conversation))
    const locked = (await lockMessage(tx, workspace, conversation.id, messageId)) ?? notFound('message', messageId)
    const call = locked.tool_calls.find(({ id }) => id === toolCallId)
    if (!call) unknownReference('tool_call_id', 'tool call', toolCallId)
    if (!isUnsettled(call)) return { row: locked, woken: null, approvals: [] }
    if (!isDeepStrictEqual(await findAwaitingApproval(tx, workspace, messageId), waiting))
      throw new Problem('conversation_busy', 'The reply went on just now. Look at it again.')
    apply(call)
    await showAnswer(tx, callers, locked, call)
    await removeWaiting(tx, workspace, [needId(messageId, toolCallId)])
    await ctx.audit.record(tx, who, { action, kind: 'tool call', id: `${messageId} ${toolCallId}` })
    locked.alive_at = ctx.now()
    if (await stillWaits(tx, locked)) {
      locked.status = waitingStatus(locked)
      await changeReply(tx, locked, { tool_calls: locked.tool_calls, status: locked.status, alive_at: locked.alive_at })
      await showNextWait(tx, callers, locked)
      return { row: locked, woken: null, approvals: [] }
    }
    const found = await findReplyApprovals(tx, locked)
    await markRunning(ctx, tx, locked)
    return { row: locked, woken: await wake(ctx, tx, callers), approvals: found }
  })
  if (woken === null || !prepared) return row
  const run = await resume(ctx, prepared, row, approvals)
  await resumeWoken(ctx, woken)
  return run
}

/** Resumes the calls that wait for an account that is connected now. Null is the account of the workspace. */
export async function resumeConnected(
  ctx: Context,
  account: { workspace: string; toolId: string; userId: string | null },
): Promise<void> {
  const { workspace, toolId, userId } = account
  const waiting = await findWaiting<CallNeed>(ctx.db, workspace, 'connection', { user_id: userId })
  for (const need of waiting.values()) if (need.state.toolId === toolId) await connect(ctx, need)
}

const connect = (ctx: Context, need: WaitingRun<CallNeed>): Promise<void> =>
  settleForService(ctx, need, 'connect', (call) => {
    if (call.connection) Object.assign(call.connection, { status: 'connected', authorize_url: null })
  })

/** Ends what nobody did in time, and resumes what the death of a node has left: calls whose account was connected. */
export async function expireNeeds(ctx: Context): Promise<void> {
  for await (const need of eachNeed<CallNeed>(ctx.db, { kinds: ['connection', 'input'], before: ctx.now() })) {
    await settleForService(ctx, need, 'expire', (call) => {
      if (call.connection) Object.assign(call.connection, { status: 'expired', authorize_url: null })
      const question = call.inputs?.at(-1)
      if (call.status === 'awaiting_input' && question) question.action = 'expired'
    })
  }
  const connected = new Map<string, Promise<boolean>>()
  for await (const need of eachNeed<CallNeed>(ctx.db, { kinds: ['connection'] })) {
    const account = { workspace: need.workspace_id, toolId: need.state.toolId ?? '', userId: need.user_id }
    const key = JSON.stringify(account)
    const isConnected = connected.get(key) ?? ctx.state['api-tools'].accounts.isConnectedNow(account)
    connected.set(key, isConnected)
    if (await isConnected) await connect(ctx, need)
  }
}

async function settleForService(
  ctx: Context,
  { id, workspace_id, conversation_id, state }: WaitingRun<CallNeed>,
  action: string,
  apply: (call: StoredToolCall) => void,
): Promise<void> {
  const who = timeoutCaller(ctx, workspace_id)
  const { messageId, toolCallId } = state
  const conversation = await conversations.table.find(ctx.db, workspace_id, conversation_id ?? '')
  if (!conversation) return removeWaiting(ctx.db, workspace_id, [id])
  try {
    await settleNeed(ctx, who, conversation, messageId, { toolCallId, apply, action })
  } catch (error) {
    ctx.log.warn({ err: error, message: messageId }, 'a reply that waited could not go on')
    if (!(error instanceof Problem) || error.code === 'conversation_busy') return
    // Its agent or its models were deleted.
    const { code, message } = error
    const ending = { status: 'failed', finish_reason: 'error', code, error: message, expires: true } as const
    await cancelWaiting(ctx, who, conversation.id, messageId, ending)
  }
}

import { needKinds } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { eachNeed, findWaiting, removeWaiting, type WaitingRun } from '../../runs/waiting.ts'
import { awaitedNeed, isUnsettled } from '../../runs/waiting-kinds.ts'
import type { ConversationRow } from '../store.ts'
import { type CallNeed, needId } from '../waiting/awaiting-approval.ts'
import { showOutcome } from '../waiting/shown-waits.ts'
import { settleForService } from './expiry.ts'
import { settleCall } from './resume.ts'

/** How the need of a call is met, or not. */
export interface MetNeed {
  toolCallId: string
  apply(call: StoredToolCall): void
  /** Recorded in the audit log. */
  action: string
}

/** Records what a call has waited for. Returns the run if this resumed it, else the message as it is. */
export const settleNeed = (
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  messageId: string,
  { toolCallId, apply, action }: MetNeed,
): Promise<Run | MessageRow> =>
  settleCall(ctx, who, conversation, messageId, {
    toolCallId,
    isOpen: ({ call }) => isUnsettled(call),
    async apply({ tx, row, call, callers }) {
      apply(call)
      await showOutcome(tx, callers, row, call)
      await removeWaiting(tx, row.workspace_id, [needId(messageId, toolCallId)])
      await ctx.audit.record(tx, who, { action, kind: 'tool call', id: needId(messageId, toolCallId) })
    },
  })

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
  settleInTime(ctx, need, 'connect', (call) => {
    if (call.connection) Object.assign(call.connection, { status: 'connected', authorize_url: null })
  })

/** Ends what nobody did in time, and resumes what the death of a node has left: calls whose account was connected. */
export async function expireNeeds(ctx: Context): Promise<void> {
  for await (const need of eachNeed<CallNeed>(ctx.db, { kinds: needKinds, before: ctx.now() })) {
    await settleInTime(ctx, need, 'expire', (call) => awaitedNeed(call.status)?.expire(call))
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

const settleInTime = (
  ctx: Context,
  { workspace_id, conversation_id, state: { messageId, toolCallId } }: WaitingRun<CallNeed>,
  action: string,
  apply: (call: StoredToolCall) => void,
): Promise<void> =>
  settleForService(
    ctx,
    { workspace_id, conversation_id: conversation_id ?? '', message_id: messageId },
    (who, conversation) => settleNeed(ctx, who, conversation, messageId, { toolCallId, apply, action }),
  )

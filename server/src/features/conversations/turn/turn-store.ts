import type { Pause } from '../../../kernel/agent/approval.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import { endMessage, insertMessage, updateMessage } from '../message-row.ts'
import { activeNow, changeWhileRunning, freeConversation, takeConversation } from '../store.ts'
import { toolCallRows } from '../tool-call-rows.ts'
import { type ApprovalRow, insertApprovals } from '../waiting/approvals.ts'
import { insertAwaitingApproval, insertNeeds } from '../waiting/awaiting-approval.ts'
import type { Resumption } from './prepare.ts'

/** Stores the question and an empty reply, and takes the conversation. Conflicts if another turn or branch came first. */
export function startStatements(ctx: Context, preparation: Resumption): Statement[] {
  const { conversation, conversationChanges, question, reply, extraStatements } = preparation
  const { id, last_message_id } = conversation
  const changes = { running_message_id: reply.id, ...activeNow(ctx), ...conversationChanges }
  return [
    takeConversation(ctx.db, { id, workspace_id: reply.workspace_id, last: last_message_id, ...changes }, 1),
    ...(question ? [insertMessage(ctx, question)] : []),
    insertMessage(ctx, reply),
    ...extraStatements,
  ]
}

/** Stores the reply so far, so that a crash loses little, and the model calls that are not billed yet. */
export function progressStatements(ctx: Context, turn: Run, isExpected: boolean): Statement[] {
  const { row, meter } = turn
  row.alive_at = ctx.now()
  const calls = meter.changes()
  const expected = isExpected || calls.length > 0 ? 1 : undefined
  return [updateMessage(ctx, row, { ...turn.progress(), alive_at: row.alive_at }, expected), ...calls]
}

/** Moves the reply and its conversation to the next agent, and stores the usage of the agent before it, which is billed now. */
export function handoffStatements(ctx: Context, turn: Run, usage: MessageRow['usage']): Statement[] {
  const { row } = turn
  const { id: reply, workspace_id, conversation_id: id, agent_id, agent_version, label, model_id } = row
  row.alive_at = ctx.now()
  const changes = { ...turn.progress(), usage, agent_id, agent_version, label, model_id, alive_at: row.alive_at }
  return [
    updateMessage(ctx, row, changes, 1),
    changeWhileRunning(ctx.db, { id, workspace_id, reply, ...(agent_id !== null && { agent_id }) }),
  ]
}

/** A run that waits, with the approvals it waits for. */
export interface Waiting {
  pause: Pause
  approvals: ApprovalRow[]
}

/** Stores the reply, which has ended or waits for people, and frees the conversation if it has ended. */
export function endStatements(
  ctx: Context,
  who: Caller,
  turn: Run,
  { run, onHandedOver }: Pick<Resumption, 'run' | 'onHandedOver'>,
  waiting: Waiting | undefined,
): Statement[] {
  const { row } = turn
  const {
    id,
    workspace_id,
    conversation_id,
    role,
    attachments,
    timestamp: asked,
    agent_id,
    agent_version,
    label,
    user_id,
    evaluation_id,
    asked_by_agent,
    parent_id,
    response_format,
    superseded,
    cancel_requested,
    node,
    ...changes
  } = row
  return [
    endMessage(ctx, row, changes),
    waiting
      ? changeWhileRunning(ctx.db, { id: conversation_id, workspace_id, reply: id, ...activeNow(ctx) })
      : freeConversation(ctx, row),
    ...(waiting ? [insertAwaitingApproval(ctx, who, row, run, waiting.pause)] : []),
    ...(waiting ? insertNeeds(ctx, row, waiting.pause.pending) : []),
    ...insertApprovals(ctx, workspace_id, waiting?.approvals ?? []),
    ...(turn.handedOver ? (onHandedOver?.(turn.handedOver) ?? []) : []),
    ...toolCallRows(ctx, row),
  ]
}

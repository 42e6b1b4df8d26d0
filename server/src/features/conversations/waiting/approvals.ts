import type { AskingReply } from '../../../kernel/agent/agent-tool.ts'
import type { PendingCall } from '../../../kernel/agent/approval.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { resourceTable, type Stored } from '../../../kernel/store/table.ts'
import { minute, timestamp } from '../../../kernel/time.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { StoredApproval } from './schema.ts'

export type ApprovalRow = Stored<StoredApproval>

declare module '../../../kernel/store/database.ts' {
  interface Tables {
    approval: Omit<ApprovalRow, 'approvers' | 'arguments' | 'edited_arguments' | 'agent_path'> & {
      workspace_id: string
      agent_path: string
      approvers: string
      arguments: string
      edited_arguments: string | null
    }
  }
}

export const approvalTable = resourceTable<typeof StoredApproval>({ name: 'approval', shape: StoredApproval })

export const defaultTimeoutMinutes = 24 * 60
/** A reply never has this many approvals. */
const maxCalls = 10_000

/** Creates the approvals that a reply will wait for, at the request of this caller. */
export const newApprovals = (
  ctx: Context,
  { userId, token }: Caller,
  reply: Pick<MessageRow, 'id' | 'conversation_id' | 'agent_id' | 'user_id'>,
  agentName: string | null,
  pending: readonly PendingCall[],
  callers: readonly AskingReply[] = [],
): ApprovalRow[] => {
  const now = ctx.now()
  const { id: message_id, conversation_id, agent_id } = reply
  const agent_path = [...callers, { agent_id, agent_name: agentName, conversation_id, message_id }]
  return pending.map((call) => ({
    id: ctx.newId('apr'),
    revision: 1,
    conversation_id: reply.conversation_id,
    message_id: reply.id,
    tool_call_id: call.id,
    tool_id: call.toolId,
    name: call.name,
    target: call.target ?? null,
    arguments: call.input,
    edited_arguments: null,
    agent_id: reply.agent_id,
    agent_name: agentName,
    agent_path,
    user_id: reply.user_id,
    requested_by: userId ?? token,
    status: 'pending',
    approvers: call.approvers ?? null,
    read_only: call.readOnly ?? false,
    expires_at: timestamp(now + (call.timeoutMinutes ?? defaultTimeoutMinutes) * minute),
    decided_by: null,
    decided_at: null,
    comment: null,
    created_at: timestamp(now),
    updated_at: timestamp(now),
  }))
}

export const insertApprovals = (ctx: Context, workspace: string, approvals: readonly ApprovalRow[]): Statement[] =>
  approvals.map((row) => approvalTable.insertStatement(ctx.db, workspace, row))

/** The approvals of the calls of a reply. They change only while the message is locked. */
export const findReplyApprovals = (
  tx: Db,
  { workspace_id, id }: Pick<MessageRow, 'workspace_id' | 'id'>,
): Promise<ApprovalRow[]> => {
  const where = { message_id: id }
  const query = { where, limit: maxCalls, sort: 'id', order: 'asc', q: undefined, fields: undefined } as const
  return approvalTable.first(tx, workspace_id, query)
}

/** The value of `decided_by`: the user id if known, else the name of the caller, else the token. */
export const deciderName = ({ userId, name, token }: Caller): string => userId ?? name ?? token

/** Stores a decision in the database and updates the row in memory. */
export async function settle(
  ctx: Context,
  tx: Db,
  workspace: string,
  approval: ApprovalRow,
  decision: Pick<ApprovalRow, 'status' | 'decided_by' | 'comment'> & Partial<Pick<ApprovalRow, 'edited_arguments'>>,
): Promise<void> {
  const now = timestamp(ctx.now())
  Object.assign(approval, decision, { decided_at: now, updated_at: now, revision: approval.revision + 1 })
  await approvalTable.update(tx, workspace, approval.id, approval)
}

import { isDeepStrictEqual } from 'node:util'
import type { AgentTool } from '../../../kernel/agent/agent-tool.ts'
import { isWaiting } from '../../../kernel/agent/needs.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem, reason } from '../../../kernel/errors.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { ToolCallView } from '../../runs/schema.ts'
import type { ConversationRow } from '../store.ts'
import { type ApprovalRow, deciderName, findReplyApprovals, settle } from '../waiting/approvals.ts'
import { decisionActions } from '../waiting/waiting-replies.ts'
import { type LockedCall, settleCall } from './resume.ts'
import { hasExpired, requireDecider } from './rights.ts'

export interface Decision {
  tool_call_id: string
  approved: boolean
  comment?: string | null
  /** Replace the arguments of the model's call. */
  arguments?: Record<string, unknown>
}

interface Decider {
  who: Caller
  /** Nobody has decided in time. */
  expires?: boolean
}

/** Records the decision about a tool call. Returns the run if this resumed it, else the message as it is. */
export const decide = (
  ctx: Context,
  decider: Decider,
  conversation: ConversationRow,
  messageId: string,
  decision: Decision,
): Promise<Run | MessageRow> => {
  const { workspace_id: workspace } = conversation
  return settleCall(ctx, decider.who, conversation, messageId, {
    toolCallId: decision.tool_call_id,
    check: async (tools) => {
      if (decision.arguments) await checkEdited(ctx, decider.who, { workspace, messageId, decision, tools })
    },
    isOpen({ row, call, approval }) {
      if (approval && !decider.expires) requireDecider(decider.who, approval)
      return !isDecided(row, call, decision.approved, approval)
    },
    apply: (locked) => record(ctx, decider, locked, decision),
  })
}

interface Edited {
  workspace: string
  messageId: string
  decision: Decision
  tools: ReadonlyMap<string, AgentTool> | undefined
}

/** Refuses changed arguments that the tool does not take. Only those who may decide learn what it takes. */
async function checkEdited(
  ctx: Context,
  who: Caller,
  { workspace, messageId, decision, tools }: Edited,
): Promise<void> {
  if (!decision.approved) invalid('arguments', 'are changed with an approval, and this is a refusal')
  const approvals = await findReplyApprovals(ctx.db, { workspace_id: workspace, id: messageId })
  const approval = approvals.find(({ tool_call_id }) => tool_call_id === decision.tool_call_id)
  if (!approval) return // the decision says why
  requireDecider(who, approval)
  await tools
    ?.get(decision.tool_call_id)
    ?.check?.(decision.arguments)
    .catch((error) => invalid('arguments', reason(error)))
}

async function record(
  ctx: Context,
  { who, expires }: Decider,
  { tx, row, call, approval = notFound('approval', call.id) }: LockedCall,
  { approved, comment = null, arguments: edited }: Decision,
): Promise<void> {
  if (!expires && hasExpired(ctx, approval)) throw tooLate()
  call.approved = approved
  const status = expires ? 'expired' : approved ? 'approved' : 'refused'
  const isEdited = edited !== undefined && !isDeepStrictEqual(edited, call.arguments)
  if (isEdited) call.edited_arguments = edited
  await settle(ctx, tx, row.workspace_id, approval, {
    status,
    comment,
    decided_by: expires ? null : deciderName(who),
    ...(isEdited && { edited_arguments: edited }),
  })
  const fields = isEdited ? ['arguments'] : []
  await ctx.audit.record(tx, who, { action: decisionActions[status], kind: 'approval', id: approval.id, fields })
}

const tooLate = () => new Problem('already_running', 'Nobody decided in time, so this call was refused.')

/** Whether the same was decided before; refuses what cannot be decided any more. */
function isDecided(row: MessageRow, call: ToolCallView, approved: boolean, approval: ApprovalRow | undefined): boolean {
  if (call.approved === approved) return true
  if (approval?.status === 'expired') throw tooLate()
  if (call.approved !== undefined) {
    const done = call.approved ? 'approved' : 'refused'
    throw new Problem('already_running', `This call was already ${done}. A decision cannot be changed.`)
  }
  if (isWaiting(row.status) && call.status === 'awaiting_approval') return false
  const known = row.status === 'cancelled' ? 'the reply was cancelled' : 'it needs none'
  return invalid('tool_call_id', `names a call that does not wait for a decision: ${known}`)
}

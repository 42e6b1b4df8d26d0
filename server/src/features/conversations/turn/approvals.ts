import { isDeepStrictEqual } from 'node:util'
import type { AgentTool } from '../../../kernel/agent/agent-tool.ts'
import type { Verdict } from '../../../kernel/agent/approval.ts'
import { endStoredSteps } from '../../../kernel/agent/steps.ts'
import { approvedTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem, reason, unknownReference } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { ToolCallView } from '../../runs/schema.ts'
import { removeWaiting } from '../../runs/waiting.ts'
import { hasExpired, requireDecider } from '../approvals/rights.ts'
import { type ApprovalRow, deciderName, findReplyApprovals, settle } from '../approvals/store.ts'
import { encode } from '../message-row.ts'
import { type ConversationRow, lockMessage } from '../store.ts'
import { type AwaitingApproval, currentAsker, findAwaitingApproval } from './awaiting-approval.ts'
import { ConversationSink, turnPurpose } from './conversation-sink.ts'
import { prepareResumption, type Resumption } from './prepare.ts'

export interface Decision {
  tool_call_id: string
  approved: boolean
  comment?: string | null
  /** Instead of those of the model. */
  arguments?: Record<string, unknown>
}

interface Decider {
  who: Caller
  /** Nobody has decided in time. */
  expires?: boolean
}

/**
 * Records the decision about a tool call. The last open decision also marks the turn as running, in the same transaction,
 * so that one node resumes it, once. Returns the turn if this decision resumed it, else the message as it is.
 */
export async function decide(
  ctx: Context,
  decider: Decider,
  conversation: ConversationRow,
  messageId: string,
  decision: Decision,
): Promise<Run | MessageRow> {
  const { workspace_id: workspace } = conversation
  const waiting = await findAwaitingApproval(ctx.db, workspace, messageId)
  const prepared = waiting && (await prepareDecision(ctx, decider.who, conversation, waiting))
  if (decision.arguments)
    await checkEdited(ctx, decider.who, { workspace, messageId, decision, tools: prepared?.tools })
  const { row, resumes, approvals } = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockMessage(tx, workspace, conversation.id, messageId)
    return record(ctx, tx, decider, locked ?? notFound('message', messageId), decision, waiting)
  })
  if (!resumes || !prepared) return row
  const { asker, preparation, tools } = prepared
  const decisions = new Map(approvals.map((approval) => [approval.tool_call_id, toVerdict(approval)]))
  const run = { ...preparation.run, resumed: { pause: waiting.pause, decisions, approvedTools: tools } }
  return resume(ctx, asker, { ...preparation, reply: row, run })
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

/** Reads all it takes to resume the run, with the tools that may be approved. */
async function prepareDecision(
  ctx: Context,
  { traceparent }: Caller,
  conversation: ConversationRow,
  waiting: AwaitingApproval,
) {
  const asker = {
    ...(await currentAsker(ctx, conversation.workspace_id, waiting)),
    ...(traceparent && { traceparent }),
  }
  const preparation = await prepareResumption(ctx, asker, conversation, waiting)
  return { asker, preparation, tools: await approvedTools(ctx, asker, waiting.pause.pending, preparation.run.tools) }
}

function resume(ctx: Context, asker: Caller, resumption: Resumption): Promise<Run> {
  const sink = new ConversationSink(ctx, asker, resumption, { isResumed: true })
  return ctx.state.runs.resume(asker, { ...resumption, purpose: turnPurpose(resumption), sink })
}

const toVerdict = ({ status, comment, edited_arguments }: ApprovalRow): Verdict => ({
  status: status === 'pending' ? 'refused' : status,
  comment,
  edited: edited_arguments,
})

async function record(
  ctx: Context,
  tx: Db,
  { who, expires }: Decider,
  row: MessageRow,
  { tool_call_id, approved, comment = null, arguments: edited }: Decision,
  prepared: AwaitingApproval | undefined,
) {
  const call = row.tool_calls.find(({ id }) => id === tool_call_id)
  if (!call) unknownReference('tool_call_id', 'tool call', tool_call_id)
  const approvals = await findReplyApprovals(tx, row)
  const approval = approvals.find((each) => each.tool_call_id === tool_call_id)
  if (approval && !expires) requireDecider(who, approval)
  if (isDecided(row, call, approved, approval)) return { row, approvals, resumes: false }
  const waiting = await findAwaitingApproval(tx, row.workspace_id, row.id)
  if (!approval || waiting?.pause.step !== prepared?.pause.step) {
    throw new Problem('conversation_busy', 'The reply went on just now. Look at it again.')
  }
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
  await ctx.audit.record(tx, who, { action: actions[status], kind: 'approval', id: approval.id, fields })
  const resumes = row.tool_calls.every((each) => each.status !== 'awaiting_approval' || each.approved !== undefined)
  row.alive_at = ctx.now()
  if (resumes) {
    row.status = 'running'
    row.node = ctx.node
    await removeWaiting(tx, row.workspace_id, [row.id])
  }
  const { tool_calls, status: now, alive_at, node } = row
  await change(tx, row, { tool_calls, status: now, alive_at, node })
  return { row, approvals, resumes }
}

const actions = { approved: 'approve', refused: 'refuse', expired: 'expire' } as const

const tooLate = () => new Problem('already_running', 'Nobody decided in time, so this call was refused.')

/** Whether the same was decided before; refuses what cannot be decided any more. */
function isDecided(row: MessageRow, call: ToolCallView, approved: boolean, approval: ApprovalRow | undefined): boolean {
  if (call.approved === approved) return true
  if (approval?.status === 'expired') throw tooLate()
  if (call.approved !== undefined) {
    const done = call.approved ? 'approved' : 'refused'
    throw new Problem('already_running', `This call was already ${done}. A decision cannot be changed.`)
  }
  if (row.status === 'awaiting_approval' && call.status === 'awaiting_approval') return false
  const known = row.status === 'cancelled' ? 'the reply was cancelled' : 'it needs none'
  return invalid('tool_call_id', `names a call that does not wait for a decision: ${known}`)
}

interface Ending {
  status: 'cancelled' | 'failed'
  finish_reason: string
  code?: string
  error?: string
  expires?: boolean
}

const cancellation: Ending = { status: 'cancelled', finish_reason: 'cancelled' }

/** Gives up a reply that waits. Answers with undefined when it waits no more. */
export async function cancelWaiting(
  ctx: Context,
  who: Caller,
  conversationId: string,
  messageId: string,
  { expires = false, ...ending }: Ending = cancellation,
): Promise<MessageRow | undefined> {
  const ended = await inTransaction(ctx.db, async (tx) => {
    const row = await lockMessage(tx, who.workspace, conversationId, messageId)
    if (row?.status !== 'awaiting_approval') return undefined
    const result = `The reply ${ending.status === 'cancelled' ? 'was cancelled' : 'ended'} before this call was made.`
    for (const call of row.tool_calls) {
      if (call.status === 'awaiting_approval') Object.assign(call, { status: 'refused', result })
    }
    for (const approval of await findReplyApprovals(tx, row)) {
      if (approval.status !== 'pending') continue
      const status = expires ? 'expired' : 'refused'
      await settle(ctx, tx, row.workspace_id, approval, {
        status,
        decided_by: expires ? null : deciderName(who),
        comment: result,
      })
      await ctx.audit.record(tx, who, { action: actions[status], kind: 'approval', id: approval.id })
    }
    const steps = endStoredSteps(row.steps, { at: ctx.now(), failure: ending.status })
    Object.assign(row, ending, { alive_at: ctx.now(), steps })
    const { tool_calls, status, finish_reason, alive_at, code, error } = row
    await change(tx, row, { tool_calls, status, finish_reason, alive_at, steps, code, error })
    await removeWaiting(tx, who.workspace, [messageId])
    await free(ctx, tx, row)
    return row
  })
  if (!ended) return undefined
  ctx.state.conversations.histories.invalidate(conversationId)
  ctx.metrics.turnEnded(ending.status, null)
  return ended
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

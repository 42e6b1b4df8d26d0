import { isDeepStrictEqual } from 'node:util'
import type { AgentTool } from '../../../kernel/agent/agent-tool.ts'
import type { Pause, Verdict } from '../../../kernel/agent/approval.ts'
import { isWaiting } from '../../../kernel/agent/needs.ts'
import { endStoredSteps } from '../../../kernel/agent/steps.ts'
import { approvedTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { invalid, notFound, Problem, reason, unknownReference } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { StoredToolCall, ToolCallView } from '../../runs/schema.ts'
import { hasExpired, requireDecider } from '../approvals/rights.ts'
import { type ApprovalRow, deciderName, findReplyApprovals, settle } from '../approvals/store.ts'
import { bindingFrom } from '../binding.ts'
import { conversations } from '../conversations.ts'
import { withoutHiddenResults } from '../hidden.ts'
import { conversationTools, withPresentFacts } from '../memory/turn-memory.ts'
import { updateMessage } from '../message-row.ts'
import { type ConversationRow, callersIn, lockMessage } from '../store.ts'
import { type AwaitingApproval, currentAsker, findAwaitingApproval } from './awaiting-approval.ts'
import { ConversationSink, turnPurpose } from './conversation-sink.ts'
import { prepareResumption, type Resumption } from './prepare.ts'
import { showNextWait } from './shown-waits.ts'
import { changeWhileRunning } from './turn-store.ts'
import {
  changeReply,
  decisionActions,
  lockCallers,
  markRunning,
  stillWaits,
  type WokenReply,
  waitingStatus,
  wake,
} from './waiting-replies.ts'

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
  const prepared = waiting && (await prepareToResume(ctx, decider.who, conversation, waiting))
  if (decision.arguments)
    await checkEdited(ctx, decider.who, { workspace, messageId, decision, tools: prepared?.tools })
  const { row, resumes, approvals, woken } = await inTransaction(ctx.db, async (tx) => {
    const callers = await lockCallers(tx, workspace, callersIn(conversation))
    const locked = await lockMessage(tx, workspace, conversation.id, messageId)
    const recorded = await record(ctx, tx, decider, locked ?? notFound('message', messageId), decision, waiting)
    if (recorded.resumes) return { ...recorded, woken: await wake(ctx, tx, callers) }
    await showNextWait(tx, callers, recorded.row)
    return { ...recorded, woken: [] }
  })
  if (!resumes || !prepared) return row
  const run = await resume(ctx, prepared, row, approvals)
  await resumeWoken(ctx, woken)
  return run
}

/** Resumes replies whose agents were asked as tools and have gone on, or have ended. */
export async function resumeWoken(ctx: Context, woken: readonly WokenReply[]): Promise<void> {
  for (const { row, waiting } of woken) {
    try {
      const conversation = await conversations.table.find(ctx.db, row.workspace_id, row.conversation_id)
      if (!conversation) continue // it was deleted
      const prepared = await prepareToResume(ctx, {}, conversation, waiting)
      await resume(ctx, prepared, row, await findReplyApprovals(ctx.db, row))
    } catch (error) {
      ctx.log.warn({ err: error, message: row.id }, 'a reply could not go on after another agent had waited')
      await fail(ctx, row, error)
    }
  }
}

/** Its agent or its models were deleted. */
async function fail(ctx: Context, row: MessageRow, error: unknown): Promise<void> {
  const { id, workspace_id, conversation_id } = row
  const code = error instanceof Problem ? error.code : 'internal_error'
  const message = error instanceof Problem ? error.message : 'Something failed inside the service; the log says what.'
  const steps = endStoredSteps(row.steps, { at: ctx.now(), failure: 'failed' })
  const freed = { running_message_id: null, last_message_id: id }
  await ctx.commits.commit([
    updateMessage(ctx, row, { status: 'failed', finish_reason: 'error', code, error: message, steps }),
    changeWhileRunning(ctx.db, { id: conversation_id, workspace_id, reply: id, ...freed }),
  ])
  ctx.state.conversations.histories.invalidate(conversation_id)
}

interface ReadyToResume {
  asker: Caller
  preparation: Omit<Resumption, 'reply'>
  tools: Map<string, AgentTool>
  pause: Pause
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
export async function prepareToResume(
  ctx: Context,
  { traceparent }: Pick<Caller, 'traceparent'>,
  conversation: ConversationRow,
  waiting: AwaitingApproval,
): Promise<ReadyToResume> {
  const asker = {
    ...(await currentAsker(ctx, conversation.workspace_id, waiting)),
    ...(traceparent && { traceparent }),
  }
  const pause = await withPresentFacts(ctx, asker, await withoutHiddenResults(ctx, asker, waiting.pause))
  const preparation = await prepareResumption(ctx, asker, conversation, { ...waiting, pause })
  const tools = await approvedTools(ctx, asker, pause.pending, preparation.run.tools)
  return { asker, preparation, tools, pause }
}

export function resume(
  ctx: Context,
  { asker, preparation, tools, pause }: ReadyToResume,
  reply: MessageRow,
  approvals: readonly ApprovalRow[],
): Promise<Run> {
  const decisions = new Map([
    ...approvals.map((approval) => [approval.tool_call_id, toVerdict(approval)] as const),
    ...reply.tool_calls.flatMap(metNeed),
  ])
  const run = { ...preparation.run, resumed: { pause, decisions, approvedTools: tools } }
  const resumption = { ...preparation, reply, run }
  const sink = new ConversationSink(ctx, asker, resumption, { isResumed: true })
  return ctx.state.runs.resume(asker, {
    ...resumption,
    purpose: turnPurpose(resumption),
    variables: resumption.conversation.variables,
    binding: bindingFrom(resumption.conversation),
    conversationTools: (agent) => conversationTools(ctx, asker, resumption.conversation, agent),
    sink,
  })
}

/** How the need of a call was met. Other calls wait for approval. */
function metNeed({ id, status, connection, inputs = [] }: StoredToolCall): [string, Verdict][] {
  if (status !== 'awaiting_connection' && status !== 'awaiting_input') return []
  const isLate = connection?.status === 'expired' || inputs.at(-1)?.action === 'expired'
  const answers = inputs.flatMap(({ action, message, schema, url, content }) =>
    action === null || action === 'expired'
      ? []
      : [
          {
            action,
            message,
            ...(schema && { schema }),
            ...(url !== undefined && { url }),
            ...(content && { content }),
          },
        ],
  )
  return [[id, isLate ? { status: 'expired' } : { status: 'approved', answers }]]
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
  await ctx.audit.record(tx, who, { action: decisionActions[status], kind: 'approval', id: approval.id, fields })
  const resumes = !(await stillWaits(tx, row))
  row.alive_at = ctx.now()
  if (resumes) await markRunning(ctx, tx, row)
  else {
    row.status = waitingStatus(row)
    await changeReply(tx, row, { tool_calls: row.tool_calls, alive_at: row.alive_at, status: row.status })
  }
  return { row, approvals, resumes }
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

import { isDeepStrictEqual } from 'node:util'
import type { AgentTool } from '../../../kernel/agent/agent-tool.ts'
import type { Pause, Verdict } from '../../../kernel/agent/approval.ts'
import { approvedTools } from '../../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound, Problem, unknownReference } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { endingFor } from '../../runs/ending.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { Run } from '../../runs/run.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { awaitedNeed } from '../../runs/waiting-kinds.ts'
import { bindingFrom } from '../binding.ts'
import { conversations } from '../conversations.ts'
import { endedStored, endStored } from '../end-stored.ts'
import { withoutHiddenResults } from '../hidden.ts'
import { conversationTools, withPresentFacts } from '../memory/turn-memory.ts'
import { type ConversationRow, callersIn, lockMessage } from '../store.ts'
import { ConversationSink, turnPurpose } from '../turn/conversation-sink.ts'
import { prepareResumption, type Resumption } from '../turn/prepare.ts'
import { type ApprovalRow, findReplyApprovals } from '../waiting/approvals.ts'
import { type AwaitingApproval, currentAsker, findAwaitingApproval } from '../waiting/awaiting-approval.ts'
import { showNextWait } from '../waiting/shown-waits.ts'
import {
  changeReply,
  lockCallers,
  markRunning,
  stillWaits,
  type WokenReply,
  waitingStatus,
  wake,
} from '../waiting/waiting-replies.ts'

/** A call of a reply that is locked, with the approvals of the reply. */
export interface LockedCall {
  tx: Db
  row: MessageRow
  call: StoredToolCall
  /** The approval of this call, if it waits for one. */
  approval: ApprovalRow | undefined
  /** The replies that led to this one. */
  callers: MessageRow[]
}

/** The outcome of a call that waits. */
export interface Settlement {
  toolCallId: string
  /** Refuses an outcome that the tool does not take, before anything is locked. */
  check?(tools: ReadonlyMap<string, AgentTool> | undefined): Promise<void>
  /** Whether the call still waits for this. */
  isOpen(locked: LockedCall): boolean
  apply(locked: LockedCall): Promise<void>
}

/**
 * Settles a call that a reply waits for. The last open call also marks the reply as running, in the same transaction, so that
 * one node resumes it, once. Returns the run if this resumed it, else the message as it is.
 */
export async function settleCall(
  ctx: Context,
  who: Caller,
  conversation: ConversationRow,
  messageId: string,
  { toolCallId, check, isOpen, apply }: Settlement,
): Promise<Run | MessageRow> {
  const { workspace_id: workspace } = conversation
  const waiting = await findAwaitingApproval(ctx.db, workspace, messageId)
  const prepared = waiting && (await prepareToResume(ctx, who, conversation, waiting))
  await check?.(prepared?.tools)
  const { row, approvals, woken } = await inTransaction(ctx.db, async (tx) => {
    const callers = await lockCallers(tx, workspace, callersIn(conversation))
    const row = (await lockMessage(tx, workspace, conversation.id, messageId)) ?? notFound('message', messageId)
    const call = row.tool_calls.find(({ id }) => id === toolCallId)
    if (!call) return unknownReference('tool_call_id', 'tool call', toolCallId)
    const approvals = await findReplyApprovals(tx, row)
    const approval = approvals.find(({ tool_call_id }) => tool_call_id === toolCallId)
    const locked = { tx, row, call, approval, callers }
    if (!isOpen(locked)) return { row, approvals, woken: null }
    if (!isDeepStrictEqual(await findAwaitingApproval(tx, workspace, messageId), waiting))
      throw new Problem('conversation_busy', 'The reply went on just now. Look at it again.')
    await apply(locked)
    row.alive_at = ctx.now()
    if (await stillWaits(tx, row)) {
      row.status = waitingStatus(row)
      await changeReply(tx, row, { tool_calls: row.tool_calls, status: row.status, alive_at: row.alive_at })
      await showNextWait(tx, callers, row)
      return { row, approvals, woken: null }
    }
    await markRunning(ctx, tx, row)
    return { row, approvals, woken: await wake(ctx, tx, callers) }
  })
  if (woken === null || !prepared) return row
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
  const ending = endingFor(error)
  await ctx.commits.commit(endStored(ctx, row, ending))
  endedStored(ctx, row, ending)
}

interface ReadyToResume {
  asker: Caller
  preparation: Omit<Resumption, 'reply'>
  tools: Map<string, AgentTool>
  pause: Pause
}

/** Reads all it takes to resume the run, with the tools that may be approved. */
async function prepareToResume(
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

function resume(
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
function metNeed(call: StoredToolCall): [string, Verdict][] {
  const { id, status, inputs = [] } = call
  const need = awaitedNeed(status)
  if (!need) return []
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
  return [[id, need.hasExpired(call) ? { status: 'expired' } : { status: 'approved', answers }]]
}

const toVerdict = ({ status, comment, edited_arguments }: ApprovalRow): Verdict => ({
  status: status === 'pending' ? 'refused' : status,
  comment,
  edited: edited_arguments,
})

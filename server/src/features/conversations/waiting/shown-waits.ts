import type { AwaitedReply } from '../../../kernel/agent/agent-tool.ts'
import { isWaiting, type WaitingStatus } from '../../../kernel/agent/needs.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { agents } from '../../agents/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { showWait } from '../../runs/tool-call-views.ts'
import { awaitedNeed, isUnsettled, kindByStatus } from '../../runs/waiting-kinds.ts'
import { findCallers } from '../store.ts'
import { changeReply, waitingStatus } from './waiting-replies.ts'

/** Describes the first call that a reply waits for, to the reply that asked it. */
export async function awaitedReply(db: Db, reply: MessageRow): Promise<AwaitedReply> {
  const { id, workspace_id, conversation_id, agent_id, tool_calls } = reply
  const status = reply.status as WaitingStatus
  const waiting = tool_calls.find((call) => call.status === status && isUnsettled(call))
  const agent = await agents.table.find(db, workspace_id, agent_id ?? '')
  const own = { agent_id, agent_name: agent?.name ?? null, conversation_id, message_id: id }
  return {
    messageId: id,
    status,
    approvalId: null,
    path: waiting?.agent_path ?? [...(await findCallers(db, workspace_id, conversation_id)), own],
    ...(waiting && kindByStatus[status].describe(waiting)),
  }
}

const askingCall = (row: MessageRow, child: MessageRow): number =>
  row.tool_calls.findIndex((call) => call.conversation_id === child.conversation_id && isWaiting(call.status))

/** Replies that wait for this one keep the outcome of a call that had waited, too. */
export async function showOutcome(tx: Db, callers: MessageRow[], row: MessageRow, call: StoredToolCall): Promise<void> {
  const need = awaitedNeed(call.status)
  if (!need?.copyOutcome) return
  let child = row
  for (const caller of callers.toReversed()) {
    const asking = caller.tool_calls[askingCall(caller, child)]
    if (!asking) return
    need.copyOutcome(call, asking)
    await changeReply(tx, caller, { tool_calls: caller.tool_calls })
    child = caller
  }
}

/** Replies that wait for this one show what it waits for next. */
export async function showNextWait(tx: Db, callers: MessageRow[], row: MessageRow): Promise<void> {
  let child = row
  for (const caller of callers.toReversed()) {
    const index = askingCall(caller, child)
    const { tool_calls, events } = caller
    if (index < 0) return
    events.push(showWait(caller, index, await awaitedReply(tx, child)))
    caller.status = waitingStatus(caller)
    await changeReply(tx, caller, { tool_calls, events, status: caller.status })
    child = caller
  }
}

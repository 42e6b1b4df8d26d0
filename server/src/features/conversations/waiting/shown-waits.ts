import type { AwaitedReply } from '../../../kernel/agent/agent-tool.ts'
import { isWaiting, type WaitingStatus } from '../../../kernel/agent/needs.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { agents } from '../../agents/service.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { StoredToolCall } from '../../runs/schema.ts'
import { showWait } from '../../runs/tool-call-views.ts'
import { findCallers } from '../store.ts'
import { isUnsettled } from './kinds.ts'
import { changeReply, waitingStatus } from './waiting-replies.ts'

/** Describes the first call that a reply waits for, to the reply that asked it. */
export async function awaitedReply(db: Db, reply: MessageRow): Promise<AwaitedReply> {
  const { id, workspace_id, conversation_id, agent_id, tool_calls } = reply
  const status = reply.status as WaitingStatus
  const waiting = tool_calls.find((call) => call.status === status && isUnsettled(call))
  const { approval_id = null, agent_path, connection, inputs = [] } = waiting ?? {}
  const question = inputs.at(-1)
  const agent = await agents.table.find(db, workspace_id, agent_id ?? '')
  const own = { agent_id, agent_name: agent?.name ?? null, conversation_id, message_id: id }
  return {
    messageId: id,
    status,
    approvalId: status === 'awaiting_approval' ? approval_id : null,
    path: agent_path ?? [...(await findCallers(db, workspace_id, conversation_id)), own],
    ...(status === 'awaiting_connection' && connection && { connection: neededConnection(connection) }),
    ...(status === 'awaiting_input' &&
      question && {
        question: {
          message: question.message,
          ...(question.schema && { schema: question.schema }),
          ...(question.url !== undefined && { url: question.url }),
        },
      }),
  }
}

const neededConnection = ({ tool_id, name, authorize_url }: NonNullable<StoredToolCall['connection']>) => ({
  toolId: tool_id,
  name,
  userId: null, // the row of the other reply names the person
  authorizeUrl: authorize_url,
})

const askingCall = (row: MessageRow, child: MessageRow): number =>
  row.tool_calls.findIndex((call) => call.conversation_id === child.conversation_id && isWaiting(call.status))

/** Replies that wait for this one keep the answer to its question, too. */
export async function showAnswer(tx: Db, callers: MessageRow[], row: MessageRow, call: StoredToolCall): Promise<void> {
  const { action, content, answered_by, answered_at } = call.inputs?.at(-1) ?? {}
  if (call.status !== 'awaiting_input') return
  let child = row
  for (const caller of callers.toReversed()) {
    const question = caller.tool_calls[askingCall(caller, child)]?.inputs?.at(-1)
    if (!question) return
    Object.assign(question, { action, answered_by, answered_at, ...(content && { content }) })
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

import type { AwaitedReply } from '../../kernel/agent/agent-tool.ts'
import type { StartedCall } from '../../kernel/agent/approval.ts'
import type { ToolQuestion } from '../../kernel/agent/needs.ts'
import type { Item } from './events.ts'
import type { MessageRow } from './reply.ts'
import type { ToolCallView } from './schema.ts'

/** A call as it is shown while it runs or waits. */
export const toView = (call: StartedCall & { target?: string }, status: ToolCallView['status']): ToolCallView => ({
  id: call.id,
  tool_id: call.toolId,
  name: call.name,
  arguments: call.input,
  ...(call.target !== undefined && { target: call.target }),
  ...(call.conversationId !== undefined && { conversation_id: call.conversationId }),
  status,
  result: null,
  latency_ms: null,
})

/** Shows in a call what it needs from a person, or what the agent that answers it does. Returns the event. */
export function showWait(
  { tool_calls }: Pick<MessageRow, 'tool_calls'>,
  index: number,
  { status, approvalId, connection, question, path }: Omit<AwaitedReply, 'messageId'>,
): Exclude<Item, string> {
  const view = tool_calls[index]
  if (!view) return { a: index }
  Object.assign(view, { status, ...(approvalId && { approval_id: approvalId }), ...(path && { agent_path: path }) })
  delete view.connection
  if (connection) {
    const { toolId: tool_id, name, authorizeUrl: authorize_url } = connection
    view.connection = { tool_id, name, authorize_url, status: 'required' }
  }
  if (status === 'awaiting_connection') return { c: index }
  return status === 'awaiting_input' && question ? { i: index, m: addQuestion(view, question) } : { a: index }
}

/** Adds a question to a call. Returns its position. */
function addQuestion(view: ToolCallView, question: ToolQuestion): number {
  view.inputs = [...(view.inputs ?? []), { ...question, action: null }]
  return view.inputs.length - 1
}

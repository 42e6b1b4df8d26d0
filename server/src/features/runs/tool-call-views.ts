import type { AwaitedReply } from '../../kernel/agent/agent-tool.ts'
import type { StartedCall } from '../../kernel/agent/approval.ts'
import type { Item } from './events.ts'
import type { MessageRow } from './reply.ts'
import type { ToolCallView } from './schema.ts'
import { kindByStatus } from './waiting-kinds.ts'

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
  awaited: Omit<AwaitedReply, 'messageId'>,
): Exclude<Item, string> {
  const { status, approvalId, path } = awaited
  const view = tool_calls[index]
  if (!view) return { a: index }
  Object.assign(view, { status, ...(approvalId && { approval_id: approvalId }), ...(path && { agent_path: path }) })
  delete view.connection
  return kindByStatus[status].show(view, index, awaited)
}

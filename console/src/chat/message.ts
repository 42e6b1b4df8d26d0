import type { Message, ReplyEvent } from '@parley/client'

type ToolCall = Message['tool_calls'][number]

/** A message before the server has sent it. */
export function blankMessage(conversation: string, role: Message['role'], id: string, content = ''): Message {
  const timestamp = new Date().toISOString()
  return {
    id,
    conversation_id: conversation,
    parent_message_id: null,
    versions: [id],
    role,
    content,
    attachments: [],
    timestamp,
    created_at: timestamp,
    updated_at: timestamp,
    status: role === 'user' ? 'completed' : 'running',
    usage: null,
    tool_calls: [],
    citations: [],
    model_id: null,
    agent_id: null,
    handoffs: [],
    memories: { recalled: [], written: [] },
    agent_version: null,
    finish_reason: null,
    latency_ms: null,
    time_to_first_token_ms: null,
    feedback: null,
    error: null,
    code: null,
    output: null,
    details: null,
  }
}

/** Whether the server knows it by this id. */
export const isStored = ({ id }: Message): boolean => id.startsWith('msg_')

/** A reply with the reasoning of its model, which only the stream has. */
export type Reply = Message & { reasoning?: string }

/** Applies one stream event to a reply. */
export function applyEvent(reply: Reply, event: Exclude<ReplyEvent, { type: 'message.started' }>): Reply {
  switch (event.type) {
    case 'text.delta':
      return { ...reply, content: reply.content + event.delta, status: 'running' }
    case 'reasoning.delta':
      return { ...reply, reasoning: (reply.reasoning ?? '') + event.delta, status: 'running' }
    case 'tool.started':
      return {
        ...reply,
        tool_calls: withCall(reply, event.tool_call_id, {
          ...callFields(event),
          ...(event.conversation_id !== null && { conversation_id: event.conversation_id }),
          status: 'running',
        }),
      }
    case 'approval.required':
      return {
        ...reply,
        status: 'awaiting_approval',
        tool_calls: withCall(reply, event.tool_call_id, {
          ...callFields(event),
          ...(event.target !== null && { target: event.target }),
          ...(event.approval_id !== null && { approval_id: event.approval_id }),
          status: 'awaiting_approval',
        }),
      }
    case 'connection.required': {
      const { tool_id, name, authorize_url } = event
      const connection = { tool_id: tool_id ?? '', name, authorize_url, status: 'required' as const }
      return {
        ...reply,
        status: 'awaiting_connection',
        tool_calls: withCall(reply, event.tool_call_id, { connection, status: 'awaiting_connection' }),
      }
    }
    case 'input.required': {
      const { message, schema, url } = event
      const before = reply.tool_calls.find(({ id }) => id === event.tool_call_id)?.inputs ?? []
      const question = { message, ...(schema && { schema }), ...(url !== undefined && { url }), action: null }
      return {
        ...reply,
        status: 'awaiting_input',
        tool_calls: withCall(reply, event.tool_call_id, {
          inputs: [...before.filter(({ action }) => action !== null), question],
          status: 'awaiting_input',
        }),
      }
    }
    case 'tool.progress': // shown in the place of the result until that comes
      return event.text === null
        ? reply
        : { ...reply, tool_calls: withCall(reply, event.tool_call_id, { result: event.text }) }
    case 'tool.finished': {
      const { status, result, latency_ms } = event
      return { ...reply, tool_calls: withCall(reply, event.tool_call_id, { status, result, latency_ms }) }
    }
    case 'handoff': {
      const { from_agent_id, to_agent_id, reason } = event
      return {
        ...reply,
        agent_id: to_agent_id,
        handoffs: [...reply.handoffs, { from_agent_id, to_agent_id, reason }],
      }
    }
    case 'memory.written': {
      const { recalled, written } = reply.memories
      return { ...reply, memories: { recalled, written: [...written, { id: event.id, content: event.content }] } }
    }
    default:
      return { ...event.message, ...(reply.reasoning !== undefined && { reasoning: reply.reasoning }) }
  }
}

const callFields = ({ tool_id, name, arguments: args }: Pick<ToolCall, 'tool_id' | 'name' | 'arguments'>) => ({
  tool_id,
  name,
  arguments: args,
})

function withCall({ tool_calls }: Message, id: string, fields: Partial<ToolCall>): ToolCall[] {
  const empty: ToolCall = {
    id,
    tool_id: null,
    name: '',
    arguments: {},
    status: 'running',
    result: null,
    latency_ms: null,
  }
  return tool_calls.some((call) => call.id === id)
    ? tool_calls.map((call) => (call.id === id ? { ...call, ...fields, id } : call))
    : [...tool_calls, { ...empty, ...fields, id }]
}

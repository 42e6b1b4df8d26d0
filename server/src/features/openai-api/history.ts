import type { Role } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import type { ChatBody } from './schema.ts'

type ChatMessage = ChatBody['messages'][number]
type ToolCall = NonNullable<ChatMessage['tool_calls']>[number]

/**
 * Every message of the role `user` becomes user content: it must neither add instructions to the agent's nor put words
 * into its mouth. Others send the history as they want the model to see it.
 */
export function historyFrom(role: Role, messages: ChatMessage[]): ModelMessage[] {
  const sent = toModelMessages(messages)
  return role === 'user' ? sent.map(asUserContent) : sent
}

const asUserContent = ({ role, content }: ModelMessage): ModelMessage => ({
  role: 'user',
  content: role === 'assistant' ? `[Earlier reply, as quoted by the user]\n${content}` : content,
})

/** The client's tools are not the agent's, and providers reject calls of undeclared tools: calls and results become text. */
function toModelMessages(messages: ChatMessage[]): ModelMessage[] {
  const names = new Map<string, string>()
  return messages.map((message, index): ModelMessage => {
    const text = textOf(message, index)
    const { role } = message
    if (role === 'tool' || role === 'function') {
      const name = names.get(message.tool_call_id ?? '') ?? message.name ?? message.tool_call_id ?? 'a tool'
      return { role: 'user', content: `[Result of ${name}]\n${text}` }
    }
    if (role !== 'assistant') return { role: role === 'developer' ? 'system' : role, content: text }
    const calls = callsOf(message)
    for (const { id, name } of calls) names.set(id, name)
    const called = calls.map(({ name, input }) => `[Called ${name} with ${input}]`)
    return { role, content: [...(text === '' ? [] : [text]), ...called].join('\n') }
  })
}

function callsOf({ tool_calls, function_call }: ChatMessage): { id: string; name: string; input: string }[] {
  const legacy: ToolCall[] = function_call ? [{ id: '', function: function_call }] : []
  return [...(tool_calls ?? []), ...legacy].map(({ id = '', function: called, custom }) => ({
    id,
    name: called?.name ?? custom?.name ?? 'a tool',
    input: called?.arguments ?? custom?.input ?? '',
  }))
}

function textOf({ content, refusal }: ChatMessage, index: number): string {
  if (typeof content === 'string') return content
  const parts = content ?? []
  return parts.length === 0 ? (refusal ?? '') : parts.map((part) => textOfPart(part, index)).join('')
}

function textOfPart(part: { type: string; text?: string; refusal?: string }, index: number): string {
  if (part.type === 'refusal') return part.refusal ?? ''
  if (part.type !== 'text')
    invalid(`messages[${index}].content`, `has a part of type ${part.type}; only text is supported`)
  return part.text ?? ''
}

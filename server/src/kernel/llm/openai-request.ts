import type { GenerateRequest, ModelMessage, ToolCall } from './model.ts'

/** Where servers that call themselves compatible differ from one another. */
export interface Dialect {
  streamOptions: boolean
  tokenLimit: 'max_tokens' | 'max_completion_tokens'
}

export const usualDialect: Dialect = { streamOptions: true, tokenLimit: 'max_tokens' }

/** Only what is needed is sent: some servers refuse a field they do not know. */
export function chatBody(
  model: string,
  options: Record<string, unknown>,
  request: GenerateRequest,
  dialect: Dialect,
): string {
  const { messages, tools, temperature, maxTokens } = request
  const isLong = messages.length >= longHistory
  const body = JSON.stringify({
    ...options,
    model,
    messages: isLong ? undefined : messages.map(wireMessage),
    stream: true,
    ...(dialect.streamOptions && { stream_options: { include_usage: true } }),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { [dialect.tokenLimit]: maxTokens }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
  })
  return isLong ? `${body.slice(0, -1)},"messages":[${messages.map(wireText).join(',')}]}` : body
}

/** From so many messages on their texts are kept, as the next turn sends nearly all of them again. */
const longHistory = 100
const keptTexts = new WeakMap<ModelMessage, string>()

function wireText(message: ModelMessage): string {
  let text = keptTexts.get(message)
  if (text === undefined) {
    text = JSON.stringify(wireMessage(message))
    keptTexts.set(message, text)
  }
  return text
}

function wireMessage(message: ModelMessage): object {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content }
    case 'assistant':
      if (!message.toolCalls?.length) return { role: 'assistant', content: message.content }
      return { role: 'assistant', content: message.content || null, tool_calls: message.toolCalls.map(wireCall) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content }
  }
}

const wireCall = (call: ToolCall) => ({
  id: call.id,
  type: 'function',
  function: { name: call.name, arguments: soundArguments(call.arguments) },
})

/** Arguments that a model wrote badly would make servers that parse the history refuse every later turn. */
function soundArguments(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return '{}'
  }
}

const refusal = /unsupported|unrecogni[sz]ed|unknown|unexpected|not (be )?(supported|permitted|allowed)|forbidden/i

/** How to say the same to a server that refused a field, or null where that is not what it complains about. */
export function otherDialect(complaint: string, dialect: Dialect, isLimited: boolean): Dialect | null {
  if (dialect.streamOptions && complaint.includes('stream_options')) return { ...dialect, streamOptions: false }
  // A limit that is merely too high is complained about as well, but not as something unknown.
  const isRefused =
    complaint.includes('max_completion_tokens') || (complaint.includes('max_tokens') && refusal.test(complaint))
  const canChange = isLimited && dialect.tokenLimit === 'max_tokens'
  return canChange && isRefused ? { ...dialect, tokenLimit: 'max_completion_tokens' } : null
}

import type { PlannedCall } from '../../kernel/agent/generate.ts'
import { imageTokens, partTexts } from '../../kernel/llm/input-parts.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'

/** Tokens added to the text of a message, with any model. */
const perMessage = 8
const perRequest = 16
/** Some providers add their own instructions for tools to the prompt, and charge for them. */
const forTools = 512

/** The maximum reply under a blocking budget if the agent sets none. */
export const defaultReply = 4096
/** A call that cannot afford this many output tokens is refused. */
export const minReply = 16

/** An upper bound for any tokenizer: no text has more tokens than bytes. */
export function maxInputTokens({ messages, tools }: Pick<PlannedCall, 'messages' | 'tools'>): number {
  const text = messages.reduce((sum, message) => sum + messageBytes(message) + perMessage, imageTokens(messages))
  return perRequest + text + (tools.length > 0 ? Buffer.byteLength(JSON.stringify(tools)) + forTools : 0)
}

function messageBytes(message: ModelMessage): number {
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : ''
  const parts = partTexts(message).reduce((sum, part) => sum + Buffer.byteLength(part) + perMessage, 0)
  return parts + Buffer.byteLength(message.content) + Buffer.byteLength(calls)
}

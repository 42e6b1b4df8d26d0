import type { PlannedCall } from '../../kernel/agent/loop.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'

/** What a message costs beside its text, whatever the model. */
const perMessage = 8
const perRequest = 16
/** Some providers tell the model how to use tools in their own words, and charge for them. */
const forTools = 512

/** How long a reply may be under a blocking budget where the agent does not say. */
export const defaultReply = 4096
/** Where less than this can be paid for, a call is not worth making. */
export const leastReply = 16

/** The most tokens that a request can have, whatever the tokeniser: none has more tokens than the text has bytes. */
export function mostInputTokens({ messages, tools }: Pick<PlannedCall, 'messages' | 'tools'>): number {
  const said = messages.reduce((sum, message) => sum + bytesOf(message) + perMessage, 0)
  return perRequest + said + (tools.length > 0 ? Buffer.byteLength(JSON.stringify(tools)) + forTools : 0)
}

function bytesOf(message: ModelMessage): number {
  const calls = message.role === 'assistant' && message.toolCalls ? JSON.stringify(message.toolCalls) : ''
  return Buffer.byteLength(message.content) + Buffer.byteLength(calls)
}

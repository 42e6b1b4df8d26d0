import type { TokenCounter } from '@parley/documents'
import { imageTokens } from './input-parts.ts'
import { type ModelMessage, messageText, type TokenUsage, type ToolSpec } from './model.ts'

/** The input of a model call. */
interface Asked {
  messages: readonly ModelMessage[]
  tools: readonly ToolSpec[]
}

/** Tokens that a provider adds to each message. */
const perMessage = 4
/** The tokenizer of the model is unknown and may split the text into more tokens than ours. */
const margin = 1.1

/** The usage of a call that the provider has not reported, such as a cancelled one. Rather too high than too low. */
export async function estimateUsage(
  tokens: Pick<TokenCounter, 'count'>,
  { messages, tools }: Asked,
  reply = '',
): Promise<TokenUsage> {
  const texts = [...messages.map(messageText), ...tools.map((tool) => JSON.stringify(tool))]
  const [output = 0, ...input] = await tokens.count([reply, ...texts])
  return {
    input: withMargin(input.reduce((sum, count) => sum + count + perMessage, imageTokens(messages))),
    cachedInput: 0,
    output: withMargin(output),
    reasoning: 0,
  }
}

const withMargin = (count: number): number => Math.ceil(count * margin)

/** Usage of a call that has no reply, such as an embedding. */
export const inputUsage = (input: number): TokenUsage => ({ input, cachedInput: 0, output: 0, reasoning: 0 })

const bytesPerToken = 4

/** A quick estimate, for the built-in models. By bytes, because other scripts have more tokens per character than Latin. */
export const tokensByLength = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / bytesPerToken)

/** A quick estimate of the input tokens, before the reply. */
export function roughUsage({ messages, tools }: Asked): TokenUsage {
  const texts = [...messages.map(messageText), ...tools.map((tool) => JSON.stringify(tool))]
  return inputUsage(withMargin(tokensByLength(texts) + imageTokens(messages)))
}

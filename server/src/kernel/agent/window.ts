import type { TokenCounter } from '@parley/documents'
import { imageTokens, partsOf } from '../llm/input-parts.ts'
import { type ModelMessage, type ToolSpec, textOf } from '../llm/model.ts'

/** For models whose context window is not configured. */
export const defaultWindow = 32_768
const defaultReply = 2048
/** Tokens of a message in addition to its text, assumed for all models. */
export const messageOverhead = 8
/** Old tool results are cut to this many characters. */
const shortLength = 1000
const note = '\n[The rest was left out to save space.]'

export interface Window {
  contextWindow: number | null
  maxTokens: number | null
}

/** The tokens that a model can be sent, beside its reply. */
export function inputRoom({ contextWindow, maxTokens }: Window): { window: number; input: number } {
  const window = contextWindow ?? defaultWindow
  return { window, input: window - Math.min(maxTokens ?? defaultReply, Math.floor(window / 2)) }
}

export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(0, length - note.length)).toWellFormed() + note

/**
 * Makes the messages of a step fit the model that is asked: shortens older results of tools, then leaves out the oldest
 * turns, then shortens the newest results. If that is not enough, the provider refuses the request.
 */
export async function fitWindow(
  counter: Pick<TokenCounter, 'count'>,
  messages: ModelMessage[],
  tools: ToolSpec[],
  window: Window,
): Promise<ModelMessage[]> {
  const { input: room } = inputRoom(window)
  const toolSpecs = tools.map((tool) => JSON.stringify(tool))
  // A token has at least one byte, so messages that fit in bytes need not be counted.
  const bytes = [...toolSpecs, ...messages.map(textOf)].reduce(
    (sum, text) => sum + Buffer.byteLength(text) + messageOverhead,
    imageTokens(messages),
  )
  if (bytes <= room) return messages

  const counts = await counter.count([...toolSpecs, ...messages.map(textOf)])
  const fixed = counts.slice(0, toolSpecs.length).reduce((sum, tokens) => sum + tokens + messageOverhead, 0)
  const sized = messages.map((message, at) => ({
    message,
    tokens: (counts[toolSpecs.length + at] ?? 0) + messageOverhead + imageTokens([message]),
  }))
  const excess = () => fixed + sized.reduce((sum, { tokens }) => sum + tokens, 0) - room
  const newestCalls = messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls)
  for (const each of sized.slice(0, Math.max(0, newestCalls))) if (excess() > 0) shorten(each, shortLength)
  while (excess() > 0 && dropOldestTurn(sized));
  const results = sized.filter(({ message }) => message.role === 'tool')
  const total = results.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = Math.max(0, 1 - excess() / Math.max(1, total))
  if (share < 1) for (const each of results) shorten(each, Math.floor(each.message.content.length * share * 0.9))
  return sized.map(({ message }) => message)
}

interface Sized {
  message: ModelMessage
  tokens: number
}

function shorten(each: Sized, length: number): void {
  const { message, tokens } = each
  if (message.role !== 'tool' || message.content.length <= length) return
  const content = shortened(message.content, length)
  each.tokens = Math.ceil((tokens * content.length) / message.content.length) + messageOverhead
  each.message = { ...message, content }
}

/** Drops the oldest turn, except for the last one. Documents stay, because later turns refer to them. */
function dropOldestTurn(sized: Sized[]): boolean {
  const start = sized.findIndex(({ message }) => message.role !== 'system')
  const next = sized.findIndex(({ message }, at) => at > start && message.role === 'user')
  const nextQuestion = sized[next]
  if (start < 0 || nextQuestion?.message.role !== 'user') return false
  const documents = partsOf((sized[start] as Sized).message).filter(({ type }) => type === 'text')
  if (documents.length > 0) {
    nextQuestion.message = { ...nextQuestion.message, parts: [...documents, ...partsOf(nextQuestion.message)] }
    nextQuestion.tokens += (sized[start] as Sized).tokens
  }
  sized.splice(start, next - start)
  return true
}

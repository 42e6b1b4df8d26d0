import type { TokenCounter } from '@parley/documents'
import { imageTokens, inputParts } from '../llm/input-parts.ts'
import { type ModelMessage, messageText, type ToolSpec } from '../llm/model.ts'

/** For models whose context window is not configured. */
export const defaultWindow = 32_768
const defaultReply = 2048
/** Tokens of a message in addition to its text, assumed for all models. */
const messageOverhead = 8
/** Old tool results are cut to this many characters. */
const shortLength = 1000
const note = '\n[The rest was left out to save space.]'

export interface Window {
  contextWindow: number | null
  maxTokens: number | null
}

/** The tokens that a model can be sent, beside its reply. */
function inputRoom({ contextWindow, maxTokens }: Window): { window: number; input: number } {
  const window = contextWindow ?? defaultWindow
  return { window, input: window - Math.min(maxTokens ?? defaultReply, Math.floor(window / 2)) }
}

export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, Math.max(0, length - note.length)).toWellFormed() + note

/** Ordinary text has about four characters a token; text with more than this is cut a little early. */
const maxCharactersPerToken = 16

type Counter = Pick<TokenCounter, 'count'>

/** Messages do not change, so each is counted once, however often its conversation is sent. */
const counted = new WeakMap<ModelMessage, number>()

/** Counts the messages that are not counted yet, from the newest as far back as a window may reach. */
export async function countMessages(counter: Counter, messages: ModelMessage[], window: number): Promise<void> {
  const wanted: ModelMessage[] = []
  let characters = 0
  for (const message of messages.toReversed()) {
    characters += messageText(message).length
    if (!counted.has(message)) wanted.push(message)
    if (characters > maxCharactersPerToken * window) break
  }
  const counts = await counter.count(wanted.map(messageText))
  for (const [at, message] of wanted.entries()) counted.set(message, messageTokens(message, counts[at] ?? 0))
}

const messageTokens = (message: ModelMessage, textTokens: number): number =>
  textTokens + messageOverhead + imageTokens([message])

/** An upper bound: a token has at least one byte. */
export const maxMessageTokens = (message: ModelMessage): number =>
  messageTokens(message, Buffer.byteLength(messageText(message)))

/**
 * Makes the messages of a request fit its model: shortens older results of tools, leaves out calls of earlier turns and then
 * the oldest turns, and shortens the newest results. If that is not enough, the provider refuses the request.
 */
export async function fitWindow(
  counter: Counter,
  messages: ModelMessage[],
  tools: ToolSpec[],
  limits: Window,
): Promise<ModelMessage[]> {
  const { window, input: room } = inputRoom(limits)
  const specs = tools.map((tool) => JSON.stringify(tool))
  const most = specs.reduce((sum, spec) => sum + Buffer.byteLength(spec) + messageOverhead, 0)
  if (messages.reduce((sum, message) => sum + maxMessageTokens(message), most) <= room) return messages

  await countMessages(counter, messages, window)
  const specTokens = (await counter.count(specs)).reduce((sum, tokens) => sum + tokens + messageOverhead, 0)
  const fitted = new Fitting(messages, room - specTokens)
  const newestCalls = messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls)
  for (const each of fitted.sized.slice(0, Math.max(0, newestCalls)))
    if (fitted.excess > 0) fitted.shorten(each, shortLength)
  while (fitted.excess > 0 && fitted.dropOldestCalls());
  while (fitted.excess > 0 && fitted.dropOldestTurn());
  const results = fitted.sized.filter(({ message }) => message.role === 'tool')
  const total = results.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = Math.max(0, 1 - fitted.excess / Math.max(1, total))
  if (share < 1) for (const each of results) fitted.shorten(each, Math.floor(each.message.content.length * share * 0.9))
  return fitted.sized.map(({ message }) => message)
}

interface Sized {
  message: ModelMessage
  tokens: number
}

export const isToolMessage = (message: ModelMessage): boolean =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls !== undefined)

class Fitting {
  readonly sized: Sized[]
  /** The tokens that are still too many. */
  excess: number

  constructor(messages: ModelMessage[], room: number) {
    // A message that was not counted is too old to fit.
    this.sized = messages.map((message) => ({ message, tokens: counted.get(message) ?? maxMessageTokens(message) }))
    this.excess = this.sized.reduce((sum, { tokens }) => sum + tokens, -room)
  }

  #drop(start: number, end: number): void {
    for (const { tokens } of this.sized.splice(start, end - start)) this.excess -= tokens
  }

  shorten(each: Sized, length: number): void {
    const { message, tokens } = each
    if (message.role !== 'tool' || message.content.length <= length) return
    const content = shortened(message.content, length)
    each.tokens = Math.ceil((tokens * content.length) / message.content.length) + messageOverhead
    each.message = { ...message, content }
    this.excess += each.tokens - tokens
  }

  /** Drops the oldest calls of an earlier turn with their results. */
  dropOldestCalls(): boolean {
    const question = this.sized.findLastIndex(({ message }) => message.role === 'user')
    const start = this.sized.findIndex(({ message }, at) => at < question && isToolMessage(message))
    if (start < 0) return false
    const next = this.sized.findIndex(({ message }, at) => at > start && message.role !== 'tool')
    this.#drop(start, next < 0 ? this.sized.length : next)
    return true
  }

  /** Drops the oldest turn, except for the last one. Documents stay, because later turns refer to them. */
  dropOldestTurn(): boolean {
    const start = this.sized.findIndex(({ message }) => message.role !== 'system')
    const next = this.sized.findIndex(({ message }, at) => at > start && message.role === 'user')
    const [oldest, nextQuestion] = [this.sized[start], this.sized[next]]
    if (!oldest || nextQuestion?.message.role !== 'user') return false
    const documents = inputParts(oldest.message).filter(({ type }) => type === 'text')
    if (documents.length > 0) {
      nextQuestion.message = { ...nextQuestion.message, parts: [...documents, ...inputParts(nextQuestion.message)] }
      nextQuestion.tokens += oldest.tokens
      this.excess += oldest.tokens
    }
    this.#drop(start, next)
    return true
  }
}

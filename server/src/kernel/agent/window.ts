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
function inputRoom({ contextWindow, maxTokens }: Window): number {
  const window = contextWindow ?? defaultWindow
  return window - Math.min(maxTokens ?? defaultReply, Math.floor(window / 2))
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
  const room = inputRoom(limits)
  const specs = tools.map((tool) => JSON.stringify(tool))
  const most = specs.reduce((sum, spec) => sum + Buffer.byteLength(spec) + messageOverhead, 0)
  if (messages.reduce((sum, message) => sum + maxMessageTokens(message), most) <= room) return messages

  await countMessages(counter, messages, limits.contextWindow ?? defaultWindow)
  const specTokens = (await counter.count(specs)).reduce((sum, tokens) => sum + tokens + messageOverhead, 0)
  const fitted = new Fitting(messages, room - specTokens)
  const newestCalls = messages.findLastIndex((message) => message.role === 'assistant' && message.toolCalls)
  for (const each of fitted.sized.slice(0, Math.max(0, newestCalls)))
    if (fitted.excess > 0) fitted.shorten(each, shortLength)
  fitted.dropOldestCalls()
  fitted.dropOldestTurns()
  const results = fitted.sized.filter(({ message }) => message.role === 'tool')
  const total = results.reduce((sum, { tokens }) => sum + tokens, 0)
  const share = Math.max(0, 1 - fitted.excess / Math.max(1, total))
  if (share < 1) for (const each of results) fitted.shorten(each, Math.floor(each.message.content.length * share * 0.9))
  return fitted.sized.map(({ message }) => message)
}

/** The number of texts, from the first, that fit a model together with what it is sent in any case. */
export async function countFitting(
  counter: Counter,
  texts: readonly string[],
  always: ModelMessage[],
  limits: Window,
): Promise<number> {
  let left = always.reduce((room, message) => room - maxMessageTokens(message), inputRoom(limits))
  if (texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= left) return texts.length
  const counts = await counter.count(texts)
  const tooMany = counts.findIndex((tokens) => {
    left -= tokens
    return left < 0
  })
  return tooMany < 0 ? texts.length : tooMany
}

interface Sized {
  message: ModelMessage
  tokens: number
}

export const isToolMessage = (message: ModelMessage): boolean =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls !== undefined)

class Fitting {
  sized: Sized[]
  /** The tokens that are still too many. */
  excess: number

  constructor(messages: ModelMessage[], room: number) {
    // A message that was not counted is too old to fit.
    this.sized = messages.map((message) => ({ message, tokens: counted.get(message) ?? maxMessageTokens(message) }))
    this.excess = this.sized.reduce((sum, { tokens }) => sum + tokens, -room)
  }

  shorten(each: Sized, length: number): void {
    const { message, tokens } = each
    if (message.role !== 'tool' || message.content.length <= length) return
    const content = shortened(message.content, length)
    each.tokens = Math.ceil((tokens * content.length) / message.content.length) + messageOverhead
    each.message = { ...message, content }
    this.excess += each.tokens - tokens
  }

  /** Drops calls of earlier turns with their results, until the rest fits. */
  dropOldestCalls(): void {
    const question = this.sized.findLastIndex(({ message }) => message.role === 'user')
    let isDropping = false
    this.sized = this.sized.filter(({ message, tokens }, at) => {
      if (message.role !== 'tool') isDropping = false
      isDropping ||= this.excess > 0 && at < question && isToolMessage(message)
      if (isDropping) this.excess -= tokens
      return !isDropping
    })
  }

  /** Drops turns until the rest fits, except for the last one. Documents stay, because later turns refer to them. */
  dropOldestTurns(): void {
    const first = this.sized.findIndex(({ message }) => message.role !== 'system')
    const questions = [...this.sized.keys()].filter((at) => at > first && this.sized[at]?.message.role === 'user')
    let start = first
    for (const next of questions) {
      if (this.excess <= 0) break
      this.#moveDocuments(start, next)
      for (const { tokens } of this.sized.slice(start, next)) this.excess -= tokens
      start = next
    }
    this.sized.splice(first, start - first)
  }

  #moveDocuments(from: number, to: number): void {
    const [oldest, question] = [this.sized[from], this.sized[to]]
    const documents = oldest ? inputParts(oldest.message).filter(({ type }) => type === 'text') : []
    if (documents.length === 0 || !oldest || question?.message.role !== 'user') return
    question.message = { ...question.message, parts: [...documents, ...inputParts(question.message)] }
    question.tokens += oldest.tokens
    this.excess += oldest.tokens
  }
}

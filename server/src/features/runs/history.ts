import type { TokenCounter } from '@parley/documents'
import type { Steps } from '../../kernel/agent/steps.ts'
import { defaultWindow, inputRoom, messageOverhead } from '../../kernel/agent/window.ts'
import type { Context } from '../../kernel/context.ts'
import { imageTokens } from '../../kernel/llm/input-parts.ts'
import { type ModelMessage, textOf } from '../../kernel/llm/model.ts'
import { documentsIn, imagesIn } from './attachments.ts'
import { isOfTool, toolMessages } from './earlier-calls.ts'
import type { Attachment, StoredToolCall } from './schema.ts'

/** The messages of a conversation as a model sees them. */
export interface History {
  /** The newest message in it; another one in the database means that a turn was stored elsewhere. */
  lastMessageId: string | null
  messages: ModelMessage[]
  /** The documents that are attached to its messages. */
  documents: Attachment[]
  /** Counted only when a conversation gets too long for its model. */
  tokens: (number | undefined)[]
  /** The instructions and tools that were last sent, with their token count. */
  countedExtras?: { texts: string[]; tokens: number }
  characters: number
  /** An upper bound of the tokens: a token has at least one byte. */
  bytes: number
  /** The context window of the model that was last asked. */
  window: number
}

/** How many messages of a conversation a model is sent at most. */
export const maxHistoryMessages = 2000
/** The memory that a cached message takes beside its text, in characters. */
const cachedMessageOverhead = 100
/** Ordinary text has about four characters a token; text with more than this is cut a little early. */
const maxCharactersPerToken = 16

/** A message as a history has it. */
export interface HistoryMessage {
  role: 'user' | 'assistant'
  content: string
  attachments?: Attachment[]
  /** Left out for older replies. */
  tool_calls?: StoredToolCall[]
}

export function historyOf(messages: readonly HistoryMessage[], lastMessageId: string | null = null): History {
  const history: History = {
    lastMessageId,
    messages: [],
    documents: [],
    tokens: [],
    characters: 0,
    bytes: 0,
    window: defaultWindow,
  }
  for (const { role, content, attachments = [], tool_calls = [] } of messages) {
    if (role === 'assistant') addReply(history, content, tool_calls)
    else addQuestion(history, content, attachments)
  }
  return history
}

function add(history: History, message: ModelMessage): void {
  const text = textOf(message)
  history.messages.push(message)
  history.tokens.push(undefined)
  history.characters += text.length + cachedMessageOverhead
  history.bytes += Buffer.byteLength(text) + messageOverhead + imageTokens([message])
}

export function addQuestion(history: History, content: string, attachments: Attachment[]): void {
  add(history, questionOf(content, attachments))
  history.documents.push(...documentsIn(attachments))
}

/** A message of the user as a model gets it: with its images. */
export function questionOf(content: string, attachments: Attachment[]): ModelMessage {
  const images = imagesIn(attachments)
  return images.length > 0 ? { role: 'user', content, parts: images } : { role: 'user', content }
}

export function addReply(history: History, content: string, calls: StoredToolCall[]): void {
  for (const message of toolMessages(calls, history.messages)) add(history, message)
  if (content !== '') add(history, { role: 'assistant', content })
}

export interface Room {
  contextWindow: number | null
  maxTokens: number | null
  /** Instructions and tools, which are sent with every request and stay the same. */
  extraTexts: string[]
  /** Without tools, some providers refuse a history in which tools were called. */
  hasTools: boolean
  question: string
  /** The tokens of what is attached to the question, and of documents. */
  files: number
}

/** Fits the history into the model's window. Tool calls are left out first, then messages, each from the oldest. */
async function fitting(counter: TokenCounter, history: History, room: Room): Promise<ModelMessage[]> {
  const { window, input } = inputRoom(room)
  history.window = window
  const extraBytes = [...room.extraTexts, room.question].reduce(
    (sum, text) => sum + Buffer.byteLength(text) + messageOverhead,
    room.files,
  )
  const wanted = room.hasTools ? history.messages : history.messages.filter((message) => !isOfTool(message))
  // A token has at least one byte, so what is short enough in bytes need not be counted.
  if (extraBytes + history.bytes <= input) return wanted

  const left = input - room.files - (await countExtraTokens(counter, history, room))
  await countMessages(counter, history)
  const tokens = new Map(history.messages.map((message, at) => [message, history.tokens[at] ?? left + 1]))
  const said = newest(
    wanted.filter((message) => !isOfTool(message)),
    tokens,
    left,
  )
  const [oldest] = said.messages
  if (!oldest) return []
  // Results follow their calls, so a part of them begins with calls.
  const ofTools = wanted.slice(wanted.indexOf(oldest)).filter(isOfTool)
  const kept = newest(ofTools, tokens, said.left).messages
  while (kept[0]?.role === 'tool') kept.shift()
  const chosen = new Set([...said.messages, ...kept])
  return wanted.filter((message) => chosen.has(message))
}

/** The newest messages that fit into this many tokens. */
function newest(messages: ModelMessage[], tokens: ReadonlyMap<ModelMessage, number>, room: number) {
  let left = room
  let first = messages.length
  while (first > 0) {
    const cost = tokens.get(messages[first - 1] as ModelMessage) ?? 0
    if (cost > left) break
    left -= cost
    first--
  }
  return { messages: messages.slice(first), left }
}

/** A short question counts as its upper bound, so that nobody waits for its exact number. */
async function countExtraTokens(
  counter: TokenCounter,
  history: History,
  { extraTexts, question }: Room,
): Promise<number> {
  const isSame = history.countedExtras?.texts.every((text, at) => text === extraTexts[at])
  if (!isSame || history.countedExtras?.texts.length !== extraTexts.length) {
    const counts = await counter.count(extraTexts)
    history.countedExtras = {
      texts: extraTexts,
      tokens: counts.reduce((sum, tokens) => sum + tokens + messageOverhead, 0),
    }
  }
  const bound = Buffer.byteLength(question)
  const [asked = bound] = bound > history.window / 32 ? await counter.count([question]) : []
  return history.countedExtras.tokens + asked + messageOverhead
}

/** Counts the newest messages that are not counted yet, as far back as may be needed. */
export async function countMessages(counter: TokenCounter, { messages, tokens, window }: History): Promise<void> {
  const wanted: number[] = []
  for (let index = messages.length - 1, seen = 0; index >= 0 && seen < maxCharactersPerToken * window; index--) {
    const message = messages[index]
    seen += message ? textOf(message).length : 0
    if (tokens[index] === undefined) wanted.push(index)
  }
  const counts = await counter.count(wanted.map((index) => textOf(messages[index] as ModelMessage)))
  for (const [at, index] of wanted.entries())
    tokens[index] = (counts[at] ?? 0) + messageOverhead + imageTokens(messages.slice(index, index + 1))
}

/** The messages of the history that fit the model. */
export const chooseHistory = (
  ctx: Context,
  steps: Steps,
  read: () => Promise<History> | History,
  roomFor: (history: History) => Promise<Room> | Room,
): Promise<ModelMessage[]> =>
  steps.run('history', async (step) => {
    const history = await read()
    const chosen = await fitting(ctx.tokens, history, await roomFor(history))
    const omitted = history.messages.length - chosen.length
    step.note({ messages: chosen.length, ...(omitted > 0 && { omitted }) })
    return chosen
  })

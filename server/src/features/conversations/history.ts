import type { TokenCounter } from '@parley/documents'
import type { Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { history } from './store.ts'

interface Remembered {
  /** The newest message in it; another one in the database means that somebody else has written since. */
  last: string | null
  messages: ModelMessage[]
  /** Counted only when a conversation gets too long for its model. */
  tokens: (number | undefined)[]
  /** What was sent with it last, and how many tokens that has. */
  besides?: { texts: string[]; tokens: number }
  characters: number
  /** With what each message costs beside its text. */
  bytes: number
  /** How many tokens the model reads and writes that was told it last. */
  window: number
}

/** How many messages of a conversation a model is told at the most. */
export const farthestBack = 2000
/** Of all conversations together, so many are kept in memory. */
const mostCharacters = 4 * 1024 * 1024
/** What keeping a message costs beside its text, in characters. */
const keeping = 100
const defaultWindow = 32_768
const defaultReply = 2048
/** What a message costs beside its text, whatever the model. */
const overhead = 8
/** Ordinary text has about four characters a token; what has more than this is cut short a little early. */
const mostCharactersOfToken = 16

export function rememberedOf(messages: readonly { role: 'user' | 'assistant'; content: string }[]): Remembered {
  const remembered: Remembered = {
    last: null,
    messages: [],
    tokens: [],
    characters: 0,
    bytes: 0,
    window: defaultWindow,
  }
  for (const { role, content } of messages) add(remembered, role, content)
  return remembered
}

/** What was said in the conversations that are going on, so that a long one is not read anew for every message. */
export class Histories {
  private readonly known = new Map<string, Remembered>()
  private characters = 0

  async of(
    ctx: Context,
    conversation: { id: string; workspace_id: string; last_message_id: string | null },
  ): Promise<Remembered> {
    const known = this.known.get(conversation.id)
    if (known && known.last === conversation.last_message_id) {
      this.known.delete(conversation.id)
      this.known.set(conversation.id, known) // now the most recently used
      return known
    }
    this.forget(conversation.id)
    const rows =
      conversation.last_message_id === null
        ? []
        : await history(ctx.db, conversation.workspace_id, conversation.id, farthestBack)
    const remembered = { ...rememberedOf(rows.reverse()), last: conversation.last_message_id }
    this.known.set(conversation.id, remembered)
    this.characters += remembered.characters
    return remembered
  }

  /** A turn has ended: what was asked and answered belongs to the history now. */
  extend(counter: TokenCounter, conversation: string, last: string, question: string, answer: string): void {
    const known = this.known.get(conversation)
    if (!known) return
    const before = known.characters
    add(known, 'user', question)
    if (answer !== '') add(known, 'assistant', answer)
    known.last = last
    // What will have to be counted soon is counted now, so that no question waits for it.
    if (known.bytes > 0.75 * known.window) void countMessages(counter, known)
    this.characters += known.characters - before
    for (const [id] of this.known) {
      if (this.characters <= mostCharacters) break
      this.forget(id)
    }
  }

  forget(conversation: string): void {
    const known = this.known.get(conversation)
    if (!known) return
    this.characters -= known.characters
    this.known.delete(conversation)
  }
}

function add(history: Remembered, role: 'user' | 'assistant', content: string): void {
  history.messages.push({ role, content })
  history.tokens.push(undefined)
  history.characters += content.length + keeping
  history.bytes += Buffer.byteLength(content) + overhead
}

export interface Room {
  contextWindow: number | null
  maxTokens: number | null
  /** What is sent besides the history and stays the same: instructions and tools. */
  besides: string[]
  question: string
}

/** As much of the history as fits the model, the oldest left out first. */
export async function fitting(counter: TokenCounter, history: Remembered, room: Room): Promise<ModelMessage[]> {
  const window = room.contextWindow ?? defaultWindow
  history.window = window
  const reply = Math.min(room.maxTokens ?? defaultReply, Math.floor(window / 2))
  const besides = [...room.besides, room.question].reduce((sum, text) => sum + Buffer.byteLength(text) + overhead, 0)
  // A token has at least one byte, so what is short enough in bytes need not be counted.
  if (besides + history.bytes <= window - reply) return history.messages

  let left = window - reply - (await countBesides(counter, history, room))
  await countMessages(counter, history)
  let first = history.messages.length
  while (first > 0) {
    left -= history.tokens[first - 1] ?? left + 1
    if (left < 0) break
    first--
  }
  return history.messages.slice(first)
}

/** A short question is taken for the most it can be, so that nobody need wait for its exact number. */
async function countBesides(counter: TokenCounter, history: Remembered, { besides, question }: Room): Promise<number> {
  const isSame = history.besides?.texts.every((text, at) => text === besides[at])
  if (!isSame || history.besides?.texts.length !== besides.length) {
    const counts = await counter.count(besides)
    history.besides = { texts: besides, tokens: counts.reduce((sum, tokens) => sum + tokens + overhead, 0) }
  }
  const most = Buffer.byteLength(question)
  const [asked = most] = most > history.window / 32 ? await counter.count([question]) : []
  return history.besides.tokens + asked + overhead
}

/** Counts what of the newest messages is not counted yet, as far as it may be needed. */
async function countMessages(counter: TokenCounter, { messages, tokens, window }: Remembered): Promise<void> {
  const wanted: number[] = []
  for (let index = messages.length - 1, seen = 0; index >= 0 && seen < mostCharactersOfToken * window; index--) {
    seen += messages[index]?.content.length ?? 0
    if (tokens[index] === undefined) wanted.push(index)
  }
  const counts = await counter.count(wanted.map((index) => messages[index]?.content ?? ''))
  for (const [at, index] of wanted.entries()) tokens[index] = (counts[at] ?? 0) + overhead
}

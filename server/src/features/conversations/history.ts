import type { Context } from '../../kernel/context.ts'
import type { ModelMessage } from '../../kernel/llm/model.ts'
import { history } from './store.ts'

interface Remembered {
  /** The newest message in it; another one in the database means that somebody else has written since. */
  last: string | null
  messages: ModelMessage[]
  /** Counted only when a conversation gets too long for its model. */
  tokens: (number | undefined)[]
  characters: number
}

/** How many messages of a conversation a model is told at the most. */
export const farthestBack = 2000
const mostCharacters = 16 * 1024 * 1024
const defaultWindow = 32_768
const defaultReply = 2048
/** What a message costs beside its text, whatever the model. */
const overhead = 8

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
    const remembered: Remembered = { last: conversation.last_message_id, messages: [], tokens: [], characters: 0 }
    for (const { role, content } of rows.reverse()) add(remembered, role, content)
    this.known.set(conversation.id, remembered)
    this.characters += remembered.characters
    return remembered
  }

  /** A turn has ended: what was asked and answered belongs to the history now. */
  extend(conversation: string, last: string, question: string, answer: string): void {
    const known = this.known.get(conversation)
    if (!known) return
    const before = known.characters
    add(known, 'user', question)
    if (answer !== '') add(known, 'assistant', answer)
    known.last = last
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
  history.characters += content.length
}

export interface Room {
  contextWindow: number | null
  maxTokens: number | null
  /** What is sent besides the history: instructions, tools, the question. */
  besides: string[]
}

/** As much of the history as fits the model, the oldest left out first. */
export async function fitting(history: Remembered, room: Room): Promise<ModelMessage[]> {
  const window = room.contextWindow ?? defaultWindow
  const reply = Math.min(room.maxTokens ?? defaultReply, Math.floor(window / 2))
  const besides = room.besides.reduce((sum, text) => sum + text.length, 0)
  const bytesPerCharacter = 3
  // A token has at least one byte, so what is short enough in bytes need not be counted.
  const surely = (besides + history.characters) * bytesPerCharacter + history.messages.length * overhead
  if (surely <= window - reply) return history.messages

  const { countTokens } = await import('../../kernel/text/tokens.ts')
  let left = window - reply - room.besides.reduce((sum, text) => sum + countTokens(text) + overhead, 0)
  let first = history.messages.length
  while (first > 0) {
    const index = first - 1
    history.tokens[index] ??= countTokens(history.messages[index]?.content ?? '') + overhead
    left -= history.tokens[index] ?? 0
    if (left < 0) break
    first = index
  }
  return history.messages.slice(first)
}

import { LRUCache } from 'lru-cache'
import { countMessages, defaultWindow } from '../../../kernel/agent/window.ts'
import type { Context } from '../../../kernel/context.ts'
import { addQuestion, addReply, type History, maxHistoryMessages, toHistory } from '../../runs/history.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { readHistory } from '../history.ts'
import type { ConversationRow } from '../store.ts'

/** Counts all cached conversations together. */
const maxCachedCharacters = 4 * 1024 * 1024

/** Histories belong to a revision of their conversation, which rises when a text is deleted, on whichever node. */
interface Cached {
  revision: number
  history: History
}

type Conversation = Pick<ConversationRow, 'id' | 'workspace_id' | 'last_message_id' | 'revision'>

interface EndedTurn {
  question: Pick<MessageRow, 'id' | 'content' | 'attachments' | 'parent_id'>
  reply: Pick<MessageRow, 'id' | 'content' | 'tool_calls'>
}

/** Histories of active conversations with their token counts, so that a long one is not read and counted for every message. */
export class HistoryCache {
  readonly #ctx: Context
  readonly #cache = new LRUCache<string, Cached>({
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ history }) => history.characters + 1,
  })

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  async get({ id, workspace_id, last_message_id, revision }: Conversation): Promise<History> {
    const cached = this.#cache.get(id)
    if (cached?.revision === revision && cached.history.lastMessageId === last_message_id) return cached.history
    const rows = last_message_id === null ? [] : await readHistory(this.#ctx.db, workspace_id, id, maxHistoryMessages)
    const history = toHistory(rows.reverse(), last_message_id)
    this.#cache.set(id, { revision, history })
    return history
  }

  /** Replaces what is cached: the conversation goes on from another message. */
  replace({ id, revision }: Conversation, history: History): void {
    this.#cache.set(id, { revision, history })
  }

  /** Adds a turn that has ended. */
  extend(conversation: string, { question, reply }: EndedTurn): void {
    const cached = this.#cache.get(conversation)
    if (!cached) return
    const { history } = cached
    if ((history.lastMessageId ?? conversation) !== question.parent_id) {
      this.invalidate(conversation) // the cached history is of another branch
      return
    }
    addQuestion(history, question)
    if (reply.content !== '') addReply(history, reply)
    history.lastMessageId = reply.id
    this.#cache.delete(conversation)
    this.#cache.set(conversation, cached) // with its new size
    // Count ahead what the next question would have to wait for.
    if (history.maxTokens > defaultWindow / 2) void countMessages(this.#ctx.tokens, history.messages, defaultWindow)
  }

  invalidate(conversation: string): void {
    this.#cache.delete(conversation)
  }
}

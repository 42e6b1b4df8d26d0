import type { Message, RequestBody, Schemas } from '@parley/client'
import { parley } from '../api/parley.ts'
import { applyEvent, blankMessage } from './message.ts'

export type TriedReply = Schemas['TriedReply']
/** The variant of the agent that is tried: unsaved changes, or an earlier version. */
export type Tried = Omit<RequestBody<'/agents/{id}/try', 'post'>, 'messages' | 'stream'>

export interface TryState {
  /** Questions and replies in turn. */
  messages: (Message | TriedReply)[]
  isRunning: boolean
  error: unknown
}

/** A conversation that tries an agent. Only this page knows it. */
export class TrySession {
  #state: TryState = { messages: [], isRunning: false, error: null }
  readonly #agent: string
  #abort = new AbortController()
  #count = 0
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(agent: string) {
    this.#agent = agent
  }

  readonly snapshot = (): TryState => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Returns false if the server rejected the request, so that the question can be sent again. */
  async send(text: string, tried: Tried): Promise<boolean> {
    this.#abort = new AbortController()
    const { signal } = this.#abort
    const before = this.#state.messages
    const question = blankMessage('', 'user', `question-${++this.#count}`, text)
    this.#set({ messages: [...before, question], isRunning: true, error: null })
    const body = {
      ...tried,
      messages: [...before, question].filter(isSaid).map(({ role, content }) => ({ role, content })),
    }
    let reply: Message | undefined
    try {
      for await (const event of parley.agents.tryStream(this.#agent, body, { signal, maxRetries: 0 })) {
        if (signal.aborted) break
        if (event.type === 'message.started') {
          reply = { ...blankMessage('', 'assistant', event.message_id), model_id: event.model_id }
        } else if (reply) reply = applyEvent(reply, event)
        if (reply) this.#setThrottled({ messages: [...before, question, reply] })
      }
      return true
    } catch (error) {
      if (signal.aborted) return true
      // An interrupted reply stays, with the error below it.
      this.#set({ messages: reply ? [...before, question, { ...reply, status: 'interrupted' }] : before, error })
      return reply !== undefined
    } finally {
      if (!signal.aborted) this.#set({ isRunning: false })
    }
  }

  /** Stops the reply and keeps its text. */
  stop(): void {
    this.#abort.abort()
    const last = this.#state.messages.at(-1)
    const stopped = last?.role === 'assistant' && last.status === 'running'
    const messages = stopped
      ? [...this.#state.messages.slice(0, -1), { ...last, status: 'cancelled' as const }]
      : this.#state.messages
    this.#set({ messages, isRunning: false })
  }

  reset(): void {
    this.#abort.abort()
    this.#set({ messages: [], isRunning: false, error: null })
  }

  #set(next: Partial<TryState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }

  /** Notifies listeners at most every 30 ms: deltas arrive far more often. */
  #setThrottled(next: Partial<TryState>): void {
    this.#state = { ...this.#state, ...next }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const listener of this.#listeners) listener()
    }, 30)
  }
}

/** A reply that failed before its first word is not part of the conversation. */
const isSaid = ({ content }: Message): boolean => content !== ''

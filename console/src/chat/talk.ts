import { type Events, isParleyError, type Message, type MessageEvent } from '@parley/client'
import { parley } from '../api/parley.ts'
import { after, blank } from './message.ts'

export interface TalkState {
  messages: Message[]
  isLoading: boolean
  /** Whether a reply is being written. */
  isRunning: boolean
  /** Whether the connection is lost and being made again. */
  isReconnecting: boolean
  error: unknown
  /** Whether a message was not taken because somebody else's is being answered. */
  isRefused: boolean
  status: 'active' | 'completed'
  title: string | null
}

/** A conversation as it is going on: what has been said, and what is being said now. */
export class Talk {
  #state: TalkState
  #id: string | null
  readonly #agent: string
  readonly #onStarted: (id: string) => void
  #leave = new AbortController()
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLooking = false
  /** Counts what is done here, so that what was read before it is not shown after it. */
  #deeds = 0

  constructor(agent: string, id: string | null, onStarted: (id: string) => void = () => {}) {
    this.#agent = agent
    this.#id = id
    this.#onStarted = onStarted
    this.#state = {
      messages: [],
      isLoading: id !== null,
      isRunning: false,
      isReconnecting: false,
      error: null,
      isRefused: false,
      status: 'active',
      title: null,
    }
  }

  get id(): string | null {
    return this.#id
  }
  readonly snapshot = (): TalkState => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads what has been said. A reply that is being written is followed from its beginning. */
  async open(): Promise<void> {
    this.#leave.abort()
    this.#leave = new AbortController()
    const { signal } = this.#leave
    if (this.#id === null) return
    this.#set({ isRunning: false, isReconnecting: false })
    try {
      await this.#look({ error: null })
    } catch (error) {
      if (!signal.aborted) this.#set({ error, isLoading: false })
    }
  }

  /** Looks for what was said elsewhere: in another tab, or by a program. */
  async refresh(): Promise<void> {
    const { isRunning, isLoading } = this.#state
    if (this.#id === null || isRunning || isLoading || this.#isLooking) return
    this.#isLooking = true
    try {
      await this.#look()
    } catch (error) {
      // What is shown stays, unless it is known to be gone.
      if (isParleyError(error, 'not_found')) this.#set({ error })
    } finally {
      this.#isLooking = false
    }
  }

  /** Stops looking. The reply goes on without us. */
  close(): void {
    this.#leave.abort()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async send(text: string): Promise<boolean> {
    this.#begin({ isRunning: true })
    try {
      if (this.#id === null) {
        const { id } = await parley.conversations.create({ agent_id: this.#agent })
        this.#id = id
        this.#onStarted(id)
      }
      const said = blank(this.#id, 'user', `said-${this.#state.messages.length}`, text)
      this.#set({ messages: [...this.#state.messages, said] })
      return await this.#do(parley.conversations.stream(this.#id, text, this.#options()))
    } catch (error) {
      this.#set({ error, isRunning: false })
      return false
    }
  }

  async regenerate(message: string): Promise<void> {
    if (this.#id === null) return
    this.#begin({ messages: this.#state.messages.filter(({ id }) => id !== message) })
    await this.#do(parley.conversations.regenerateStream(this.#id, message, this.#options()))
  }

  async decide(message: string, call: string, approved: boolean): Promise<void> {
    if (this.#id === null) return
    this.#begin()
    const decision = { tool_call_id: call, approved }
    await this.#do(parley.conversations.approveStream(this.#id, message, decision, this.#options()))
    // Where it waits for further decisions nothing was streamed: the message knows what was decided.
    if (this.#state.messages.find(({ id }) => id === message)?.status === 'awaiting_approval') {
      const now = await parley.conversations.message(this.#id, message)
      this.#change(message, () => now)
    }
  }

  async stop(): Promise<void> {
    const running = this.#state.messages.at(-1)
    if (this.#id === null || running?.role !== 'assistant') return
    await parley.conversations.cancel(this.#id, running.id)
  }

  async rate(message: string, rating: 'up' | 'down'): Promise<void> {
    if (this.#id === null) return
    const changed = await parley.conversations.feedback(this.#id, message, { rating })
    this.#change(message, () => changed)
  }

  #options() {
    return { signal: this.#leave.signal, onReconnect: () => this.#set({ isReconnecting: true }) }
  }

  #begin(next: Partial<TalkState> = {}): void {
    this.#deeds++
    this.#set({ error: null, isRefused: false, ...next })
  }

  async #look(also: Partial<TalkState> = {}): Promise<void> {
    const { signal } = this.#leave
    const deeds = this.#deeds
    if (this.#id === null) return
    const { messages, status, title } = await parley.conversations.get(this.#id, { signal })
    if (signal.aborted || deeds !== this.#deeds) return
    this.#set({ messages, status, title, isLoading: false, ...also })
    const last = messages.at(-1)
    if (last?.status !== 'running') return
    this.#set({ isRefused: isParleyError(this.#state.error, 'conversation_busy'), error: null })
    await this.#take(parley.conversations.resume(this.#id, last.id, this.#options()))
  }

  /** Takes the reply to something that is done here. Where that is refused, others were faster: see what they did. */
  async #do(events: Events): Promise<boolean> {
    const isDone = await this.#take(events, (reply) => void this.#fillIn(reply).catch(() => {}))
    if (!isDone) void this.#look().catch(() => {})
    return isDone
  }

  /** What others said before the question that is being answered. */
  async #fillIn(reply: string): Promise<void> {
    const { signal } = this.#leave
    const deeds = this.#deeds
    if (this.#id === null) return
    const { messages, status, title } = await parley.conversations.get(this.#id, { signal })
    const live = this.#state.messages.find(({ id }) => id === reply)
    if (signal.aborted || deeds !== this.#deeds || !live) return
    this.#set({ status, title, messages: messages.map((each) => (each.id === reply ? live : each)) })
  }

  async #take(events: Events, onStarted: (reply: string) => void = () => {}): Promise<boolean> {
    const { signal } = this.#leave
    this.#set({ isRunning: true })
    let message = ''
    try {
      for await (const event of events) {
        const isStart = event.type === 'message.started'
        if (isStart) message = event.message_id
        this.#hear(event, message || (this.#state.messages.at(-1)?.id ?? ''))
        if (isStart) onStarted(message)
      }
      return true
    } catch (error) {
      if (signal.aborted) return true
      if (isParleyError(error, 'conversation_busy') && this.#state.messages.at(-1)?.role === 'user')
        this.#set({ messages: this.#state.messages.slice(0, -1) })
      this.#set({ error })
      return false
    } finally {
      if (!signal.aborted) this.#set({ isRunning: false, isReconnecting: false })
    }
  }

  #hear(event: MessageEvent, message: string): void {
    if (this.#state.isReconnecting) this.#set({ isReconnecting: false })
    const { type } = event
    if (type === 'message.started') {
      const fresh = { ...blank(event.conversation_id, 'assistant', message), model_id: event.model_id }
      this.#soon({ messages: [...this.#state.messages.filter(({ id }) => id !== message), fresh] })
    } else this.#change(message, (was) => after(was, event))
  }

  #change(message: string, next: (was: Message) => Message): void {
    this.#soon({ messages: this.#state.messages.map((each) => (each.id === message ? next(each) : each)) })
  }

  #set(next: Partial<TalkState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }

  /** What comes many times a second is shown a few times a second. */
  #soon(next: Partial<TalkState>): void {
    this.#state = { ...this.#state, ...next }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const listener of this.#listeners) listener()
    }, 30)
  }
}

import { type Events, isParleyError, type Message, type MessageEvent } from '@parley/client'
import { parley } from '../api/parley.ts'

export interface TalkState {
  messages: Message[]
  isLoading: boolean
  /** Whether a reply is being written. */
  isRunning: boolean
  /** Whether the connection is lost and being made again. */
  isReconnecting: boolean
  error: unknown
  status: 'active' | 'completed'
}

type ToolCall = Message['tool_calls'][number]

const blank = (conversation: string, role: Message['role'], id: string, content = ''): Message => ({
  id,
  conversation_id: conversation,
  role,
  content,
  timestamp: new Date().toISOString(),
  status: role === 'user' ? 'completed' : 'running',
  usage: null,
  tool_calls: [],
  citations: [],
  model_id: null,
  agent_version: null,
  finish_reason: null,
  latency_ms: null,
  time_to_first_token_ms: null,
  feedback: null,
  error: null,
  code: null,
})

/** A conversation as it is going on: what has been said, and what is being said now. */
export class Talk {
  #state: TalkState
  #id: string | null
  readonly #agent: string
  readonly #onStarted: (id: string) => void
  #leave = new AbortController()
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined

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
      status: 'active',
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
    this.#leave = new AbortController()
    const { signal } = this.#leave
    if (this.#id === null) return
    try {
      const { messages, status } = await parley.conversations.get(this.#id, { signal })
      this.#set({ messages, status, isLoading: false, error: null })
      const last = messages.at(-1)
      if (last?.status === 'running') await this.#take(parley.conversations.resume(this.#id, last.id, this.#options()))
    } catch (error) {
      if (!signal.aborted) this.#set({ error, isLoading: false })
    }
  }

  /** Stops looking. The reply goes on without us. */
  close(): void {
    this.#leave.abort()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async send(text: string): Promise<boolean> {
    this.#set({ error: null, isRunning: true })
    try {
      if (this.#id === null) {
        const { id } = await parley.conversations.create({ agent_id: this.#agent })
        this.#id = id
        this.#onStarted(id)
      }
      const said = blank(this.#id, 'user', `said-${this.#state.messages.length}`, text)
      this.#set({ messages: [...this.#state.messages, said] })
      return await this.#take(parley.conversations.stream(this.#id, text, this.#options()))
    } catch (error) {
      this.#set({ error, isRunning: false })
      return false
    }
  }

  async regenerate(message: string): Promise<void> {
    if (this.#id === null) return
    const kept = this.#state.messages.filter(({ id }) => id !== message)
    this.#set({ error: null, messages: kept })
    await this.#take(parley.conversations.regenerateStream(this.#id, message, this.#options()))
  }

  async decide(message: string, call: string, approved: boolean): Promise<void> {
    if (this.#id === null) return
    this.#set({ error: null })
    const decision = { tool_call_id: call, approved }
    await this.#take(parley.conversations.approveStream(this.#id, message, decision, this.#options()))
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

  async #take(events: Events): Promise<boolean> {
    const { signal } = this.#leave
    this.#set({ isRunning: true })
    let message = ''
    try {
      for await (const event of events) {
        if (event.type === 'message.started') message = event.message_id
        this.#hear(event, message || (this.#state.messages.at(-1)?.id ?? ''))
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

/** A reply after one more event. */
function after(was: Message, event: Exclude<MessageEvent, { type: 'message.started' }>): Message {
  switch (event.type) {
    case 'text.delta':
      return { ...was, content: was.content + event.delta, status: 'running' }
    case 'tool.started':
      return { ...was, tool_calls: withCall(was, event.tool_call_id, { ...asked(event), status: 'running' }) }
    case 'approval.required':
      return {
        ...was,
        status: 'awaiting_approval',
        tool_calls: withCall(was, event.tool_call_id, { ...asked(event), status: 'awaiting_approval' }),
      }
    case 'tool.finished': {
      const { result, latency_ms } = event
      const status = event.status as ToolCall['status']
      return { ...was, tool_calls: withCall(was, event.tool_call_id, { status, result, latency_ms }) }
    }
    default:
      return event.message
  }
}

const asked = ({ tool_id, name, arguments: given }: Pick<ToolCall, 'tool_id' | 'name' | 'arguments'>) => ({
  tool_id,
  name,
  arguments: given,
})

function withCall({ tool_calls }: Message, id: string, fields: Partial<ToolCall>): ToolCall[] {
  const empty: ToolCall = {
    id,
    tool_id: null,
    name: '',
    arguments: {},
    status: 'running',
    result: null,
    latency_ms: null,
  }
  return tool_calls.some((call) => call.id === id)
    ? tool_calls.map((call) => (call.id === id ? { ...call, ...fields, id } : call))
    : [...tool_calls, { ...empty, ...fields, id }]
}

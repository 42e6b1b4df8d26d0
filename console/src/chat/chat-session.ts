import {
  type ConversationWithMessages,
  type Events,
  isParleyError,
  type Message,
  type ReplyEvent,
} from '@parley/client'
import { parley } from '../api/parley.ts'
import type { Decision } from '../parts/decision-form.tsx'
import { loadMarkdown } from '../ui/lazy-markdown.tsx'
import { merged } from './merge-messages.ts'
import { applyEvent, blankMessage, isStored } from './message.ts'
import type { Answer } from './need.tsx'

export interface ChatState {
  messages: Message[]
  isLoading: boolean
  isLoadingOlder: boolean
  /** Whether a reply is streaming. */
  isRunning: boolean
  isReconnecting: boolean
  error: unknown
  /** Whether a message was rejected because another one is being answered. */
  isBusy: boolean
  status: 'active' | 'completed'
  title: string | null
  /** The messages that the model gets as a summary. */
  summary: ConversationWithMessages['summary']
  /** The message that was looked for, once it is among the messages. */
  found: string | null
}

/** Names a conversation to the other tabs of this browser when something is said in it. */
export const otherTabs = new BroadcastChannel('parley-chats')

/** At most this many messages of a branch that is not the active one are read. */
const maxWatched = 2000

type Attachment = Message['attachments'][number]

/** Whether there are messages before the first one that is shown. */
export const hasOlder = ({ messages: [first] }: ChatState): boolean =>
  first !== undefined && isStored(first) && first.parent_message_id !== null

/** The state of one conversation: its messages, and the reply that is streaming. */
export class ChatSession {
  #state: ChatState
  #id: string | null
  readonly #agent: string
  readonly #onStarted: (id: string) => void
  #abort = new AbortController()
  readonly #listeners = new Set<() => void>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isRefreshing = false
  /** Whether the conversation was created for a message that is not accepted yet. */
  #isNew = false
  /** The message to look for when the conversation is opened. */
  #target: string | null
  /** Whether the agent uses its memory in a conversation that starts here. */
  usesMemory = true
  /** Whether the conversation is only read, so that nothing changes what its people see. */
  #isWatching: boolean
  /** The message whose branch is watched. Null: the active branch. */
  #watched: string | null = null
  /** Counts the user's actions, so that a response from before an action does not overwrite it. */
  #actions = 0

  constructor(
    agent: string,
    id: string | null,
    onStarted: (id: string) => void = () => {},
    target: string | null = null,
    isWatching = false,
  ) {
    this.#agent = agent
    this.#isWatching = isWatching
    this.#target = target
    this.#id = id
    this.#onStarted = onStarted
    this.#state = {
      messages: [],
      isLoading: id !== null,
      isLoadingOlder: false,
      isRunning: false,
      isReconnecting: false,
      error: null,
      isBusy: false,
      status: 'active',
      title: null,
      summary: null,
      found: null,
    }
  }

  get id(): string | null {
    return this.#id
  }
  readonly snapshot = (): ChatState => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Loads the messages. A reply that is still streaming is followed from its start. */
  async open(): Promise<void> {
    this.#abort.abort()
    this.#abort = new AbortController()
    const { signal } = this.#abort
    if (this.#id === null) return
    this.#set({ isRunning: false, isReconnecting: false })
    try {
      await this.#load({ error: null })
    } catch (error) {
      if (!signal.aborted) this.#set({ error, isLoading: false })
    }
  }

  /** Loads messages from elsewhere: another tab or the API. */
  async refresh(): Promise<void> {
    const { isRunning, isLoading } = this.#state
    if (this.#id === null || isRunning || isLoading || this.#isRefreshing) return
    this.#isRefreshing = true
    try {
      await this.#load()
    } catch (error) {
      // Keep showing the messages unless the conversation was deleted.
      if (isParleyError(error, 'not_found')) this.#set({ error })
    } finally {
      this.#isRefreshing = false
    }
  }

  /** Refreshes regularly: the browser has the last response, so that one without news is only its ETag. */
  async poll(): Promise<void> {
    if (this.#watched === null && this.#state.error === null && this.#state.status === 'active') await this.refresh()
  }

  /** Stops following. The reply continues on the server. */
  close(): void {
    this.#abort.abort()
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Loads messages before the first one that is shown. */
  async loadOlder(): Promise<void> {
    const { signal } = this.#abort
    const [first] = this.#state.messages
    if (this.#id === null || !hasOlder(this.#state) || this.#state.isLoadingOlder || !first) return
    this.#set({ isLoadingOlder: true })
    try {
      const { data } = await parley.conversations.messages(this.#id, { before: first.id, limit: 100 }, { signal })
      const { messages } = this.#state
      if (messages[0]?.id === first.id) this.#set({ messages: [...data, ...messages] })
    } catch (error) {
      if (!signal.aborted) this.#set({ error })
    } finally {
      this.#set({ isLoadingOlder: false })
    }
  }

  /** Loads all messages, for printing. */
  async loadAll(): Promise<void> {
    let first: string | undefined
    while (hasOlder(this.#state) && this.#state.error === null && first !== this.#state.messages[0]?.id) {
      first = this.#state.messages[0]?.id
      await this.loadOlder()
    }
  }

  /** Sends a message in place of an earlier one, which stays as another version. */
  async edit(message: string, text: string): Promise<boolean> {
    const { messages } = this.#state
    const at = messages.findIndex(({ id }) => id === message)
    const edited = messages[at]
    if (!edited || this.#state.isRunning) return false
    this.#startAction({ messages: messages.slice(0, at) })
    const isAccepted = await this.send(text, edited.parent_message_id, edited.attachments)
    if (!isAccepted && !this.#state.isRunning) this.#set({ messages })
    return isAccepted
  }

  /** Shows another version of a message, with the messages after it. */
  async activate(message: string): Promise<void> {
    if (this.#id === null || this.#state.isRunning) return
    this.#startAction()
    const actions = this.#actions
    if (this.#isWatching) this.#watched = message
    const messages = this.#isWatching
      ? await this.#watchedMessages(message)
      : (await parley.conversations.activate(this.#id, message)).messages
    if (actions === this.#actions) this.#set({ messages: merged(this.#state.messages, messages) })
  }

  /** Takes part in a conversation that was watched: the branch that its people see is shown. */
  async join(): Promise<void> {
    this.#isWatching = false
    this.#watched = null
    this.#startAction()
    await this.#load()
  }

  #watchedMessages(through: string): Promise<Message[]> {
    return parley.conversations.messages(this.#id ?? '', { through, limit: 100 }).all(maxWatched)
  }

  async send(text: string, parentMessageId?: string | null, attachments: Attachment[] = []): Promise<boolean> {
    this.#startAction({ isRunning: true })
    try {
      if (this.#id === null) {
        this.#id = (await parley.conversations.create({ agent_id: this.#agent, memory: this.usesMemory })).id
        this.#isNew = true
      }
      const sent = blankMessage(this.#id, 'user', `sent-${this.#state.messages.length}`, text)
      this.#set({ messages: [...this.#state.messages, { ...sent, attachments }] })
      const options = {
        ...this.#options(),
        ...(attachments.length > 0 && { attachments }),
        ...(parentMessageId !== undefined && { parentMessageId }),
      }
      return await this.#followReply(parley.conversations.stream(this.#id, text, options))
    } catch (error) {
      this.#set({ error, isRunning: false })
      return false
    }
  }

  async regenerate(message: string): Promise<void> {
    if (this.#id === null) return
    this.#startAction({ messages: this.#state.messages.filter(({ id }) => id !== message) })
    await this.#followReply(parley.conversations.regenerateStream(this.#id, message, this.#options()))
  }

  async decide(message: string, call: string, choice: Decision): Promise<void> {
    if (this.#id === null) return
    this.#startAction()
    const decision = { tool_call_id: call, ...choice }
    await this.#followReply(parley.conversations.approveStream(this.#id, message, decision, this.#options()))
    // If the reply waits for more decisions, nothing is streamed: load the decision with the message.
    if (this.#state.messages.find(({ id }) => id === message)?.status === 'awaiting_approval') {
      const current = await parley.conversations.message(this.#id, message)
      this.#change(message, () => current)
    }
  }

  async answer(message: string, call: string, answer: Answer): Promise<void> {
    if (this.#id === null) return
    this.#startAction()
    const body = { tool_call_id: call, ...answer }
    await this.#followReply(parley.conversations.answerStream(this.#id, message, body, this.#options()))
    const current = await parley.conversations.message(this.#id, message)
    this.#change(message, () => current)
  }

  async stop(): Promise<void> {
    const running = this.#state.messages.at(-1)
    if (this.#id === null || running?.role !== 'assistant') return
    await parley.conversations.cancel(this.#id, running.id)
  }

  async rate(message: string, rating: 'up' | 'down', comment: string | null = null): Promise<void> {
    if (this.#id === null) return
    const changed = await parley.conversations.feedback(this.#id, message, { rating, comment })
    this.#change(message, () => changed)
  }

  /** Takes a memory that was deleted off the reply that it was written for. */
  forget(message: string, memory: string): void {
    const without = (list: Message['memories']['written']) => list.filter(({ id }) => id !== memory)
    this.#change(message, (reply) => ({
      ...reply,
      memories: { recalled: without(reply.memories.recalled), written: without(reply.memories.written) },
    }))
  }

  #options() {
    return { signal: this.#abort.signal, onReconnect: () => this.#set({ isReconnecting: true }) }
  }

  #startAction(next: Partial<ChatState> = {}): void {
    this.#actions++
    this.#set({ error: null, isBusy: false, ...next })
  }

  async #load(also: Partial<ChatState> = {}): Promise<void> {
    const { signal } = this.#abort
    const actions = this.#actions
    if (this.#id === null) return
    void loadMarkdown()
    const { messages: active, status, title, summary } = await parley.conversations.get(this.#id, { signal })
    await loadMarkdown() // so that messages do not change their heights
    const messages = this.#watched === null ? active : await this.#watchedMessages(this.#watched)
    if (signal.aborted || actions !== this.#actions) return
    this.#set({ messages: merged(this.#state.messages, messages), status, title, summary, isLoading: false, ...also })
    await this.#findTarget(signal)
    const last = this.#state.messages.at(-1)
    if (signal.aborted || last?.status !== 'running') return
    this.#set({ isBusy: isParleyError(this.#state.error, 'conversation_busy'), error: null })
    await this.#consume(parley.conversations.resume(this.#id, last.id, this.#options()))
  }

  /** Loads messages up to the one that is looked for, and shows its branch if it is on another one. */
  async #findTarget(signal: AbortSignal): Promise<void> {
    const target = this.#target
    if (target === null) return
    this.#target = null
    const isShown = async () => {
      await this.#loadFrom(target)
      return this.#state.messages.some(({ id }) => id === target)
    }
    try {
      let isFound = await isShown()
      if (!isFound) {
        await this.activate(target)
        isFound = await isShown()
      }
      if (isFound && !signal.aborted) this.#set({ found: target })
    } catch (error) {
      if (!signal.aborted) this.#set({ error })
    }
  }

  /** Loads older messages until there are none after this one that are missing. Ids are ordered by time. */
  async #loadFrom(message: string): Promise<void> {
    for (let first = ''; ; ) {
      const next = this.#state.messages[0]?.id ?? ''
      if (next <= message || next === first || !hasOlder(this.#state)) return
      first = next
      await this.loadOlder()
    }
  }

  /** Follows the reply to an action. If the action is rejected, loads what happened meanwhile. */
  async #followReply(events: Events): Promise<boolean> {
    const isAccepted = await this.#consume(events, (reply) => {
      this.#announce()
      void this.#loadEarlier(reply).catch(() => {})
    })
    if (!isAccepted && this.#isNew) this.#discardNew()
    if (!isAccepted) void this.#load().catch(() => {})
    return isAccepted
  }

  /** Tells the page about a new conversation, and other tabs that something was said. */
  #announce(): void {
    if (this.#id === null) return
    if (this.#isNew) this.#onStarted(this.#id)
    this.#isNew = false
    otherTabs.postMessage(this.#id)
  }

  /** A first message that was refused leaves no conversation. One that may have arrived does. */
  #discardNew(): void {
    const { error } = this.#state
    if (this.#id === null) return
    if (!isParleyError(error) || error.status < 400) {
      this.#announce()
      return
    }
    parley.conversations.delete(this.#id).catch(() => {}) // it stays empty, and is completed after a while
    this.#id = null
    this.#isNew = false
    this.#set({ messages: [] })
  }

  /** Adds messages that others sent before the one being answered. */
  async #loadEarlier(reply: string): Promise<void> {
    const { signal } = this.#abort
    const actions = this.#actions
    if (this.#id === null) return
    const { messages, status, title } = await parley.conversations.get(this.#id, { signal })
    const live = this.#state.messages.find(({ id }) => id === reply)
    if (signal.aborted || actions !== this.#actions || !live) return
    const loaded = merged(this.#state.messages, messages)
    this.#set({ status, title, messages: loaded.map((each) => (each.id === reply ? live : each)) })
  }

  async #consume(events: Events, onStarted: (reply: string) => void = () => {}): Promise<boolean> {
    const { signal } = this.#abort
    this.#set({ isRunning: true })
    let message = ''
    try {
      for await (const event of events) {
        const isStart = event.type === 'message.started'
        if (isStart) message = event.message_id
        this.#handleEvent(event, message || (this.#state.messages.at(-1)?.id ?? ''))
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

  #handleEvent(event: ReplyEvent, message: string): void {
    if (this.#state.isReconnecting) this.#set({ isReconnecting: false })
    const { type } = event
    if (type === 'message.started') {
      const reply = { ...blankMessage(event.conversation_id, 'assistant', message), model_id: event.model_id }
      this.#setThrottled({ messages: [...this.#state.messages.filter(({ id }) => id !== message), reply] })
    } else this.#change(message, (reply) => applyEvent(reply, event))
  }

  #change(message: string, update: (message: Message) => Message): void {
    this.#setThrottled({ messages: this.#state.messages.map((each) => (each.id === message ? update(each) : each)) })
  }

  #set(next: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...next }
    for (const listener of this.#listeners) listener()
  }

  /** Notifies listeners at most every 30 ms: deltas arrive far more often. */
  #setThrottled(next: Partial<ChatState>): void {
    this.#state = { ...this.#state, ...next }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const listener of this.#listeners) listener()
    }, 30)
  }
}

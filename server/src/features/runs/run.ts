import { type AwaitedReply, documentsShown } from '../../kernel/agent/agent-tool.ts'
import { type PendingCall, parseJson, type StartedCall } from '../../kernel/agent/approval.ts'
import type { FinishedCall } from '../../kernel/agent/call-tool.ts'
import { FoundPassages } from '../../kernel/agent/found-passages.ts'
import type { AgentListener, HandedOver } from '../../kernel/agent/loop.ts'
import { isWaiting } from '../../kernel/agent/needs.ts'
import type { Steps } from '../../kernel/agent/steps.ts'
import type { ToolProgress } from '../../kernel/agent/tools.ts'
import type { Meter } from '../usage/meter.ts'
import type { TurnEvent } from './events.ts'
import { eventAt, eventCount, eventItems, eventMarks, type Item, isOver, type ReplySource } from './events.ts'
import type { MessageRow } from './reply.ts'
import { checkedState, type RunState } from './run-state.ts'
import type { Handoff } from './schema.ts'
import { showWait, toView } from './tool-call-views.ts'

const progressEvery = 200
/** Reasoning is stored with the row, so its pieces are joined. */
const reasoningEvery = 200
const maxProgressEvents = 200

/**
 * A run of this process. It belongs to the server, not to a connection: any number of readers follow it, each
 * at its own pace, and it goes on when none does.
 */
export class Run implements ReplySource, AgentListener {
  readonly row: MessageRow
  readonly steps: Steps
  /** Another one after a handoff. */
  meter: Meter
  /** Resolves with the stored message, however the turn ended. */
  readonly finished: Promise<MessageRow>
  /** Counts the changes, so that whoever stores the turn knows whether there are new ones. */
  version = 0
  /** Counts the changes that are more than text. */
  rowVersion = 0
  /** Why it did not complete. */
  failure: unknown = null
  readonly #abort = new AbortController()
  readonly #items: Item[]
  readonly #pieces: string[]
  /** Events that nobody may see before the pause is stored. */
  #held: Item[] = []
  readonly #elapsedBefore: number
  /** Set if it ends with calls that the caller makes. */
  handedOver: HandedOver | null = null
  /** Passages that its tools have found so far. */
  readonly found: FoundPassages
  /** Reasoning that is not an event yet. */
  #thought = ''
  #thoughtAt = Number.NEGATIVE_INFINITY
  readonly #progress = new Map<string, { at: number; count: number }>()
  readonly #listeners = new Set<() => void>()
  readonly #startedAt = performance.now()
  #state: RunState = 'preparing'
  #resolveFinished: (row: MessageRow) => void = () => {}
  #notifyScheduled = false
  /** The number of items that may be shown while no more can be stored. */
  #showable: number | null = null

  constructor(row: MessageRow, steps: Steps, meter: Meter, found = new FoundPassages(row.citations)) {
    this.row = row
    this.steps = steps
    this.meter = meter
    this.#items = eventItems(row)
    this.found = found
    this.#pieces = row.content === '' ? [] : [row.content]
    this.#elapsedBefore = row.latency_ms ?? 0
    this.finished = new Promise((resolve) => {
      this.#resolveFinished = resolve
    })
  }

  get state(): RunState {
    return this.#state
  }

  enter(next: RunState): void {
    this.#state = checkedState(this.#state, next)
    if (next === 'ending') this.#addThought()
    if (next !== 'waiting' && next !== 'ended') return
    this.#showable = null
    this.#items.push(...this.#held)
    this.#notify()
    this.#resolveFinished(this.row)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  stop(reason: Error): void {
    this.#abort.abort(reason)
  }

  get length(): number {
    if (this.#showable !== null) return eventCount(this.#showable, false)
    return eventCount(this.#items.length, this.ended && isOver(this.row))
  }

  get ended(): boolean {
    return this.#state === 'waiting' || this.#state === 'ended'
  }

  get isHeldBack(): boolean {
    return this.#showable !== null
  }

  /** Shows nothing new until it is stored. */
  holdBack(): void {
    if (this.#showable !== null) return
    this.#showable = this.#items.length
    this.#notify()
  }

  showAll(): void {
    if (this.#showable === null) return
    this.#showable = null
    this.#notify()
  }

  get itemCount(): number {
    return this.#items.length
  }

  /** The pieces of text from a position on. */
  textsFrom(first: number): string[] {
    const items = this.#items.slice(first)
    return items.every((item) => typeof item === 'string') ? items : []
  }

  at(sequence: number): TurnEvent {
    return eventAt(this.row, this.#items, sequence)
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  onText(delta: string): void {
    if (this.row.time_to_first_token_ms === null) this.row.time_to_first_token_ms = this.elapsed()
    this.#pieces.push(delta)
    this.#add(delta)
  }

  onReasoning(delta: string): void {
    this.#thought += delta
    if (performance.now() - this.#thoughtAt >= reasoningEvery) this.#addThought()
  }

  #addThought(): void {
    if (this.#thought === '') return
    const thought = this.#thought
    this.#thought = ''
    this.#thoughtAt = performance.now()
    this.#add({ r: thought.toWellFormed() })
  }

  onToolStarted(call: StartedCall): void {
    const waiting = this.row.tool_calls.findIndex(({ id, status }) => id === call.id && isWaiting(status))
    const view = this.row.tool_calls[waiting]
    // Only a call that waited for approval was not shown before.
    const wasShown = view && (view.conversation_id !== undefined || view.status !== 'awaiting_approval')
    if (view) view.status = 'running'
    delete view?.connection
    delete view?.agent_path
    if (wasShown) this.onModelCall()
    else this.#add({ s: view ? waiting : this.row.tool_calls.push(toView(call, 'running')) - 1 })
  }

  /** The calls are shown only once the pause is stored: a decision may come the moment they are seen. */
  onWaiting(calls: PendingCall[], approvals: readonly { id: string; tool_call_id: string }[]): void {
    this.#held = calls.map((call) => {
      const { awaits, needs } = call
      if (awaits) return this.#await(call.id, awaits)
      if (needs) return this.#await(call.id, { status: `awaiting_${needs.kind}`, approvalId: null, ...needs })
      const approval = approvals.find(({ tool_call_id }) => tool_call_id === call.id)
      const view = { ...toView(call, 'awaiting_approval'), ...(approval && { approval_id: approval.id }) }
      return { a: this.row.tool_calls.push(view) - 1 }
    })
  }

  /** Marks a call that has started and waits: for a person, or because the agent that it asked does. */
  #await(callId: string, awaited: Omit<AwaitedReply, 'messageId'>): Item {
    const index = this.row.tool_calls.findLastIndex(({ id, status }) => id === callId && status === 'running')
    return showWait(this.row, index, awaited)
  }

  /** How often the reply was handed on. */
  get handoffs(): number {
    return this.#items.filter((item) => typeof item === 'object' && 'h' in item).length
  }

  onHandoff(handoff: Handoff): void {
    this.#add({ h: handoff })
  }

  onHandedOver(handedOver: HandedOver): void {
    this.handedOver = handedOver
    for (const { id, name, arguments: input } of handedOver.calls) {
      const call = { id, toolId: null, name, input: parseJson(input) ?? input }
      this.#add({ s: this.row.tool_calls.push(toView(call, 'handed_over')) - 1 })
    }
  }

  /** A reply is replayed with all of its events, so only some of the progress of a call is kept. */
  onToolProgress(callId: string, progress: ToolProgress): void {
    const index = this.row.tool_calls.findLastIndex(({ id, status }) => id === callId && status === 'running')
    const now = performance.now()
    const last = this.#progress.get(callId) ?? { at: -progressEvery, count: 0 }
    if (index < 0 || last.count === maxProgressEvents || now - last.at < progressEvery) return
    this.#progress.set(callId, { at: now, count: last.count + 1 })
    this.#add({ p: index, of: progress })
  }

  onToolFinished(call: FinishedCall): void {
    const isOpen = (status: string) => status === 'running' || isWaiting(status)
    const index = this.row.tool_calls.findLastIndex(({ id, status }) => id === call.id && isOpen(status))
    const view = this.row.tool_calls[index]
    if (!view) return
    Object.assign(view, { status: call.status, result: call.output.content, latency_ms: call.latency })
    const documents = documentsShown(call.output)
    if (documents.length > 0) view.documents = documents
    this.found.add(call.id, call.output.citations)
    this.#add({ f: index })
    if (call.output.remembered) this.#remember(call.output.remembered)
  }

  #remember({ id, content }: { id: string; content: string }): void {
    const { row } = this
    row.memories ??= { recalled: [], written: [] }
    row.facts = { ...row.facts, [id]: content }
    this.#add({ w: row.memories.written.push(id) - 1 })
  }

  onModelCall(): void {
    this.version++
    this.rowVersion++
  }

  cited = (): number => this.found.count

  /** Keeps only the passages that the reply cites, each with the words that its statement rests on. */
  async keepUsedCitations(): Promise<void> {
    this.row.citations = await this.found.usedIn(this.text)
  }

  age = (): number => performance.now() - this.#startedAt

  /** Without the time it waited for approval. */
  elapsed = (): number => this.#elapsedBefore + Math.round(this.age())

  /** The reply as far as it has come, to be stored. */
  progress(): Pick<MessageRow, 'content' | 'events' | 'tool_calls' | 'citations' | 'time_to_first_token_ms' | 'steps'> &
    Partial<Pick<MessageRow, 'memories'>> {
    const { tool_calls, citations, time_to_first_token_ms, memories } = this.row
    return {
      content: this.text.toWellFormed(),
      events: eventMarks([...this.#items, ...this.#held]),
      tool_calls,
      citations,
      time_to_first_token_ms,
      steps: this.steps.encode(),
      ...(memories && { memories }),
    }
  }

  get text(): string {
    if (this.#pieces.length > 1) this.#pieces.splice(0, this.#pieces.length, this.#pieces.join(''))
    return this.#pieces[0] ?? ''
  }

  #add(item: Item): void {
    this.#addThought()
    this.#items.push(item)
    this.version++
    if (typeof item !== 'string') this.rowVersion++
    if (this.#notifyScheduled || this.#listeners.size === 0) return
    // Items that arrive in one packet are sent in one write.
    this.#notifyScheduled = true
    queueMicrotask(() => {
      this.#notifyScheduled = false
      this.#notify()
    })
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

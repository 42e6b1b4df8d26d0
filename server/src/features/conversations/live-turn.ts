import type { StartedCall } from '../../kernel/agent/approval.ts'
import { citationsIn } from '../../kernel/agent/citations.ts'
import type { AgentListener, FinishedCall, ModelCall } from '../../kernel/agent/loop.ts'
import type { TurnEvent } from './event-schema.ts'
import type { MessageRow } from './message-row.ts'
import type { ToolCallView } from './schema.ts'
import {
  type EventSource,
  endEvent,
  type Item,
  isOver,
  itemEvent,
  itemsOf,
  marksOf,
  startedEvent,
} from './turn-events.ts'

const viewOf = (call: StartedCall, status: ToolCallView['status']): ToolCallView => ({
  id: call.id,
  tool_id: call.toolId,
  name: call.name,
  arguments: call.input,
  status,
  result: null,
  latency_ms: null,
})

/**
 * A turn while it runs. It belongs to the server, not to a connection: any number of readers follow it, each at its own
 * pace, and it goes on when none does.
 */
export class LiveTurn implements EventSource, AgentListener {
  readonly row: MessageRow
  readonly question: string
  readonly control = new AbortController()
  readonly modelCalls: ModelCall[] = []
  /** Resolves with the stored message, whatever became of the turn. */
  readonly finished: Promise<MessageRow>
  /** Its beginning is on the disk. */
  isStored = false
  /** Something has come since it was last written down. */
  dirty = false
  /** Of the model calls, those that are written down until they are paid for. */
  keptCalls = 0
  private readonly items: Item[]
  private readonly pieces: string[]
  /** Events that nobody may see before the pause is stored. */
  private held: Item[] = []
  private readonly elapsedBefore: number
  private readonly passages = new Map<number, { text: string; start: number }>()
  private readonly listeners = new Set<() => void>()
  private readonly startedAt = performance.now()
  private resolveFinished: (row: MessageRow) => void = () => {}
  private telling = false
  private over = false

  constructor(row: MessageRow, question: string) {
    this.row = row
    this.question = question
    this.items = itemsOf(row)
    this.pieces = row.content === '' ? [] : [row.content]
    this.elapsedBefore = row.latency_ms ?? 0
    this.finished = new Promise((resolve) => {
      this.resolveFinished = resolve
    })
  }

  get length(): number {
    return this.items.length + (this.over && isOver(this.row) ? 2 : 1)
  }

  get ended(): boolean {
    return this.over
  }

  at(sequence: number): TurnEvent {
    if (sequence === 1) return startedEvent(this.row)
    const item = this.items[sequence - 2]
    return item === undefined ? endEvent(this.row) : itemEvent(item, this.row.tool_calls)
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  onText(delta: string): void {
    if (this.row.time_to_first_token_ms === null) this.row.time_to_first_token_ms = this.elapsed()
    this.pieces.push(delta)
    this.add(delta)
  }

  onToolStarted(call: StartedCall): void {
    const waiting = this.row.tool_calls.findIndex(({ id, status }) => id === call.id && status === 'awaiting_approval')
    const view = this.row.tool_calls[waiting]
    if (view) view.status = 'running'
    this.add({ s: view ? waiting : this.row.tool_calls.push(viewOf(call, 'running')) - 1 })
  }

  /** The calls are shown only once the pause is stored: a decision may come the moment they are seen. */
  onApprovalRequired(calls: StartedCall[]): void {
    this.held = calls.map((call) => ({ a: this.row.tool_calls.push(viewOf(call, 'awaiting_approval')) - 1 }))
  }

  onToolFinished(call: FinishedCall): void {
    const isOpen = (status: string) => status === 'running' || status === 'awaiting_approval'
    const index = this.row.tool_calls.findLastIndex(({ id, status }) => id === call.id && isOpen(status))
    const view = this.row.tool_calls[index]
    if (!view) return
    Object.assign(view, { status: call.status, result: call.output.content, latency_ms: call.latency })
    for (const { passage, ...citation } of call.output.citations ?? []) {
      const number = this.row.citations.length + 1
      this.row.citations.push({ ...citation, index: number, tool_call_id: call.id })
      if (passage) this.passages.set(number, passage)
    }
    this.add({ f: index })
  }

  onModelCall(call: ModelCall): void {
    this.modelCalls.push(call)
    this.dirty = true
  }

  cited = (): number => this.row.citations.length

  /** Of all that was found, only what the reply cites stays, with the very words that each statement rests on. */
  async settleCitations(): Promise<void> {
    if (this.row.citations.length === 0) return
    const passages = new Map([...this.passages].map(([index, { text }]) => [index, text]))
    const cited = await citationsIn(this.text(), passages)
    const settled = cited.flatMap(({ index, start, end, quote }) => {
      const citation = this.row.citations[index - 1]
      const offset = this.passages.get(index)?.start ?? 0
      return citation ? [{ ...citation, start: offset + start, end: offset + end, quote }] : []
    })
    // What was found before a pause is no longer at hand word by word; it stays as it was.
    const earlier = this.row.citations.filter(
      ({ index }) => !this.passages.has(index) && this.text().includes(`[${index}]`),
    )
    this.row.citations = [...settled, ...earlier].sort((one, other) => one.index - other.index)
  }

  age = (): number => performance.now() - this.startedAt

  /** Without the time it waited for approval. */
  elapsed = (): number => this.elapsedBefore + Math.round(this.age())

  /** What there is of the reply so far, to be written down. */
  soFar(): Pick<MessageRow, 'content' | 'events' | 'tool_calls' | 'citations' | 'time_to_first_token_ms'> {
    this.dirty = false
    const { tool_calls, citations, time_to_first_token_ms } = this.row
    return {
      content: this.text().toWellFormed(),
      events: marksOf([...this.items, ...this.held]),
      tool_calls,
      citations,
      time_to_first_token_ms,
    }
  }

  /** The message is stored as it will stay, or as it waits: readers get the last events. */
  end(): void {
    this.items.push(...this.held)
    this.over = true
    this.tell()
    this.resolveFinished(this.row)
  }

  private text(): string {
    if (this.pieces.length > 1) this.pieces.splice(0, this.pieces.length, this.pieces.join(''))
    return this.pieces[0] ?? ''
  }

  private add(item: Item): void {
    this.items.push(item)
    this.dirty = true
    if (this.telling || this.listeners.size === 0) return
    // What comes in one packet goes out in one write.
    this.telling = true
    queueMicrotask(() => {
      this.telling = false
      this.tell()
    })
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }
}

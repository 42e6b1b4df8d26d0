import { citationsIn } from '../../kernel/agent/citations.ts'
import type { AgentListener, FinishedCall, ModelCall, StartedCall } from '../../kernel/agent/loop.ts'
import type { MessageRow } from './message-row.ts'
import {
  type EventSource,
  endEvent,
  type Item,
  itemEvent,
  marksOf,
  startedEvent,
  type TurnEvent,
} from './turn-events.ts'

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
  /** Something has come since it was last written down. */
  dirty = false
  private readonly items: Item[] = []
  private readonly pieces: string[] = []
  private readonly passages = new Map<number, { text: string; start: number }>()
  private readonly listeners = new Set<() => void>()
  private readonly startedAt = performance.now()
  private resolveFinished: (row: MessageRow) => void = () => {}
  private telling = false
  private over = false

  constructor(row: MessageRow, question: string) {
    this.row = row
    this.question = question
    this.finished = new Promise((resolve) => {
      this.resolveFinished = resolve
    })
  }

  get length(): number {
    return this.items.length + (this.over ? 2 : 1)
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
    const view = { id: call.id, tool_id: call.toolId, name: call.name, arguments: call.input }
    this.row.tool_calls.push({ ...view, status: 'running', result: null, latency_ms: null })
    this.add({ s: this.row.tool_calls.length - 1 })
  }

  onToolFinished(call: FinishedCall): void {
    const index = this.row.tool_calls.findLastIndex(({ id, status }) => id === call.id && status === 'running')
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
  }

  cited = (): number => this.row.citations.length

  /** Where the reply cites, only what it cites stays, with the very words that each statement rests on. */
  async settleCitations(): Promise<void> {
    const cited = await citationsIn(this.text(), (index) => this.passages.get(index)?.text)
    const settled = cited.flatMap(({ index, start, end, quote }) => {
      const citation = this.row.citations[index - 1]
      const offset = this.passages.get(index)?.start ?? 0
      return citation ? [{ ...citation, start: offset + start, end: offset + end, quote }] : []
    })
    if (settled.length > 0) this.row.citations = settled
  }

  elapsed = (): number => Math.round(performance.now() - this.startedAt)

  /** What there is of the reply so far, to be written down. */
  soFar(): Pick<MessageRow, 'content' | 'events' | 'tool_calls' | 'citations' | 'time_to_first_token_ms'> {
    this.dirty = false
    const { tool_calls, citations, time_to_first_token_ms } = this.row
    return { content: this.text(), events: marksOf(this.items), tool_calls, citations, time_to_first_token_ms }
  }

  /** The message is stored as it will stay: readers get the last event. */
  end(): void {
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

import type { Static } from 'typebox'
import { isWaiting } from '../../kernel/agent/needs.ts'
import { timestamp } from '../../kernel/time.ts'
import type { ReplyEvent } from './event-schema.ts'
import type { EventMark, MessageRow } from './reply.ts'
import type { Handoff, Message, ToolCallView } from './schema.ts'

/** Whether an event is the last one, which carries the whole message. */
export const isLast = (event: TurnEvent): event is Extract<TurnEvent, { message: object }> =>
  'message' in event && typeof event.message === 'object'

type WithoutSequence<Event> = Event extends unknown ? Omit<Event, 'sequence'> : never
export type TurnEvent = WithoutSequence<Static<typeof ReplyEvent>>

/** A turn that can be followed from any event. */
export interface EventSource {
  /** The number of events so far. */
  readonly length: number
  /** Whether the last event has been emitted. */
  readonly ended: boolean
  /** Whether there is more that cannot be stored yet, and is not shown before. */
  readonly isHeldBack?: boolean
  at(sequence: number): TurnEvent
  /** Calls back when there are more events. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void
}

/** A reply as it is now. */
export interface MessageSource extends EventSource {
  readonly row: MessageRow
}

/** A reply that is being written, or that has ended. */
export interface ReplySource extends MessageSource {
  /** Resolves with the message when it has ended or waits for approval. */
  readonly finished: Promise<MessageRow>
}

/** Resolves after the last event. */
export const ended = (source: EventSource): Promise<void> =>
  new Promise((resolve) => {
    if (source.ended) return resolve()
    const unsubscribe = source.subscribe(() => {
      if (!source.ended) return
      unsubscribe()
      resolve()
    })
  })

/** A piece of text or of reasoning, or a mark where a tool call started, finished or needed approval. */
export type Item = string | Exclude<EventMark, number>

export const eventMarks = (items: Item[]): EventMark[] =>
  items.map((item) => (typeof item === 'string' ? item.length : item))

export function eventItems({ content, events }: Pick<MessageRow, 'content' | 'events'>): Item[] {
  let position = 0
  return events.map((mark) => {
    if (typeof mark !== 'number') return mark
    position += mark
    return content.slice(position - mark, position)
  })
}

/** The agent that started the reply is that of the first handoff, if there was one. */
const startedEvent = (row: MessageRow, items: readonly Item[]): TurnEvent => ({
  type: 'message.started',
  conversation_id: row.conversation_id,
  message_id: row.id,
  agent_id: handoffsIn(items)[0]?.from_agent_id ?? row.agent_id,
  model_id: row.model_id,
})

const handoffsIn = (items: readonly (Item | EventMark)[]): Handoff[] =>
  items.flatMap((item) => (typeof item === 'object' && 'h' in item ? [item.h] : []))

function itemEvent(item: Item, { tool_calls: calls, memories, facts = {} }: MessageRow): TurnEvent {
  if (typeof item === 'string') return { type: 'text.delta', delta: item }
  if ('r' in item) return { type: 'reasoning.delta', delta: item.r }
  if ('f' in item) {
    const { id, status, result, latency_ms } = calls[item.f] as ToolCallView
    return { type: 'tool.finished', tool_call_id: id, status, result, latency_ms }
  }
  if ('h' in item) return { type: 'handoff', ...item.h }
  if ('w' in item) {
    const id = memories?.written[item.w] ?? ''
    return { type: 'memory.written', id, content: facts[id] ?? '' }
  }
  if ('p' in item) {
    const { progress, total, message } = item.of
    return { type: 'tool.progress', tool_call_id: (calls[item.p] as ToolCallView).id, progress, total, text: message }
  }
  if ('c' in item) return connectionRequired(calls[item.c] as ToolCallView)
  if ('i' in item) return inputRequired(calls[item.i] as ToolCallView, item.m)
  const call = calls['s' in item ? item.s : item.a] as ToolCallView
  const named = { tool_call_id: call.id, tool_id: call.tool_id, name: call.name, arguments: call.arguments }
  const { approval_id = null, target = null, edited_arguments, conversation_id = null } = call
  if ('s' in item)
    return {
      type: 'tool.started',
      ...named,
      ...(edited_arguments !== undefined && { edited_arguments }),
      conversation_id,
    }
  return { type: 'approval.required', ...named, approval_id, target }
}

function connectionRequired({ id, tool_id, name, connection }: ToolCallView): TurnEvent {
  const needed = connection ?? { tool_id, name, authorize_url: null }
  return {
    type: 'connection.required',
    tool_call_id: id,
    tool_id: needed.tool_id,
    name: needed.name,
    authorize_url: needed.authorize_url,
  }
}

function inputRequired({ id, tool_id, name, inputs = [] }: ToolCallView, index: number): TurnEvent {
  const { message = '', schema, url } = inputs[index] ?? {}
  return {
    type: 'input.required',
    tool_call_id: id,
    tool_id,
    name,
    message,
    ...(schema && { schema }),
    ...(url !== undefined && { url }),
  }
}

/** Whether a message has ended; one that waits for a person has not. */
export const isOver = ({ status }: Pick<MessageRow, 'status'>): boolean => status !== 'running' && !isWaiting(status)

/** The number of the last event before the turn resumed, for a given tool call. */
export function eventsUntilDecision(row: MessageRow, toolCallId: string): number {
  const index = row.tool_calls.findIndex(({ id }) => id === toolCallId)
  let at = row.events.findLastIndex((mark) => waitingCallIndex(mark) === index)
  while (waitingCallIndex(row.events[at + 1]) !== undefined) at++
  return at + 2
}

/** The index of the call that needs a person from this event on. */
const waitingCallIndex = (mark: EventMark | undefined): number | undefined => {
  if (typeof mark !== 'object') return undefined
  return 'a' in mark ? mark.a : 'c' in mark ? mark.c : 'i' in mark ? mark.i : undefined
}

function endEvent(row: MessageRow): TurnEvent {
  const message = present(row)
  if (row.status === 'completed') return { type: 'message.completed', message, output: message.output }
  if (row.status === 'cancelled') return { type: 'message.cancelled', message }
  return {
    type: 'message.failed',
    message,
    error: row.error ?? 'The reply was interrupted.',
    code: row.code ?? 'internal_error',
  }
}

const existing = (ids: readonly string[] = [], facts: Record<string, string>) =>
  ids.flatMap((id) => (facts[id] === undefined ? [] : [{ id, content: facts[id] }]))

/** A message as clients see it. */
export function present(row: MessageRow): Message {
  const {
    workspace_id,
    user_id,
    evaluation_id,
    asked_by_agent,
    label,
    events,
    response_format,
    superseded,
    cancel_requested,
    alive_at,
    node,
    steps,
    parent_id,
    versions = [row.id],
    tool_calls: calls,
    author_id,
    author_name,
    memories,
    facts = {},
    ...message
  } = row
  const changed = Math.max(alive_at, Date.parse(row.timestamp), Date.parse(row.feedback?.created_at ?? row.timestamp))
  const parent_message_id = parent_id === row.conversation_id ? null : parent_id
  const tool_calls = calls.map(({ documents, ...call }) => call)
  const author = author_name ?? author_id
  return {
    ...message,
    ...(author !== null && { author: { user_id: author_id || null, name: author } }),
    tool_calls,
    memories: { recalled: existing(memories?.recalled, facts), written: existing(memories?.written, facts) },
    handoffs: handoffsIn(events),
    parent_message_id,
    versions,
    created_at: row.timestamp,
    updated_at: timestamp(changed),
  }
}

export const eventAt = (row: MessageRow, items: readonly Item[], sequence: number): TurnEvent => {
  if (sequence === 1) return startedEvent(row, items)
  const item = items[sequence - 2]
  return item === undefined ? endEvent(row) : itemEvent(item, row)
}

/** How many events there are: the first one, the items, and the last one when the message has ended. */
export const eventCount = (items: number, hasEnded: boolean): number => items + (hasEnded ? 2 : 1)

/** Replays a turn that has ended or waits for approval, from what was stored. */
export function replay(row: MessageRow): ReplySource {
  const items = eventItems(row)
  return {
    row,
    finished: Promise.resolve(row),
    length: eventCount(items.length, isOver(row)),
    ended: true,
    at: (sequence) => eventAt(row, items, sequence),
    subscribe: () => () => {},
  }
}

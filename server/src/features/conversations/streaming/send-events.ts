import type { Reply } from '../../../kernel/http/app.ts'
import { eventStreamHeaders } from '../../../kernel/http/event-stream.ts'
import { heartbeatComment, heartbeatEvery, heldBackComment } from '../../../kernel/http/heartbeat.ts'
import { type EventSource, isLast, type TurnEvent } from '../../runs/events.ts'

/** Writes events in one protocol. */
export interface Encoder {
  headers: Record<string, string>
  encode(event: TurnEvent, sequence: number): string
  /** Encodes the events that a protocol needs before the first event of a resumed stream. */
  resume?(started: TurnEvent): string
  /** Encodes the marker that a protocol has after its last event. */
  end?(): string
}

export const nativeEncoder: Encoder = {
  headers: {},
  encode(event, sequence) {
    if (event.type === 'text.delta') {
      return `id: ${sequence}\nevent: text.delta\ndata: {"type":"text.delta","sequence":${sequence},"delta":${JSON.stringify(event.delta)}}\n\n`
    }
    const { type, ...data } = event
    return `id: ${sequence}\nevent: ${type}\ndata: ${JSON.stringify({ type, sequence, ...data })}\n\n`
  },
}

const maxCharactersPerWrite = 64 * 1024

/**
 * Sends events as they come, starting after number `after`. Nothing is buffered for a slow
 * reader: it reads the events from the turn at its own pace.
 */
export function sendEvents(reply: Reply, source: EventSource, encoder: Encoder, after = 0): void {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    ...eventStreamHeaders,
    ...encoder.headers,
  })
  let next = after + 1
  let isBlocked = false
  let isOver = false
  let wasHeldBack = false
  const write = (text: string) => {
    if (text !== '') isBlocked = !raw.write(text)
  }
  const nextEvents = (): string => {
    let text = ''
    while (next <= source.length && text.length < maxCharactersPerWrite) text += encoder.encode(source.at(next), next++)
    if (text === '' && source.ended && next === after + 1) text = endAgain(source, encoder, next++)
    return text
  }
  const pump = () => {
    while (!isBlocked && !isOver) {
      const text = nextEvents()
      if (text !== '') write(text)
      else if (source.ended) finish()
      else return sayIfHeldBack()
    }
  }
  const sayIfHeldBack = () => {
    const { isHeldBack = false } = source
    if (isHeldBack && !wasHeldBack) write(heldBackComment)
    wasHeldBack = isHeldBack
  }
  const finish = () => {
    isOver = true
    unsubscribe()
    clearInterval(heartbeat)
    raw.off('drain', resume)
    if (!raw.destroyed) raw.end(encoder.end?.() ?? '')
  }
  const resume = () => {
    isBlocked = false
    pump()
  }
  const heartbeat = setInterval(() => isBlocked || raw.write(heartbeatComment), heartbeatEvery)
  const unsubscribe = source.subscribe(pump)
  raw.on('drain', resume)
  raw.on('close', () => isOver || finish())
  if (after > 0) write(preamble(source, encoder, after))
  if (next > source.length && !source.ended) raw.write(heartbeatComment) // sends the headers at once
  pump()
}

/**
 * After a crash a reader may have seen more events than were stored, and waits for the end. It gets that as the next
 * event, whatever its number was.
 */
function endAgain(source: EventSource, encoder: Encoder, next: number): string {
  const last = source.at(source.length)
  if (!isLast(last)) return ''
  return next > source.length + 1 || last.message.status === 'interrupted' ? encoder.encode(last, next) : ''
}

/** A whole stream as text. */
export function eventText(source: EventSource, encoder: Encoder, after = 0): string {
  let text = after > 0 ? preamble(source, encoder, after) : ''
  for (let sequence = after + 1; sequence <= source.length; sequence++)
    text += encoder.encode(source.at(sequence), sequence)
  return text + (encoder.end?.() ?? '')
}

/** Replays earlier events into a stateful encoder and returns the beginning of the resumed stream. */
function preamble(source: EventSource, encoder: Encoder, seen: number): string {
  if (!encoder.resume) return ''
  for (let sequence = 1; sequence <= Math.min(seen, source.length); sequence++)
    encoder.encode(source.at(sequence), sequence)
  return encoder.resume(source.at(1))
}

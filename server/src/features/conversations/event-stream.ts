import { somebodyWaits } from '@parley/threads'
import { aliveEvery, signOfLife } from '../../kernel/http/alive.ts'
import type { Reply } from '../../kernel/http/app.ts'
import type { TurnEvent } from './event-schema.ts'
import type { EventSource } from './turn-events.ts'

/** How events are written for one protocol. */
export interface Encoder {
  headers: Record<string, string>
  encode(event: TurnEvent, sequence: number): string
  /** What comes before the first event of a stream that goes on where another one ended. */
  goOn?(started: TurnEvent): string
  /** What comes after the last event. */
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

const mostAtOnce = 64 * 1024

/**
 * Sends events as they come, from the one after `after`. A reader that is slow is simply behind: what it has not taken
 * stays in the turn, and nothing is kept for it.
 */
export function sendEvents(reply: Reply, source: EventSource, encoder: Encoder, after = 0): void {
  reply.hijack()
  const { raw } = reply
  const headers = {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...encoder.headers,
  }
  let next = after + 1
  const piece = (): string => {
    let text = ''
    while (next <= source.length && text.length < mostAtOnce) text += encoder.encode(source.at(next), next++)
    return text
  }
  const first = (after > 0 ? goingOn(source, encoder, after) : '') + (source.ended ? piece() : '')
  // A turn that is over and short is sent whole.
  if (source.ended && after < source.length && next > source.length) {
    const text = first + (encoder.end?.() ?? '')
    raw.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) })
    raw.end(text)
    return
  }
  raw.writeHead(200, headers)
  if (next > source.length && !source.ended) raw.write(': waiting\n\n')
  let blocked = first !== '' && !raw.write(first)
  let over = false

  const pump = () => {
    somebodyWaits()
    while (!blocked && !over) {
      let text = piece()
      if (text === '' && source.ended && next === after + 1) text = endAgain(source, encoder, next++)
      if (text !== '') blocked = !raw.write(text)
      else if (source.ended) finish()
      else return
    }
  }
  const finish = () => {
    over = true
    unsubscribe()
    clearInterval(alive)
    raw.off('drain', unblock)
    if (!raw.destroyed) raw.end(encoder.end?.() ?? '')
  }
  const unblock = () => {
    blocked = false
    pump()
  }
  const alive = setInterval(() => blocked || raw.write(signOfLife), aliveEvery)
  const unsubscribe = source.subscribe(pump)
  raw.on('drain', unblock)
  raw.on('close', () => over || finish())
  pump()
}

/**
 * After a crash a reader may have seen more events than were kept of them, and waits for the end. It gets that as the
 * next one, whatever its number was.
 */
function endAgain(source: EventSource, encoder: Encoder, next: number): string {
  const last = source.at(source.length)
  if (!('message' in last)) return ''
  return next > source.length + 1 || last.message.status === 'interrupted' ? encoder.encode(last, next) : ''
}

/** A whole stream as one text. */
export function eventText(source: EventSource, encoder: Encoder, after = 0): string {
  let text = after > 0 ? goingOn(source, encoder, after) : ''
  for (let sequence = after + 1; sequence <= source.length; sequence++)
    text += encoder.encode(source.at(sequence), sequence)
  return text + (encoder.end?.() ?? '')
}

/** An encoder that counts must have seen what its reader has seen. */
function goingOn(source: EventSource, encoder: Encoder, seen: number): string {
  if (!encoder.goOn) return ''
  for (let sequence = 1; sequence <= Math.min(seen, source.length); sequence++)
    encoder.encode(source.at(sequence), sequence)
  return encoder.goOn(source.at(1))
}

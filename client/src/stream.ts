import { isParleyError, ParleyError } from './errors.ts'
import { serverEvents } from './events.ts'
import { type Ask, type Http, pause, type RequestOptions, randomKey, waitBefore } from './http.ts'
import { segment } from './resource.ts'
import type { Schemas } from './types.ts'

export type Message = Schemas['Message']

/** An event of a reply that is being written. `sequence` counts from 1 and is the same each time it is streamed. */
export type MessageEvent = Schemas['MessageEvent']

const isLast = ({ type }: MessageEvent): boolean =>
  type === 'message.completed' || type === 'message.failed' || type === 'message.cancelled'

/** The service says something at least every 15 seconds. */
const silence = 40_000

export interface Followed extends RequestOptions {
  /** Told each time the connection is lost and made again. */
  onReconnect?(): void
}

const messagePath = (conversation: string, message: string) =>
  `/conversations/${segment(conversation)}/messages/${segment(message)}`

/**
 * The events of a reply from the one after `after`, to the last. A lost connection is made again from where it was
 * lost; since the reply belongs to the service, nothing of it is lost with the connection.
 */
export async function* follow(
  http: Http,
  conversation: string,
  message: string,
  after = 0,
  options: Followed = {},
): AsyncGenerator<MessageEvent, void, undefined> {
  const path = `${messagePath(conversation, message)}/stream`
  yield* resuming(
    after,
    (seen) => http.send('GET', path, streaming(options, seen)),
    () => message,
    http,
    conversation,
    options,
    true,
  )
}

/** Sends something that is answered by a reply, and follows it. */
export async function* start(
  http: Http,
  conversation: string,
  path: string,
  body: object,
  options: Followed = {},
  known: string | null = null,
): AsyncGenerator<MessageEvent, void, undefined> {
  const idempotencyKey = options.idempotencyKey ?? randomKey()
  let message = known
  const events = resuming(
    0,
    () => http.send('POST', path, { ...streaming(options), idempotencyKey, body: { ...body, stream: true } }),
    () => message,
    http,
    conversation,
    options,
    known !== null,
  )
  for await (const event of events) {
    if (event.type === 'message.started') message = event.message_id
    yield event
  }
}

const streaming = (options: Followed, after = 0): Ask => {
  const { onReconnect: _, ...plain } = options
  const last = after > 0 ? { 'last-event-id': String(after) } : {}
  return { ...plain, headers: { accept: 'text/event-stream, application/json', ...last, ...options.headers } }
}

async function* resuming(
  after: number,
  open: (seen: number) => Promise<Response>,
  messageOf: () => string | null,
  http: Http,
  conversation: string,
  options: Followed,
  mayWait = false,
): AsyncGenerator<MessageEvent, void, undefined> {
  const { signal } = options
  let seen = after
  for (let failures = 0; ; ) {
    try {
      const message = messageOf()
      // Before the first event it is not known what to follow: the same request is sent again instead, and its
      // idempotency key sees to it that it happens once.
      const response =
        message === null || seen === after
          ? await open(seen)
          : await http.send('GET', `${messagePath(conversation, message)}/stream`, streaming(options, seen))
      // A reply that waits for decisions, after this one too, is told with no events at all.
      let waits = mayWait
      for await (const event of eventsOf(response)) {
        if (event.sequence <= seen) continue
        seen = event.sequence
        failures = 0
        waits = event.type === 'approval.required'
        yield event
        if (isLast(event)) return
      }
      if (waits) return // somebody has to decide; the reply goes on with that
    } catch (error) {
      signal?.throwIfAborted()
      if (isParleyError(error) && error.code !== 'connection_failed') throw error
    }
    failures++
    if (failures > (options.maxRetries ?? 10)) {
      throw new ParleyError({
        code: 'connection_failed',
        message: 'The connection was lost and could not be made again.',
      })
    }
    options.onReconnect?.()
    await pause(waitBefore(failures - 1), signal)
  }
}

async function* eventsOf(response: Response): AsyncGenerator<MessageEvent, void, undefined> {
  if (response.body === null) return
  for await (const { data } of serverEvents(response.body, silence)) yield JSON.parse(data) as MessageEvent
}

import { isParleyError, ParleyError, throwIfAborted } from './errors.ts'
import { serverEvents } from './events.ts'
import { delay, type Http, type HttpRequest, type RequestOptions, randomKey, retryDelay } from './http.ts'
import { segment } from './segment.ts'
import type { Schemas } from './types.ts'

export type Message = Schemas['Message']

/** An event of a reply that is being written. `sequence` counts from 1 and is the same each time it is streamed. */
export type ReplyEvent = Schemas['ReplyEvent']

/** An event of a reply to `agents.tryStream`. */
export type TryEvent = Schemas['TryEvent']

/** A stream ends with these where a person has to do something first. */
const awaitsPerson = new Set<ReplyEvent['type']>(['approval.required', 'connection.required', 'input.required'])

const isLast = ({ type }: { type: ReplyEvent['type'] }): boolean =>
  type === 'message.completed' || type === 'message.failed' || type === 'message.cancelled'

/** The server sends a heartbeat every 15 seconds. */
const idleTimeout = 40_000

export interface Followed extends RequestOptions {
  /** Called before each reconnect. */
  onReconnect?(): void
}

const messagePath = (conversation: string, message: string) =>
  `/conversations/${segment(conversation)}/messages/${segment(message)}`

/** Yields the events of a reply after number `after`. A lost connection is resumed without losing events. */
export async function* follow(
  http: Http,
  conversation: string,
  message: string,
  after = 0,
  options: Followed = {},
): AsyncGenerator<ReplyEvent, void, undefined> {
  const path = `${messagePath(conversation, message)}/stream`
  yield* resumable(
    after,
    (seen) => http.send('GET', path, streamRequest(options, seen)),
    () => message,
    http,
    conversation,
    options,
    true,
  )
}

/** Sends a request that starts a reply, and yields its events. */
export async function* start(
  http: Http,
  conversation: string,
  path: string,
  body: object,
  options: Followed = {},
  knownMessage: string | null = null,
): AsyncGenerator<ReplyEvent, void, undefined> {
  const idempotencyKey = options.idempotencyKey ?? randomKey()
  let message = knownMessage
  const events = resumable(
    0,
    () => http.send('POST', path, { ...streamRequest(options), idempotencyKey, body: { ...body, stream: true } }),
    () => message,
    http,
    conversation,
    options,
    knownMessage !== null,
  )
  for await (const event of events) {
    if (event.type === 'message.started') message = event.message_id
    yield event
  }
}

const streamRequest = (options: Followed, after = 0): HttpRequest => {
  const { onReconnect: _, idempotencyKey: _key, ...plain } = options
  const last = after > 0 ? { 'last-event-id': String(after) } : {}
  return { ...plain, headers: { accept: 'text/event-stream, application/json', ...last, ...options.headers } }
}

async function* resumable(
  after: number,
  open: (seen: number) => Promise<Response>,
  findMessage: () => string | null,
  http: Http,
  conversation: string,
  options: Followed,
  mayAwaitApproval = false,
): AsyncGenerator<ReplyEvent, void, undefined> {
  const { signal } = options
  let seen = after
  for (let failures = 0; ; ) {
    try {
      const message = findMessage()
      // Before the first event the message is unknown: send the same request again. Its idempotency key prevents a
      // duplicate.
      const response =
        message === null || seen === after
          ? await open(seen)
          : await http.send('GET', `${messagePath(conversation, message)}/stream`, streamRequest(options, seen))
      // A reply that waits for more decisions sends no events.
      let awaitsApproval = mayAwaitApproval
      for await (const event of readEvents(response)) {
        if (event.sequence <= seen) continue
        seen = event.sequence
        failures = 0
        awaitsApproval = awaitsPerson.has(event.type)
        yield event
        if (isLast(event)) return
      }
      if (awaitsApproval) return
    } catch (error) {
      throwIfAborted(signal)
      if (isParleyError(error) && error.code !== 'connection_failed') throw error
    }
    failures++
    if (failures > (options.maxRetries ?? 10)) {
      throw new ParleyError({
        code: 'connection_failed',
        message: 'The connection was lost and could not be restored.',
      })
    }
    options.onReconnect?.()
    await delay(retryDelay(failures - 1), signal)
  }
}

async function* readEvents<Event = ReplyEvent>(response: Response): AsyncGenerator<Event, void, undefined> {
  if (response.body === null) return
  for await (const { data } of serverEvents(response.body, idleTimeout)) yield JSON.parse(data) as Event
}

/** Yields the events of a reply that is not stored, so that a lost connection ends it. */
export async function* streamOnce(
  http: Http,
  path: string,
  body: object,
  options: RequestOptions = {},
): AsyncGenerator<TryEvent, void, undefined> {
  const headers = { accept: 'text/event-stream, application/json', ...options.headers }
  const response = await http.send('POST', path, { ...options, headers, body: { ...body, stream: true } })
  let cause: unknown
  try {
    for await (const event of readEvents<TryEvent>(response)) {
      yield event
      if (isLast(event)) return
    }
  } catch (error) {
    throwIfAborted(options.signal)
    cause = error
  }
  const message = 'The connection was lost before the reply was complete.'
  throw new ParleyError({ code: 'connection_failed', message, cause })
}

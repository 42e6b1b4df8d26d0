import { Agent, type Dispatcher } from 'undici'
import { endpointLookup } from '../egress/model-endpoints.ts'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import { bodyWithImages } from './image-body.ts'
import { type ImageData, ProviderError } from './model.ts'
import { networkError, statusError } from './provider-errors.ts'

/** How long each part of a request may take, in milliseconds. */
export interface Timeouts {
  /** To open a connection. The connection pool enforces it. */
  connect: number
  /** From the request to the first byte of the response body. */
  firstByte: number
  /** From one piece of the response body to the next. */
  idle: number
}

const maxJsonBytes = 64 * 1024 * 1024

const defaultTimeouts: Timeouts = { connect: 10 * second, firstByte: 120 * second, idle: 60 * second }

/** The connections to model providers, shared by all models. */
export interface ProviderPool {
  dispatcher: Dispatcher
  timeouts: Timeouts
  close(): Promise<void>
}

export function createProviderPool(overrides: Partial<Timeouts> = {}): ProviderPool {
  const timeouts = { ...defaultTimeouts, ...overrides }
  const agent = new Agent({ connect: { lookup: endpointLookup, timeout: timeouts.connect } })
  return { dispatcher: agent, timeouts, close: () => agent.destroy() }
}

/** One route of a provider's API, with the settings of every request to it. */
export interface Route {
  origin: string
  path: string
  headers: Record<string, string>
  /** To mask it in error messages. */
  apiKey: string | null
  dispatcher: Dispatcher
  timeouts: Timeouts
}

/** Posts a body. Fails with a `ProviderError` unless the provider answers with a success status. */
export function post(
  route: Route,
  text: string,
  signal: AbortSignal,
  images: readonly ImageData[] = [],
): Promise<Reply> {
  if (images.length === 0) return send(route, { method: 'POST', body: text }, signal)
  const { body, length } = bodyWithImages(text, images)
  const headers = { ...route.headers, 'content-length': String(length) }
  return send({ ...route, headers }, { method: 'POST', body }, signal)
}

async function send(
  route: Route,
  message: { method: 'GET' } | { method: 'POST'; body: string | AsyncIterable<Buffer> },
  signal: AbortSignal,
): Promise<Reply> {
  signal.throwIfAborted()
  const { origin, path, headers, dispatcher } = route
  const watch = new RequestWatch(route.timeouts, signal)
  // undici's own time-outs do not tell the first byte of the body from later ones.
  const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
  try {
    const request = dispatcher.request({
      origin,
      path,
      ...(message as Pick<Dispatcher.RequestOptions, 'method' | 'body'>),
      headers,
      signal: watch.signal,
      ...noTimeouts,
    })
    // undici notices an abort only once it is connected.
    const response = await Promise.race([request, watch.aborted])
    if (response.statusCode >= 300) throw await statusError(response, route.apiKey)
    return new Reply(response, watch)
  } catch (error) {
    watch.end()
    signal.throwIfAborted()
    throw explained(error, watch)
  }
}

/** Posts an object and returns the object in the response. */
export async function postJson(route: Route, body: object, signal: AbortSignal): Promise<unknown> {
  const reply = await post(route, JSON.stringify(body), signal)
  return reply.json(maxJsonBytes)
}

export async function getJson(route: Route, signal: AbortSignal): Promise<unknown> {
  const reply = await send(route, { method: 'GET' }, signal)
  return reply.json(maxJsonBytes)
}

/** A successful response. Iterating reads its body; leaving the loop early drops the connection. */
class Reply {
  readonly headers: Dispatcher.ResponseData['headers']
  readonly #body: Dispatcher.ResponseData['body']
  readonly #watch: RequestWatch

  constructor({ headers, body }: Dispatcher.ResponseData, watch: RequestWatch) {
    this.headers = headers
    this.#body = body
    this.#watch = watch
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.#body) {
        this.#watch.received()
        yield chunk as Buffer
      }
    } catch (error) {
      this.#watch.throwIfCancelled()
      if (this.#watch.phase !== 'end') throw explained(error, this.#watch)
    } finally {
      this.#watch.end()
    }
  }

  /** Everything that matters has arrived. Reading to the end is only worth a moment: it lets the connection be reused. */
  expectEnd(): void {
    this.#watch.expectEnd()
  }

  async json(maxBytes: number): Promise<unknown> {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of this) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes)
        throw new ProviderError('malformed', `The provider sent more than ${maxBytes / 1024 / 1024} MiB.`)
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    } catch (cause) {
      throw new ProviderError('malformed', 'The provider sent something that is not JSON.', { cause })
    }
  }
}

const endTimeout = second / 10

/** Aborts a request when the caller cancels it or the provider is silent for too long. */
class RequestWatch {
  phase: 'firstByte' | 'idle' | 'end' = 'firstByte'
  /** Rejects when the request is aborted. */
  readonly aborted: Promise<never>
  readonly #timeouts: Timeouts
  readonly #callerSignal: AbortSignal
  readonly #abort = new AbortController()
  readonly #onCancel = (): void => this.#abort.abort(this.#callerSignal.reason)
  #timer: NodeJS.Timeout

  constructor(timeouts: Timeouts, callerSignal: AbortSignal) {
    this.#timeouts = timeouts
    this.#callerSignal = callerSignal
    const { signal } = this.#abort
    this.aborted = new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    this.aborted.catch(() => {}) // Nothing waits for it after the response has started.
    callerSignal.addEventListener('abort', this.#onCancel)
    this.#timer = setTimeout(() => {
      this.#timeOut(`The provider did not start to answer within ${timeouts.firstByte / second} s.`)
    }, timeouts.firstByte)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  throwIfCancelled(): void {
    this.#callerSignal.throwIfAborted()
  }

  /** Part of the body has arrived. */
  received(): void {
    if (this.phase === 'idle') this.#timer.refresh()
    if (this.phase !== 'firstByte') return
    this.phase = 'idle'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timeOut(`The provider was silent for ${this.#timeouts.idle / second} s in the middle of the reply.`)
    }, this.#timeouts.idle)
  }

  expectEnd(): void {
    if (this.phase === 'end') return
    this.phase = 'end'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#abort.abort(), endTimeout)
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#callerSignal.removeEventListener('abort', this.#onCancel)
  }

  #timeOut(message: string): void {
    this.#abort.abort(new ProviderError('timeout', message))
  }
}

function explained(error: unknown, { phase }: RequestWatch): unknown {
  // The egress rules explain their refusals themselves.
  if (error instanceof ProviderError || error instanceof Problem || !(error instanceof Error)) return error
  return networkError(error, phase !== 'firstByte')
}

import { Agent, type Dispatcher } from 'undici'
import { endpointLookup } from '../egress/model-endpoints.ts'
import { Problem } from '../errors.ts'
import { second } from '../time.ts'
import { untilAborted } from './abort.ts'
import { ProviderError } from './model.ts'
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

const defaultTimeouts: Timeouts = { connect: 10 * second, firstByte: 120 * second, idle: 60 * second }

/** The connections to model providers, shared by all models. */
export interface ProviderPool {
  dispatcher: Dispatcher
  timeouts: Timeouts
  close(): Promise<void>
}

export function createProviderPool(given: Partial<Timeouts> = {}): ProviderPool {
  const timeouts = { ...defaultTimeouts, ...given }
  const agent = new Agent({ connect: { lookup: endpointLookup, timeout: timeouts.connect } })
  return { dispatcher: agent, timeouts, close: () => agent.destroy() }
}

/** One route of a provider's API, with what every request to it needs. */
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
export async function post(route: Route, body: string, signal: AbortSignal): Promise<Reply> {
  signal.throwIfAborted()
  const { origin, path, headers, dispatcher } = route
  const timer = new SilenceTimer(route.timeouts)
  const stop = AbortSignal.any([signal, timer.signal])
  try {
    const response = await untilAborted(
      // undici's own time-outs do not tell the first byte of the body from later ones.
      dispatcher.request({
        origin,
        path,
        method: 'POST',
        headers,
        body,
        signal: stop,
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
      stop,
    )
    if (response.statusCode >= 300) throw await statusError(response, route.apiKey)
    return new Reply(response, timer, signal)
  } catch (error) {
    timer.clear()
    signal.throwIfAborted()
    throw explained(error, timer)
  }
}

/** Posts an object and returns the object in the response. */
export async function postJson(route: Route, body: object, signal: AbortSignal): Promise<unknown> {
  const reply = await post(route, JSON.stringify(body), signal)
  return reply.json(64 * 1024 * 1024)
}

/** A successful response. Iterating reads its body; leaving the loop early drops the connection. */
class Reply {
  readonly headers: Dispatcher.ResponseData['headers']
  readonly #body: Dispatcher.ResponseData['body']
  readonly #timer: SilenceTimer
  readonly #signal: AbortSignal

  constructor({ headers, body }: Dispatcher.ResponseData, timer: SilenceTimer, signal: AbortSignal) {
    this.headers = headers
    this.#body = body
    this.#timer = timer
    this.#signal = signal
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    try {
      for await (const chunk of this.#body) {
        this.#timer.received()
        yield chunk as Buffer
      }
    } catch (error) {
      this.#signal.throwIfAborted()
      if (this.#timer.phase !== 'end') throw explained(error, this.#timer)
    } finally {
      this.#timer.clear()
    }
  }

  /** Everything that matters has arrived. Reading to the end is only worth a moment: it lets the connection be reused. */
  expectEnd(): void {
    this.#timer.expectEnd()
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

/** Aborts a request when the provider is silent for too long. */
class SilenceTimer {
  phase: 'firstByte' | 'idle' | 'end' = 'firstByte'
  readonly #timeouts: Timeouts
  readonly #abort = new AbortController()
  #timer: NodeJS.Timeout

  constructor(timeouts: Timeouts) {
    this.#timeouts = timeouts
    this.#timer = setTimeout(() => {
      const message = `The provider did not start to answer within ${timeouts.firstByte / second} s.`
      this.#abort.abort(new ProviderError('timeout', message))
    }, timeouts.firstByte)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Part of the body has arrived. */
  received(): void {
    if (this.phase === 'idle') this.#timer.refresh()
    if (this.phase !== 'firstByte') return
    this.phase = 'idle'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const message = `The provider was silent for ${this.#timeouts.idle / second} s in the middle of the reply.`
      this.#abort.abort(new ProviderError('timeout', message))
    }, this.#timeouts.idle)
  }

  expectEnd(): void {
    if (this.phase === 'end') return
    this.phase = 'end'
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#abort.abort(), endTimeout)
  }

  clear(): void {
    clearTimeout(this.#timer)
  }
}

function explained(error: unknown, { phase }: SilenceTimer): unknown {
  // The egress rules explain their refusals themselves.
  if (error instanceof ProviderError || error instanceof Problem || !(error instanceof Error)) return error
  return networkError(error, phase !== 'firstByte')
}

import type { Dispatcher } from 'undici'
import { Problem, reason } from '../errors.ts'
import { second } from '../time.ts'
import { ProviderError } from './model.ts'
import { providerMessage, retryAfter } from './provider-message.ts'

/** How long each part of an exchange may take, in milliseconds. */
export interface Timeouts {
  connect: number
  /** From the request to the first byte of the reply's body. */
  firstByte: number
  /** From one piece of the body to the next. */
  idle: number
}

export const usualTimeouts: Timeouts = { connect: 10 * second, firstByte: 120 * second, idle: 60 * second }

/** One route of a provider: where it is, and what goes with every request to it. */
export interface Place {
  origin: string
  path: string
  /** Names and values in turn, which is the form that costs least to send. */
  headers: string[]
  /** Known here so that no error message repeats it. */
  apiKey: string | null
  dispatcher: Dispatcher
  timeouts: Timeouts
}

export type ReplyHeaders = Record<string, string | string[] | undefined>

/** What becomes of a reply. What it throws, it is told again by `fail`. */
export interface Sink {
  start?(headers: ReplyHeaders): void
  /** True when all that matters has come, and only the end is missing. */
  data(chunk: Buffer): boolean
  end(): void
  fail(error: unknown): void
}

export interface Running {
  /** Drops the connection; the sink fails with this error unless it is done. */
  abort(error: unknown): void
}

/** Posts a body and feeds the reply to a sink. A reply that is not a success is read here and becomes an error. */
export function exchange(place: Place, body: string, signal: AbortSignal, sink: Sink): Running {
  const running = new Exchange(place, signal, sink)
  running.begin(body)
  return running
}

const longestErrorBody = 64 * 1024
/** For the end of a reply that is already complete. Without it the connection cannot be used again. */
const patienceForEnd = second / 10

/** Built on the dispatcher's own callbacks: no stream, no promise and no iterator stands between socket and parser. */
class Exchange implements Dispatcher.DispatchHandler, Running {
  private readonly place: Place
  private readonly signal: AbortSignal
  private readonly sink: Sink
  private controller: Dispatcher.DispatchController | null = null
  private timer: NodeJS.Timeout | undefined
  private timerEnds = 0
  private deadline = 0
  private phase: keyof Timeouts = 'connect'
  private complete = false
  private settled = false
  private status = 0
  private headers: ReplyHeaders = {}
  private errorBody: Buffer[] = []
  private errorLength = 0
  /**
   * A function, because a signal wraps any other listener in one that is made in the old part of the heap, which would keep
   * the whole exchange until that part is cleared.
   */
  private readonly onAbort = (): void => this.abort(this.signal.reason)

  constructor(place: Place, signal: AbortSignal, sink: Sink) {
    this.place = place
    this.signal = signal
    this.sink = sink
  }

  begin(body: string): void {
    if (this.signal.aborted) {
      this.fail(this.signal.reason)
      return
    }
    this.signal.addEventListener('abort', this.onAbort)
    const { origin, path, headers, dispatcher } = this.place
    this.wait('connect')
    // The time-outs are ours, because they tell the first byte from the later ones.
    dispatcher.dispatch({ origin, path, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 }, this)
  }

  abort(error: unknown): void {
    this.fail(error)
    clearTimeout(this.timer)
    this.controller?.abort(error instanceof Error ? error : new Error('aborted'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.settled) controller.abort(new Error('aborted'))
    else this.wait('firstByte')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ReplyHeaders): void {
    if (status < 200) return
    this.status = status
    this.headers = headers
    if (status >= 300) return
    try {
      this.sink.start?.(headers)
    } catch (error) {
      this.abort(error)
    }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.complete) return
    this.wait('idle')
    try {
      if (this.status >= 300) this.keepErrorBody(chunk)
      else if (this.sink.data(chunk) && !this.settled) this.waitForEnd()
    } catch (error) {
      this.abort(error)
    }
  }

  onResponseEnd(): void {
    clearTimeout(this.timer)
    this.end()
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.timer)
    if (this.complete) this.end()
    else this.fail(this.status >= 300 ? this.statusError() : this.networkError(error))
  }

  private end(): void {
    if (this.settled) return
    try {
      if (this.status >= 300) throw this.statusError()
      this.sink.end()
      this.settle()
    } catch (error) {
      this.fail(error)
    }
  }

  private wait(phase: keyof Timeouts): void {
    this.phase = phase
    this.waitFor(this.place.timeouts[phase])
  }

  /** Nearly always it is in the same packet. */
  private waitForEnd(): void {
    this.complete = true
    queueMicrotask(() => this.settled || this.waitFor(patienceForEnd))
  }

  /** A timer that rings too early is set again then, which is less work than to set it with every piece that comes. */
  private waitFor(milliseconds: number): void {
    this.deadline = performance.now() + milliseconds
    if (this.timer === undefined || this.timerEnds > this.deadline) this.setTimer(milliseconds)
  }

  private setTimer(milliseconds: number): void {
    clearTimeout(this.timer)
    this.timerEnds = this.deadline
    this.timer = setTimeout(ranOut, milliseconds, this)
  }

  runOut(): void {
    const left = this.deadline - performance.now()
    if (left >= 1) {
      this.setTimer(left)
      return
    }
    if (this.complete) this.end()
    this.abort(this.status >= 300 ? this.statusError() : timeoutError(this.phase, this.place.timeouts))
  }

  private settle(): void {
    this.settled = true
    this.signal.removeEventListener('abort', this.onAbort)
  }

  private fail(error: unknown): void {
    if (this.settled) return
    this.settle()
    this.sink.fail(error)
  }

  private keepErrorBody(chunk: Buffer): void {
    this.errorBody.push(chunk)
    this.errorLength += chunk.length
    if (this.errorLength > longestErrorBody) throw this.statusError()
  }

  private statusError(): ProviderError {
    const text = Buffer.concat(this.errorBody).toString('utf8', 0, longestErrorBody)
    const { status } = this
    return new ProviderError('status', `The provider answered ${status}: ${providerMessage(text, this.place.apiKey)}`, {
      status,
      retryAfter: retryAfter(this.headers, Date.now()),
    })
  }

  private networkError(error: Error): unknown {
    // The guard of outgoing requests has its own words for a refusal.
    if (error instanceof Problem) return error
    if (error.name === 'HTTPParserError') {
      return new ProviderError('malformed', 'The provider sent something that is not HTTP.', { cause: error })
    }
    if (this.phase === 'idle') {
      return new ProviderError('cut', `The connection broke in the middle of the reply: ${rootReason(error)}`, {
        cause: error,
      })
    }
    return new ProviderError('connection', `The provider could not be reached: ${rootReason(error)}`, { cause: error })
  }
}

const ranOut = (exchange: Exchange): void => exchange.runOut()

function timeoutError(phase: keyof Timeouts, timeouts: Timeouts): ProviderError {
  const time = `${timeouts[phase] / second} s`
  switch (phase) {
    case 'connect':
      return new ProviderError('connection', `The provider could not be reached within ${time}.`)
    case 'firstByte':
      return new ProviderError('timeout', `The provider did not begin to answer within ${time}.`)
    case 'idle':
      return new ProviderError('timeout', `The provider fell silent for ${time} in the middle of the reply.`)
  }
}

/** A name with several addresses fails with one error for each, and says nothing itself. */
function rootReason(error: Error): string {
  if (error instanceof AggregateError && error.message === '') return reason(error.errors[0])
  return error.message
}

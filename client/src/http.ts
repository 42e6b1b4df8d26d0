import { errorOf, isParleyError, ParleyError } from './errors.ts'

export interface ParleyOptions {
  /** Where the service is, such as `https://parley.example.com`. Left out in a browser: where the page came from. */
  baseUrl?: string
  /** The bearer token, or a function that gives the one to use now. */
  token?: string | null | (() => string | null | Promise<string | null>)
  /** For an owner's token: another workspace to act in, by id or name, or a function that gives it. */
  workspace?: string | null | (() => string | null)
  /** How often a request is tried again when that is safe; 3 unless told. */
  maxRetries?: number
  /** Milliseconds to wait for an answer; 10 minutes unless told. */
  timeout?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** In place of the global one. */
  fetch?: typeof fetch
}

export interface RequestOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Makes a POST happen once however often it is sent. Every POST gets a random one; give your own to repeat it later. */
  idempotencyKey?: string
  /** Only if the resource is still as it was when this ETag was read (see `etagOf`). */
  ifMatch?: string
  maxRetries?: number
  timeout?: number
}

export type Query = Record<string, unknown>

export interface Ask extends RequestOptions {
  query?: Query | undefined
  body?: unknown
}

export interface Http {
  /** The data of the answer, without its envelope. */
  data<T>(method: string, path: string, ask?: Ask): Promise<T>
  /** The whole JSON of the answer. */
  json<T>(method: string, path: string, ask?: Ask): Promise<T>
  /** The answer itself, once it is known to be 2xx. Its body has not been read. */
  send(method: string, path: string, ask?: Ask): Promise<Response>
  url(path: string, query?: Query): string
  headers(ask?: Ask): Promise<Record<string, string>>
  /** Tries until it works, may not be tried again, or the patience is over. */
  persist<T>(attempt: () => Promise<T>, mayRepeat: (error: ParleyError) => boolean, ask: RequestOptions): Promise<T>
}

const tenMinutes = 600_000
const longestWait = 60_000

const etags = new WeakMap<object, string>()

/** The ETag that a resource was read with, to be given back as `ifMatch`. */
export const etagOf = (resource: object): string | undefined => etags.get(resource)

export function createHttp(options: ParleyOptions): Http {
  const base = baseOf(options.baseUrl)
  const callFetch = options.fetch ?? ((input, init) => fetch(input, init))

  const url: Http['url'] = (path, query = {}) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) parameters.set(name, String(value))
    }
    const search = parameters.toString()
    return `${base}/api${path}${search && `?${search}`}`
  }

  const headers: Http['headers'] = async (ask = {}) => {
    const token = typeof options.token === 'function' ? await options.token() : options.token
    const workspace = typeof options.workspace === 'function' ? options.workspace() : options.workspace
    return {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(workspace && { 'x-workspace': workspace }),
      ...(ask.ifMatch !== undefined && { 'if-match': ask.ifMatch }),
      ...(ask.idempotencyKey !== undefined && { 'idempotency-key': ask.idempotencyKey }),
      ...options.headers,
      ...ask.headers,
    }
  }

  const once = async (method: string, path: string, ask: Ask): Promise<Response> => {
    const patience = deadline(ask.timeout ?? options.timeout ?? tenMinutes, ask.signal)
    try {
      const response = await callFetch(url(path, ask.query), {
        method,
        headers: {
          ...(ask.body !== undefined && { 'content-type': 'application/json' }),
          ...(await headers(ask)),
        },
        ...(ask.body !== undefined && { body: JSON.stringify(ask.body) }),
        signal: patience.signal,
      })
      if (!response.ok) throw await errorOf(response)
      return response
    } catch (cause) {
      ask.signal?.throwIfAborted()
      if (cause instanceof ParleyError) throw cause
      const code = patience.signal.aborted ? 'timeout' : 'connection_failed'
      const message =
        code === 'timeout'
          ? 'The service did not answer in time.'
          : `The service at ${base || 'this address'} cannot be reached. Check that it runs and that the address is right.`
      throw new ParleyError({ code, message, cause })
    } finally {
      patience.over()
    }
  }

  const persist: Http['persist'] = async (attempt, mayRepeat, ask) => {
    const most = ask.maxRetries ?? options.maxRetries ?? 3
    for (let tries = 0; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isParleyError(error) || tries >= most || !mayRepeat(error)) throw error
        await pause(waitBefore(tries, error), ask.signal)
      }
    }
  }

  const send: Http['send'] = async (method, path, given = {}) => {
    const ask = method === 'POST' ? { ...given, idempotencyKey: given.idempotencyKey ?? randomKey() } : given
    let tries = 0
    try {
      return await persist(
        () => {
          tries++
          return once(method, path, ask)
        },
        (error) => isSafeToRepeat(error, ask),
        ask,
      )
    } catch (error) {
      // The first try of a delete whose answer was lost has done its work.
      if (method === 'DELETE' && tries > 1 && isParleyError(error, 'not_found')) return Response.json({ success: true })
      throw error
    }
  }

  const json: Http['json'] = async <T>(method: string, path: string, ask?: Ask) => {
    const response = await send(method, path, ask)
    const body = (await response.json().catch((cause: unknown) => {
      ask?.signal?.throwIfAborted()
      throw new ParleyError({ code: 'connection_failed', message: 'The answer was cut off.', cause })
    })) as T & { data?: unknown }
    const etag = response.headers.get('etag')
    if (etag !== null && typeof body.data === 'object' && body.data !== null) etags.set(body.data, etag)
    return body
  }

  return {
    url,
    headers,
    send,
    json,
    persist,
    data: async <T>(method: string, path: string, ask?: Ask) => (await json<{ data: T }>(method, path, ask)).data,
  }
}

/**
 * Every POST carries an idempotency key and PUT and DELETE mean the same when repeated, so a lost answer is no reason
 * to give up. Not so where a repetition could meet its own change (`ifMatch`), nor for what the service has decided.
 */
function isSafeToRepeat(error: ParleyError, ask: RequestOptions): boolean {
  switch (error.code) {
    case 'rate_limited':
    case 'overloaded':
    case 'idempotency_in_progress':
      return true
    case 'connection_failed':
      return ask.ifMatch === undefined
    case 'unexpected_response':
      return [502, 503, 504].includes(error.status) && ask.ifMatch === undefined
    default:
      return false
  }
}

/** Twice as long each time, with chance in it so that clients do not march in step; what the service says comes first. */
export function waitBefore(
  tries: number,
  { retryAfter }: { retryAfter: number | null } = { retryAfter: null },
): number {
  const own = Math.min(8000, 250 * 2 ** tries) * (0.5 + Math.random() / 2)
  return retryAfter === null ? own : Math.min(longestWait, retryAfter * 1000 + Math.random() * 250)
}

export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const timer = setTimeout(done, milliseconds)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })

export const randomKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A signal that goes off when the time is over or the caller's does. Once there is an answer only the clock stops. */
function deadline(milliseconds: number, outer?: AbortSignal): { signal: AbortSignal; over(): void } {
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(), milliseconds)
  const signal = outer ? AbortSignal.any([outer, clock.signal]) : clock.signal
  return { signal, over: () => clearTimeout(timer) }
}

function baseOf(given: string | undefined): string {
  const here = (globalThis as { location?: { origin?: string } }).location?.origin
  const base = given ?? (here === 'null' ? undefined : here)
  if (base === undefined) throw new TypeError('Say where the service is: new Parley({ baseUrl, token }).')
  return base.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
}

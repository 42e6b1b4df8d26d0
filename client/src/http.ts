import { isParleyError, ParleyError, readError, throwIfAborted } from './errors.ts'

/** A person as whom an editor reads and searches. */
export interface Person {
  /** The `user_id` of the person. */
  user_id?: string | null
  /** The groups of the person. */
  groups?: readonly string[]
}

export interface ParleyOptions {
  /** The server URL, such as `https://parley.example.com`. Default in a browser: the origin of the page. */
  baseUrl?: string
  /** The bearer token, or a function that returns it. */
  token?: string | null | (() => string | null | Promise<string | null>)
  /**
   * In a browser, on a page of the server itself: uses the session cookie of `auth.signIn` instead of a token, which scripts
   * cannot read.
   */
  session?: boolean
  /** For owner tokens: the id or name of another workspace, or a function that returns it. */
  workspace?: string | null | (() => string | null)
  /** For editors and above: reads and searches as this person would. Writes fail. See `parley.as`. */
  seenAs?: Person | null | (() => Person | null)
  /** Max retries of a request that is safe to repeat. Default: 3. */
  maxRetries?: number
  /** Milliseconds to wait for a response, including the time to upload files. Default: 10 minutes. */
  timeout?: number
  /** Sent with every request. */
  headers?: Record<string, string>
  /** Called before a request is repeated, with the milliseconds until then. */
  onRetry?: (error: ParleyError, wait: number) => void
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

export interface RequestOptions {
  /** Aborts the request, which then throws a `ParleyError` with the code `aborted`. */
  signal?: AbortSignal
  /** Sent with this request, over those of the client. */
  headers?: Record<string, string>
  /** Makes a POST safe to repeat. Every POST gets a random key; pass your own to repeat it later. */
  idempotencyKey?: string
  /** Fails if the resource changed since this ETag was read (see `readEtag`). */
  ifMatch?: string
  /** Max retries if the request is safe to repeat. Default: that of the client. */
  maxRetries?: number
  /** Milliseconds to wait for a response. Default: that of the client. */
  timeout?: number
}

export type Query = Record<string, unknown>

export interface HttpRequest extends RequestOptions {
  /** The parameters after the `?`, without those that are null or undefined. */
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  /** A status that is no error of this request, if the response is JSON. */
  expectedStatus?: number
}

export interface Http {
  /** Returns `data` of the response envelope. */
  data<T>(method: string, path: string, request?: HttpRequest): Promise<T>
  /** Returns the whole JSON response. */
  json<T>(method: string, path: string, request?: HttpRequest): Promise<T>
  /** Returns a 2xx response with an unread body. */
  send(method: string, path: string, request?: HttpRequest): Promise<Response>
  url(path: string, query?: Query): string
  headers(request?: HttpRequest): Promise<Record<string, string>>
  /** Makes one attempt with a timeout signal, and converts errors to `ParleyError`. */
  attempt<T>(request: RequestOptions, run: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** The configured `fetch`, or null if the global one is used. */
  customFetch: typeof fetch | null
  /** Retries while the error allows it and retries are left. */
  withRetries<T>(
    attempt: () => Promise<T>,
    isRetryable: (error: ParleyError) => boolean,
    request: RequestOptions,
  ): Promise<T>
}

const tenMinutes = 600_000
const maxDelay = 60_000

const etags = new WeakMap<object, string>()

/** The ETag a resource was read with, to pass as `ifMatch`. */
export const readEtag = (resource: object): string | undefined => etags.get(resource)

export function createHttp(options: ParleyOptions): Http {
  const base = resolveBaseUrl(options.baseUrl)
  const callFetch = options.fetch ?? ((input, init) => fetch(input, init))

  const url: Http['url'] = (path, query = {}) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined && value !== null) parameters.set(name, String(value))
    }
    const search = parameters.toString()
    return `${base}/api${path}${search && `?${search}`}`
  }

  const headers: Http['headers'] = async (request = {}) => {
    const token = typeof options.token === 'function' ? await options.token() : options.token
    const workspace = typeof options.workspace === 'function' ? options.workspace() : options.workspace
    const seenAs = typeof options.seenAs === 'function' ? options.seenAs() : options.seenAs
    return {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(options.session && { 'x-requested-with': 'parley' }),
      ...(workspace && { 'x-workspace': workspace }),
      ...(seenAs && { 'x-seen-as': personText(seenAs) }),
      ...(request.ifMatch !== undefined && { 'if-match': request.ifMatch }),
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
      ...options.headers,
      ...request.headers,
    }
  }

  const attempt: Http['attempt'] = async (request, run) => {
    const deadline = startDeadline(request.timeout ?? options.timeout ?? tenMinutes, request.signal)
    try {
      return await run(deadline.signal)
    } catch (cause) {
      throwIfAborted(request.signal)
      if (cause instanceof ParleyError) throw cause
      const code = deadline.signal.aborted ? 'timeout' : 'connection_failed'
      const message =
        code === 'timeout'
          ? 'The request timed out.'
          : `Could not connect to ${base || 'the server'}. Check that it is running and that the URL is correct.`
      throw new ParleyError({ code, message, cause })
    } finally {
      deadline.clear()
    }
  }

  const once = (method: string, path: string, request: HttpRequest): Promise<Response> =>
    attempt(request, async (signal) => {
      const response = await callFetch(url(path, request.query), {
        method,
        headers: {
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...(await headers(request)),
        },
        ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
        signal,
      })
      const isJson = response.headers.get('content-type')?.includes('json')
      if (!response.ok && !(isJson && response.status === request.expectedStatus)) throw await readError(response)
      return response
    })

  const withRetries: Http['withRetries'] = async (attempt, isRetryable, request) => {
    const maxRetries = request.maxRetries ?? options.maxRetries ?? 3
    for (let tries = 0; ; tries++) {
      try {
        return await attempt()
      } catch (error) {
        if (!isParleyError(error) || tries >= maxRetries || !isRetryable(error)) throw error
        const wait = retryDelay(tries, error)
        options.onRetry?.(error, wait)
        await delay(wait, request.signal)
      }
    }
  }

  const send: Http['send'] = async (method, path, init = {}) => {
    const request = method === 'POST' ? { ...init, idempotencyKey: init.idempotencyKey ?? randomKey() } : init
    let tries = 0
    try {
      return await withRetries(
        () => {
          tries++
          return once(method, path, request)
        },
        (error) => isSafeToRetry(error, request),
        request,
      )
    } catch (error) {
      // The response to the first try was lost, but it deleted the resource.
      if (method === 'DELETE' && tries > 1 && isParleyError(error, 'not_found')) return Response.json({ success: true })
      throw error
    }
  }

  const json: Http['json'] = async <T>(method: string, path: string, request?: HttpRequest) => {
    const response = await send(method, path, request)
    const body = (await response.json().catch((cause: unknown) => {
      throwIfAborted(request?.signal)
      throw new ParleyError({ code: 'connection_failed', message: 'The response was cut off.', cause })
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
    withRetries,
    attempt,
    customFetch: options.fetch ?? null,
    data: async <T>(method: string, path: string, request?: HttpRequest) =>
      (await json<{ data: T }>(method, path, request)).data,
  }
}

function personText({ user_id, groups = [] }: Person): string {
  const user = user_id ? [`user_id=${encodeURIComponent(user_id)}`] : []
  const names = groups.length > 0 ? [`groups=${groups.map(encodeURIComponent).join(',')}`] : []
  return [...user, ...names].join('; ')
}

/**
 * POST carries an idempotency key, PUT and DELETE are idempotent, so a lost response can be retried. With `ifMatch` it
 * cannot: a retry would conflict with its own change.
 */
function isSafeToRetry(error: ParleyError, request: RequestOptions): boolean {
  switch (error.code) {
    case 'rate_limited':
    case 'overloaded':
    case 'idempotency_in_progress':
      return true
    case 'connection_failed':
      return request.ifMatch === undefined
    case 'unexpected_response':
      return [502, 503, 504].includes(error.status) && request.ifMatch === undefined
    default:
      return false
  }
}

/** Exponential backoff with jitter, unless the server sent `Retry-After`. */
export function retryDelay(
  tries: number,
  { retryAfter }: { retryAfter: number | null } = { retryAfter: null },
): number {
  const backoff = Math.min(8000, 250 * 2 ** tries) * (0.5 + Math.random() / 2)
  return retryAfter === null ? backoff : Math.min(maxDelay, retryAfter * 1000 + Math.random() * 250)
}

export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  throwIfAborted(signal)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, milliseconds)
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    signal?.addEventListener('abort', done)
  })
  throwIfAborted(signal)
}

export const randomKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Aborts after a timeout or with the caller's signal. `clear` stops only the timeout: the body may still be aborted.
 */
function startDeadline(milliseconds: number, outer?: AbortSignal): { signal: AbortSignal; clear(): void } {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), milliseconds)
  const signal = outer ? AbortSignal.any([outer, timeout.signal]) : timeout.signal
  return { signal, clear: () => clearTimeout(timer) }
}

function resolveBaseUrl(baseUrl: string | undefined): string {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin
  const base = baseUrl ?? (origin === 'null' ? undefined : origin)
  if (base === undefined) throw new TypeError('baseUrl is required: new Parley({ baseUrl, token }).')
  return base.replace(/\/+$/, '').replace(/\/api(\/v1)?$/, '')
}

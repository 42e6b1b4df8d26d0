import type { components } from './schema.ts'

type ServerCode = components['schemas']['ApiError']['code']

/**
 * An error code of the server, or one of the client: `aborted` by your `signal`, `connection_failed`, `timeout`, or
 * `unexpected_response` for a response that is not Parley's.
 */
export type ErrorCode = ServerCode | 'aborted' | 'connection_failed' | 'timeout' | 'unexpected_response'

export interface ErrorDetail {
  path: string
  message: string
}

interface Failure {
  code: ErrorCode
  message: string
  status?: number
  requestId?: string | null
  details?: ErrorDetail[]
  retryAfter?: number | null
  cause?: unknown
}

/** A failed request. Show `message` to people; branch on `code`. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly code: ErrorCode
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** Identifies the request in the server log. */
  readonly requestId: string | null
  /** On a validation error: the message for each field. */
  readonly details: ErrorDetail[]
  /** Seconds to wait before a retry, if the server sent `Retry-After`. */
  readonly retryAfter: number | null

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause })
    this.code = failure.code
    this.status = failure.status ?? 0
    this.requestId = failure.requestId ?? null
    this.details = failure.details ?? []
    this.retryAfter = failure.retryAfter ?? null
  }
}

/** Whether an error is a `ParleyError`, optionally with one of the given codes. */
export const isParleyError = (error: unknown, ...codes: ErrorCode[]): error is ParleyError =>
  error instanceof ParleyError && (codes.length === 0 || codes.includes(error.code))

/** Throws an error with the code `aborted` if the signal is aborted. Its `cause` is the reason of the signal. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new ParleyError({ code: 'aborted', message: 'The request was aborted.', cause: signal.reason })
}

/** Converts a response that is not 2xx into an error. */
export async function readError(response: Response): Promise<ParleyError> {
  const requestId = response.headers.get('x-request-id')
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'))
  const text = await response.text().catch(() => '')
  return errorFrom(response.status, text, { requestId, retryAfter })
}

export function errorFrom(
  status: number,
  text: string,
  more: { requestId: string | null; retryAfter: number | null },
): ParleyError {
  const body = parseJson(text) as Partial<components['schemas']['ApiError']> | null
  if (typeof body?.code === 'string' && typeof body.error === 'string') {
    return new ParleyError({
      ...more,
      code: body.code,
      message: body.error,
      status,
      requestId: body.request_id ?? more.requestId,
      details: body.details ?? [],
    })
  }
  const message = `Unexpected response (status ${status}). Check the base URL and any proxy in front of the server.`
  return new ParleyError({ ...more, code: 'unexpected_response', message, status })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

import type { components } from './schema.ts'

type ServiceCode = components['schemas']['Error']['code']

/**
 * What went wrong, for programs. Beside the service's own codes: `connection_failed` (no answer came),
 * `timeout` (none came in time) and `unexpected_response` (the answer is not one of the service).
 */
export type ErrorCode = ServiceCode | 'connection_failed' | 'timeout' | 'unexpected_response'

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

/** Every failure of a request. `message` is for people and says what to do; `code` is for programs. */
export class ParleyError extends Error {
  override readonly name = 'ParleyError'
  readonly code: ErrorCode
  /** The HTTP status, or 0 where no answer came. */
  readonly status: number
  /** Finds the request in the service's log. */
  readonly requestId: string | null
  /** On a validation error: what is wrong with which field. */
  readonly details: ErrorDetail[]
  /** The seconds to wait, where the service names them. */
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

/** Whether something thrown is an error of the service, and of one of these codes where any are named. */
export const isParleyError = (error: unknown, ...codes: ErrorCode[]): error is ParleyError =>
  error instanceof ParleyError && (codes.length === 0 || codes.includes(error.code))

/** The error that an answer other than 2xx means. */
export async function errorOf(response: Response): Promise<ParleyError> {
  const requestId = response.headers.get('x-request-id')
  const retryAfter = secondsToWait(response.headers.get('retry-after'))
  const text = await response.text().catch(() => '')
  return errorFrom(response.status, text, { requestId, retryAfter })
}

export function errorFrom(
  status: number,
  text: string,
  more: { requestId: string | null; retryAfter: number | null },
): ParleyError {
  const body = parsed(text) as Partial<components['schemas']['Error']> | null
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
  const message = `The answer was ${status} and not one of the service. Check the address and what stands before it.`
  return new ParleyError({ ...more, code: 'unexpected_response', message, status })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function secondsToWait(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null
}

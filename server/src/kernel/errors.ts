/** Every error code with its HTTP status and meaning. */
export const errorCatalogue = {
  invalid_request: [
    400,
    'The request is not valid; `details` names each field or parameter and what is wrong with it.',
  ],
  malformed_json: [400, 'The body is not valid JSON.'],
  unknown_reference: [400, 'The body names a resource that does not exist in this workspace.'],
  unsupported_input: [400, 'The model does not take this kind of input, such as images.'],
  unsupported_file_type: [400, 'The source does not accept files of this type.'],
  invalid_sql: [400, 'The text is not one SQL statement that reads tables within the limits; the message says why.'],
  egress_blocked: [400, 'The service does not send requests to this address.'],
  unauthenticated: [401, 'The request carries no bearer token.'],
  invalid_token: [401, 'The token is unknown, revoked or expired.'],
  invalid_signature: [401, 'The signature of the webhook is missing, wrong or older than five minutes.'],
  forbidden: [403, "The token's role does not permit this."],
  budget_exceeded: [403, 'A blocking usage threshold has been reached.'],
  price_unknown: [403, 'A blocking cost threshold applies, and the model has no price. A free model has a price of 0.'],
  not_found: [404, 'There is no such resource or route in this workspace.'],
  in_use: [409, 'The resource is still referenced; `details` lists by whom.'],
  conversation_busy: [409, 'The conversation is still answering an earlier message.'],
  conversation_completed: [409, 'The conversation is completed and accepts no more messages.'],
  already_running: [409, 'The same work is already running.'],
  idempotency_in_progress: [409, 'The first request with this idempotency key is still running.'],
  gate_failed: [409, 'The version has not passed the evaluation that the label requires; `details` names it.'],
  disabled: [409, 'The resource is disabled. Enable it first.'],
  precondition_failed: [412, 'The resource has changed since the version named in `If-Match`.'],
  payload_too_large: [413, 'The body is larger than this route accepts.'],
  file_too_large: [413, 'The file is larger than the source or the route accepts.'],
  unsupported_media_type: [415, 'The route does not accept the content type of the body.'],
  idempotency_mismatch: [422, 'The idempotency key was already used with a different request.'],
  rate_limited: [429, 'Too many requests; wait for the seconds in `Retry-After`.'],
  provider_rate_limited: [429, 'The model provider limits requests; wait for the seconds in `Retry-After`.'],
  internal_error: [500, 'Internal error; the cause is in the log under the request ID.'],
  provider_error: [502, 'The model provider returned an error.'],
  output_invalid: [
    502,
    'The reply does not follow the schema of `response_format`, even after a correction; `details` says where.',
  ],
  overloaded: [503, 'The service cannot handle the request now; try again shortly.'],
  provider_timeout: [504, 'The model provider did not respond in time.'],
  turn_timeout: [504, 'The reply took longer than the operator allows.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof errorCatalogue

/** The errors of every route that calls a model. */
export const modelErrors = [
  'budget_exceeded',
  'price_unknown',
  'provider_rate_limited',
  'provider_error',
  'provider_timeout',
] as const satisfies ErrorCode[]

export interface Detail {
  path: string
  message: string
}

/** An error for the caller. Services throw it; the HTTP error handler serializes it. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Detail[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, more: { details?: Detail[]; headers?: Record<string, string> } = {}) {
    super(message)
    this.code = code
    this.status = errorCatalogue[code][0]
    this.details = more.details
    this.headers = more.headers ?? {}
  }
}

export function notFound(what: string, id: string): never {
  throw new Problem('not_found', `There is no ${what} "${id}" in this workspace.`)
}

export function invalid(path: string, message: string): never {
  throw new Problem('invalid_request', `${path}: ${message}`, { details: [{ path, message }] })
}

/** `known`: the ones that there are. */
export function unknownReference(path: string, what: string, id: string, known: readonly string[] = []): never {
  const advice = known.length > 0 ? `; there are: ${known.join(', ')}` : ''
  const message = `there is no ${what} "${id}" in this workspace${advice}`
  throw new Problem('unknown_reference', `${path}: ${message}`, { details: [{ path, message }] })
}

export function forbidden(message: string): never {
  throw new Problem('forbidden', message)
}

/** The message of anything that was thrown. */
export const reason = (error: unknown): string =>
  String((error as { message?: unknown } | null | undefined)?.message ?? error)

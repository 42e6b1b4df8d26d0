export type ThreadErrorCode = 'timeout' | 'memory' | 'crashed' | 'closed' | 'overloaded'

/** A call without a result because its thread was stopped, crashed or closed, or because too many calls wait. */
export class ThreadError extends Error {
  readonly code: ThreadErrorCode

  constructor(code: ThreadErrorCode, message: string) {
    super(message)
    this.name = 'ThreadError'
    this.code = code
  }
}

/** An error thrown by a method inside the thread. `details` holds the error's own fields. */
export class RemoteError extends Error {
  readonly details: Record<string, unknown>

  constructor({ message, ...details }: SerializedError) {
    super(message)
    this.name = 'RemoteError'
    this.details = details
  }
}

export interface SerializedError extends Record<string, unknown> {
  message: string
}

/** Structured clone drops the fields of custom errors, so they are copied one by one. */
export const serializeError = (error: unknown): SerializedError =>
  error instanceof Error ? { ...error, message: error.message } : { message: String(error) }

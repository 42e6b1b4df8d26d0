import { type Detail, type ErrorCode, Problem } from '../../kernel/errors.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import type { MessageSource } from './events.ts'
import { Run } from './run.ts'

/** The error that answers the request of a reply that failed. Only the process that ran it knows how long to wait. */
export function failedReply(source: MessageSource, details?: Detail[]): Problem {
  const { code, error } = source.row
  const cause = source instanceof Run ? providerProblem(source.failure) : null
  const wait = code === 'provider_rate_limited' && { 'retry-after': '1' }
  const headers = cause instanceof Problem ? cause.headers : { ...wait }
  const more = { headers, ...(details && { details }) }
  return new Problem((code ?? 'internal_error') as ErrorCode, error ?? 'The reply failed.', more)
}

/** The code and the message of the error that ended a run. */
export function explain(error: unknown): [ErrorCode, string] {
  const problem = providerProblem(error)
  if (problem instanceof Problem) return [problem.code, problem.message]
  return ['internal_error', 'Something failed inside the service; the log says what.']
}

/** Where a reply does not follow its schema. */
export const faultsIn = (error: unknown): Detail[] | null =>
  error instanceof Problem && error.code === 'output_invalid' ? (error.details ?? null) : null

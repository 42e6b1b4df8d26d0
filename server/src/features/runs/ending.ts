import { isWaiting } from '../../kernel/agent/needs.ts'
import { type Detail, type ErrorCode, Problem } from '../../kernel/errors.ts'
import { providerProblem } from '../../kernel/llm/provider-errors.ts'
import type { MessageSource } from './events.ts'
import type { MessageRow } from './reply.ts'
import { Run } from './run.ts'
import { isUnsettled } from './waiting-kinds.ts'

/** The reason of a run that was stopped from outside. */
export class Stopped extends Error {
  readonly status: 'cancelled' | 'interrupted'

  constructor(status: 'cancelled' | 'interrupted', message: string) {
    super(message)
    this.status = status
  }
}

/** How a reply ends that is not completed. */
export interface Ending extends Pick<MessageRow, 'finish_reason' | 'code' | 'error' | 'details'> {
  status: 'cancelled' | 'failed' | 'interrupted'
}

/** How a reply ends that was stopped, or failed with this error. */
export function endingFor(error: unknown): Ending {
  if (error instanceof Stopped) {
    const { status, message } = error
    const isFault = status === 'interrupted'
    const why = { code: isFault ? 'internal_error' : null, error: isFault ? message : null }
    return { status, finish_reason: status, ...why, details: null }
  }
  const problem = providerProblem(error)
  const known = problem instanceof Problem
  const code: ErrorCode = known ? problem.code : 'internal_error'
  const message = known ? problem.message : 'Something failed inside the service; the log says what.'
  return { status: 'failed', finish_reason: 'error', code, error: message, details: faultsIn(error) }
}

/** Where a reply does not follow its schema. */
const faultsIn = (error: unknown): Detail[] | null =>
  error instanceof Problem && error.code === 'output_invalid' ? (error.details ?? null) : null

const causes = {
  cancelled: 'The reply was cancelled',
  failed: 'The reply ended',
  interrupted: 'The service stopped',
}

/** The result of a call that nobody approved before its reply ended. */
export const neverMade = (status: Ending['status']): string => `${causes[status]} before this call was made.`

/** Ends the calls of a reply that ends before they do. An agent that was called may itself wait for a person. */
export function endOpenCalls({ tool_calls }: MessageRow, status: Ending['status']): void {
  for (const call of tool_calls) {
    if (call.status !== 'running' && !isWaiting(call.status)) continue
    const isMade = call.conversation_id !== undefined || !isUnsettled(call)
    const ended = isMade
      ? { status: 'failed', result: `${causes[status]} during the call.` }
      : { status: 'refused', result: neverMade(status) }
    Object.assign(call, ended)
    delete call.connection
  }
}

/** The error that answers the request of a reply that failed. Only the process that ran it knows how long to wait. */
export function failedReply(source: MessageSource, details?: Detail[]): Problem {
  const { code, error } = source.row
  const cause = source instanceof Run ? providerProblem(source.failure) : null
  const wait = code === 'provider_rate_limited' && { 'retry-after': '1' }
  const headers = cause instanceof Problem ? cause.headers : { ...wait }
  const more = { headers, ...(details && { details }) }
  return new Problem((code ?? 'internal_error') as ErrorCode, error ?? 'The reply failed.', more)
}

import { CliError, UsageError } from './failures.ts'
import type { Session } from './session.ts'

const hints: Record<string, string> = {
  connection_failed:
    'Start the service with "parley serve" in its checkout, or name another with --url or PARLEY_URL. "parley doctor" finds out more.',
  unauthenticated: 'Pass a token: PARLEY_TOKEN, or "parley login" to save one.',
  invalid_token: 'The token is unknown, revoked or expired. Pass another: PARLEY_TOKEN, or "parley login".',
  forbidden: 'Use a token with a higher role: "parley token create --role editor", with the token of an admin.',
  not_found: 'List what exists, such as "parley agents list", and check the workspace of the token.',
  rate_limited: 'Wait, or give the token a higher rate_limit.',
  egress_blocked: 'Add the host to EGRESS_ALLOW of the service, if it may be reached.',
  price_unknown: 'Set the price of the model in the console under Models; 0 if it is free.',
  budget_exceeded: 'Raise or remove the threshold in the console under Usage.',
  unexpected_response: 'Check the URL: something other than Parley answers there.',
}

/** Advice for an error code of the API, or null. */
export const hintFor = (code: string): string | null => (Object.hasOwn(hints, code) ? (hints[code] ?? null) : null)

interface Problem {
  code: string
  message: string
  details?: { path: string; message: string }[]
  hint: string | null
  request_id?: string | null
}

/** The parts of an error that people need. Null: an error of the program itself. */
function toProblem(error: unknown): Problem | null {
  if (error instanceof UsageError) return { code: 'usage', message: error.message, hint: null }
  if (error instanceof CliError) return { code: 'failed', message: error.message, hint: error.hint }
  if (!(error instanceof Error)) return null
  // Not by class: the client is loaded only by commands that use it.
  if (error.name === 'ParleyError') {
    const { code, message, details, requestId } = error as Error & {
      code: string
      details: { path: string; message: string }[]
      requestId: string | null
    }
    return { code, message, details, hint: hintFor(code), request_id: requestId }
  }
  if (error.constructor.name === 'ConfigError') return { code: 'invalid_setting', message: error.message, hint: null }
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && syscall !== undefined) return { code, message: error.message, hint: null }
  return null
}

/** The lines and the exit code of wrong usage. */
export interface Usage {
  text: string
  code: number
}

/** Prints an error and returns the exit code. */
export function reportError({ err, isJson }: Session, error: unknown, usage: Usage): number {
  const problem = toProblem(error)
  if (problem === null) {
    err.line(`${err.paint('red', 'Error:')} ${(error as Error)?.stack ?? error}`)
    return 1
  }
  const isUsage = error instanceof UsageError
  if (isJson) err.json({ error: problem })
  else {
    const suffix = ['usage', 'failed', 'invalid_setting'].includes(problem.code)
      ? ''
      : err.paint('dim', ` (${problem.code})`)
    err.line(`${err.paint('red', 'Error:')} ${problem.message}${suffix}`)
    for (const { path, message } of problem.details ?? []) err.line(`  ${path === '' ? '' : `${path}: `}${message}`)
    if (problem.hint) err.line(`${err.paint('bold', 'What to do:')} ${problem.hint}`)
    if (problem.request_id) err.line(err.paint('dim', `Request: ${problem.request_id}`))
    if (isUsage) err.line(usage.text)
  }
  return isUsage ? usage.code : 1
}

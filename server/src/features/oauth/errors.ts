import { Type } from 'typebox'
import { Problem } from '../../kernel/errors.ts'
import type { ErrorFormat } from '../../kernel/http/error-format.ts'

type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

/** An error with a code of OAuth (RFC 6749, RFC 7591, RFC 8707). */
export class OAuthProblem extends Problem {
  readonly error: Code

  constructor(error: Code, message: string) {
    super('invalid_request', message)
    this.error = error
  }
}

/** The error as a client of OAuth reads it. */
export const oauthErrors: ErrorFormat = {
  path: '/oauth',
  name: 'OAuthError',
  schema: Type.Object({ error: Type.String(), error_description: Type.String() }, { title: 'OAuthError' }),
  body: (problem) => ({ error: errorCode(problem), error_description: problem.message }),
}

function errorCode(problem: Problem): string {
  if (problem instanceof OAuthProblem) return problem.error
  if (problem.status >= 500 || problem.status === 429) return 'temporarily_unavailable'
  return 'invalid_request'
}

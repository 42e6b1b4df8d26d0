import { Type } from 'typebox'
import { errorCatalogue, type Problem } from '../../kernel/errors.ts'
import type { ErrorFormat } from '../../kernel/http/error-format.ts'
import { commonFields, shortMessage, shortPath } from '../../kernel/http/errors.ts'
import { Choice, Nullable } from '../../kernel/schema.ts'

const codes = Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[]
const types = [
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'not_found_error',
  'rate_limit_error',
  'api_error',
] as const

const OpenAiError = Type.Object(
  {
    error: Type.Object({
      message: Type.String({ description: 'The error in words: the cause and the remedy.' }),
      type: Choice(types),
      param: Nullable(Type.String({ description: 'The invalid field, if there is one.' })),
      code: Choice(codes),
    }),
    success: Type.Boolean({ const: false }),
    code: Choice(codes),
    request_id: Type.String(),
    details: Type.Optional(Type.Array(Type.Object({ path: Type.String(), message: Type.String() }))),
  },
  { title: 'OpenAiError' },
)

const typesByStatus: Record<number, (typeof types)[number]> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** The error format of OpenAI's API. */
export const openaiError = ({ status, code, message, details: [first] = [] }: Problem) => ({
  message: shortMessage(message),
  type: status >= 500 ? 'api_error' : (typesByStatus[status] ?? 'invalid_request_error'),
  param: first ? shortPath(first.path) : null,
  code,
})

export const openaiErrors: ErrorFormat = {
  path: '/api/openai/v1',
  name: 'OpenAiError',
  schema: OpenAiError,
  body: (problem, requestId) => ({
    error: openaiError(problem),
    success: false,
    ...commonFields(problem, requestId),
  }),
}

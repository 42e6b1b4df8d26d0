import type { ErrorObject } from 'ajv'
import { type Detail, Problem } from '../errors.ts'

const maxDetails = 50
const maxPathLength = 1000

/** Ajv's errors as a problem for the caller. */
export function validationProblem(errors: ErrorObject[], context = 'body'): Problem {
  const details: Detail[] = []
  for (const error of errors) {
    const detail = describe(error, context)
    if (!details.some((other) => other.path === detail.path && other.message === detail.message)) details.push(detail)
    if (details.length === maxDetails) break
  }
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : ''
  return new Problem(
    'invalid_request',
    first ? `${first.path}: ${first.message}${more}` : 'The request is not valid.',
    { details },
  )
}

function describe(error: ErrorObject, context: string): Detail {
  const noun = context === 'querystring' ? 'parameter' : 'field'
  const at = error.instancePath
    .slice(1, maxPathLength)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
  const inside = (name: string) => (at ? `${at}.${name}` : name)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: inside(error.params.additionalProperty), message: `is not a known ${noun}` }
    case 'required':
      return { path: inside(error.params.missingProperty), message: 'is required' }
    case 'enum': {
      const values = (error.params.allowedValues as unknown[]).filter((value) => value !== null)
      return { path: at || context, message: `must be one of ${values.join(', ')}` }
    }
    case 'type': {
      const types = [error.params.type].flat().join(' or ')
      return { path: at || context, message: at || context !== 'body' ? `must be ${types}` : 'must be a JSON object' }
    }
    case 'pattern':
      return {
        path: at || context,
        message:
          (error.parentSchema as { patternMessage?: string })?.patternMessage ?? `must match ${error.params.pattern}`,
      }
    case 'minimum':
      return { path: at || context, message: `must be at least ${error.params.limit}` }
    case 'maximum':
      return { path: at || context, message: `must be at most ${error.params.limit}` }
    default:
      return {
        path: at || context,
        message: asksForContent(error)
          ? 'must not be empty'
          : (error.message ?? 'is not valid').replace('must NOT have', 'must not have'),
      }
  }
}

const asksForContent = ({ keyword, params }: ErrorObject): boolean =>
  (keyword === 'minLength' || keyword === 'minItems') && params.limit === 1

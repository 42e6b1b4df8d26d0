import { Type } from 'typebox'
import { invalid, reason } from '../../../kernel/errors.ts'
import { longestMatch } from './matcher.ts'
import { CaseError, nothingExpected, quoted, scorerKind, yesOrNo } from './scorer.ts'

/** After this many the pattern is not tried on further cases of the run. */
const mostTooSlow = 3

export const regex = scorerKind({
  config: Type.Object(
    {
      pattern: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: 'A JavaScript regular expression; left out: the expected output is the pattern.',
        }),
      ),
      flags: Type.String({
        default: '',
        pattern: '^[imsu]*$',
        maxLength: 4,
        description: 'Any of `i`, `m`, `s`, `u`.',
      }),
    },
    { additionalProperties: false },
  ),
  usualThreshold: () => 1,
  check({ pattern, flags }, { path }) {
    if (pattern !== undefined) refuseBadPattern(`${path}.pattern`, pattern, flags)
    return undefined
  },
  async score({ pattern, flags }, { output, expected }, { ctx, slowPatterns }) {
    const wanted = pattern ?? expected
    if (wanted === null || wanted === '') return nothingExpected
    const known = `${flags} ${wanted}`
    const slow = slowPatterns.get(known) ?? 0
    if (slow >= mostTooSlow) throw new CaseError('The pattern took too long on other cases and was not tried again.')
    if (!isPattern(wanted, flags)) throw new CaseError(`The pattern ${quoted(wanted)} is not a regular expression.`)
    const found = await ctx.state.evaluations.matcher.test({ pattern: wanted, flags, text: output })
    if (found === null) {
      slowPatterns.set(known, slow + 1)
      throw new CaseError(`The pattern took longer than ${longestMatch} ms on this answer and was stopped.`)
    }
    return yesOrNo(found, `The answer ${quoted(output)} does not match.`)
  },
})

export function refuseBadPattern(path: string, pattern: string, flags: string): void {
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    invalid(path, `is not a regular expression (${reason(error)})`)
  }
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

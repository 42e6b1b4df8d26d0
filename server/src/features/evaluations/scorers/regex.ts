import { createThread, type Thread, ThreadError } from '@parley/threads'
import { Type } from 'typebox'
import { invalid, reason } from '../../../kernel/errors.ts'
import { second } from '../../../kernel/time.ts'
import type { RegexMethods } from './regex-worker.ts'
import { CaseError, nothingExpected, passOrFail, quoted, scorerKind } from './scorer.ts'

const timeoutMs = second
/** After this many timeouts a pattern is not tried on further cases of the run. */
const maxTimeouts = 3

/** JavaScript patterns can backtrack for hours. A match that takes too long is stopped together with its thread. */
export const createMatcher = (): Thread<RegexMethods> =>
  createThread<RegexMethods>(new URL('./regex-worker.ts', import.meta.url), {
    name: 'regex',
    exclusive: true,
    isolated: true,
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })

export const regex = scorerKind({
  config: Type.Object(
    {
      pattern: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: 'A JavaScript regular expression. Default: the expected output.',
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
  defaultThreshold: () => 1,
  needsExpected: ({ pattern }) => pattern === undefined,
  check({ pattern, flags }, { path }) {
    if (pattern !== undefined) rejectBadPattern(`${path}.pattern`, pattern, flags)
    return undefined
  },
  async score({ pattern, flags }, { output, expected }, { ctx, slowPatterns }) {
    const wanted = pattern ?? expected
    if (wanted === null || wanted === '') return nothingExpected
    const key = `${flags} ${wanted}`
    const timeouts = slowPatterns.get(key) ?? 0
    if (timeouts >= maxTimeouts)
      throw new CaseError('The pattern took too long on other cases and was not tried again.')
    if (!isPattern(wanted, flags)) throw new CaseError(`The pattern ${quoted(wanted)} is not a regular expression.`)
    try {
      const matched = await ctx.state.evaluations.matcher.call('test', [wanted, flags, output], { timeoutMs })
      return passOrFail(matched, `The answer ${quoted(output)} does not match.`)
    } catch (error) {
      if (!(error instanceof ThreadError && error.code === 'timeout')) throw error
      slowPatterns.set(key, timeouts + 1)
      throw new CaseError(`The pattern took longer than ${timeoutMs} ms on this answer and was stopped.`)
    }
  },
})

export function rejectBadPattern(path: string, pattern: string, flags: string): void {
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

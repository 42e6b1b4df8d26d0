import { Type } from 'typebox'
import { Choice } from '../../../kernel/schema.ts'
import { type Mark, nothingExpected, passOrFail, quoted, scorerKind } from './scorer.ts'

const Flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description })

const settings = {
  ignore_case: Flag(false, 'Ignore upper and lower case.'),
  ignore_whitespace: Flag(false, 'Treat consecutive white space as one space.'),
}

interface Normalization {
  ignore_case: boolean
  ignore_whitespace: boolean
}

function normalize(text: string, { ignore_case, ignore_whitespace }: Normalization): string {
  const spaced = ignore_whitespace ? text.replace(/\s+/g, ' ').trim() : text
  return ignore_case ? spaced.toLowerCase() : spaced
}

export const exactMatch = scorerKind({
  config: Type.Object(
    { ...settings, trim: Flag(true, 'Ignore white space at both ends.') },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  needsExpected: () => true,
  score(config, { output, expected }) {
    if (expected === null) return nothingExpected
    const [actual, wanted] = [output, expected].map((text) => normalize(config.trim ? text.trim() : text, config))
    return passOrFail(actual === wanted, `The answer is ${quoted(output)}, not ${quoted(expected)}.`)
  },
})

export const contains = scorerKind({
  config: Type.Object(
    {
      ...settings,
      values: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 10_000 }), {
          minItems: 1,
          maxItems: 100,
          description: 'Texts that the answer must contain. Default: the expected output.',
        }),
      ),
      mode: Choice(['all', 'any'], { default: 'all', description: 'Whether all values are required, or any.' }),
    },
    { additionalProperties: false },
  ),
  defaultThreshold: () => 1,
  needsExpected: ({ values }) => values === undefined,
  score(config, { output, expected }): Mark {
    const values = config.values ?? (expected === null ? [] : [expected])
    if (values.length === 0) return nothingExpected
    const actual = normalize(output, config)
    const missing = values.filter((value) => !actual.includes(normalize(value, config)))
    const reason = `The answer does not contain ${missing.slice(0, 5).map(quoted).join(', ')}.`
    if (config.mode === 'any') return passOrFail(missing.length < values.length, reason)
    return missing.length === 0 ? { score: 1 } : { score: 1 - missing.length / values.length, reason }
  },
})

import { Type } from 'typebox'
import { Choice } from '../../../kernel/schema.ts'
import { type Mark, nothingExpected, quoted, scorerKind, yesOrNo } from './scorer.ts'

const Flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description })

const settings = {
  ignore_case: Flag(false, 'Treat large and small letters alike.'),
  ignore_whitespace: Flag(false, 'Treat every run of white space as one space.'),
}

interface Reading {
  ignore_case: boolean
  ignore_whitespace: boolean
}

function read(text: string, { ignore_case, ignore_whitespace }: Reading): string {
  const spaced = ignore_whitespace ? text.replace(/\s+/g, ' ').trim() : text
  return ignore_case ? spaced.toLowerCase() : spaced
}

export const exactMatch = scorerKind({
  config: Type.Object(
    { ...settings, trim: Flag(true, 'Leave out white space at both ends.') },
    { additionalProperties: false },
  ),
  usualThreshold: () => 1,
  score(config, { output, expected }) {
    if (expected === null) return nothingExpected
    const [said, wanted] = [output, expected].map((text) => read(config.trim ? text.trim() : text, config))
    return yesOrNo(said === wanted, `The answer is ${quoted(output)}, not ${quoted(expected)}.`)
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
          description: 'What has to be in the answer; left out: the expected output.',
        }),
      ),
      mode: Choice(['all', 'any'], { default: 'all', description: 'Whether every value has to be there, or one.' }),
    },
    { additionalProperties: false },
  ),
  usualThreshold: () => 1,
  score(config, { output, expected }): Mark {
    const values = config.values ?? (expected === null ? [] : [expected])
    if (values.length === 0) return nothingExpected
    const said = read(output, config)
    const missing = values.filter((value) => !said.includes(read(value, config)))
    const reason = `The answer does not contain ${missing.slice(0, 5).map(quoted).join(', ')}.`
    if (config.mode === 'any') return yesOrNo(missing.length < values.length, reason)
    return missing.length === 0 ? { score: 1 } : { score: 1 - missing.length / values.length, reason }
  },
})

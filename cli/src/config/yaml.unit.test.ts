import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CliError } from '../failures.ts'
import { documentText } from './document.ts'
import { parseYaml } from './yaml.ts'

/** Text that YAML could take for something else. */
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('\n', ' ', '-', ':', '#', '"', "'", '{{a}}', '|', '>', '\t', '\r', 'x', '\u2028', '\u0085'),
    maxLength: 20,
  }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '0x1f',
    '1e3',
    '2024-01-01',
    '<<',
    '*x',
    '&x',
    '!t',
    '%d',
    '---',
    '...',
    '1_000',
    '\uFEFF',
  ),
)
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    awkward,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(awkward, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

it('reads back text that ends with empty lines, before another resource', () => {
  for (const field of ['\n', '\n\n', ' \n', 'a\n\n', 'a\n', '\nx', ' x\ny', 'x\n  ']) {
    const text = documentText([['agents', [{ name: 'A', field }, { name: 'B' }]]], [])
    expect(parseYaml(text, 'x').value).toEqual({ parley: 1, agents: [{ name: 'A', field }, { name: 'B' }] })
  }
})

it('reads back what it writes', () => {
  fc.assert(
    fc.property(awkward, value, awkward, (name, field, comment) => {
      const text = documentText([['agents', [{ name, field }, { name }]]], [comment])
      expect(parseYaml(text, 'x').value).toEqual({ parley: 1, agents: [{ name, field }, { name }] })
    }),
    { numRuns: 300 },
  )
})

it('refuses hostile files quickly, and never fails otherwise', () => {
  const laughs = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...[...'bcdefghi'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[at]}`)}]`),
  ]
  expect(() => parseYaml(laughs.join('\n'), 'x')).toThrow(/Anchors and aliases/)
  expect(() => parseYaml(laughs.join('\n'), 'x', { allowAliases: true })).toThrow(/alias/)
  expect(() => parseYaml('{'.repeat(20_000), 'x')).toThrow(CliError)
  expect(parseYaml('__proto__: {polluted: 1}', 'x').value).not.toHaveProperty('polluted')
  expect({}).not.toHaveProperty('polluted')
  const token = fc.constantFrom(
    'a',
    ': ',
    '- ',
    '\n',
    '\n  ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '"',
    "'",
    '|',
    '>',
    '&a ',
    '*a',
    '!!x ',
    '? ',
    '#',
    '%',
    '\t',
    '0',
    '<<',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
      try {
        parseYaml(tokens.join(''), 'x').locate(['a', 0, 'b'])
      } catch (error) {
        expect(error).toBeInstanceOf(CliError)
      }
    }),
    { numRuns: 500 },
  )
})

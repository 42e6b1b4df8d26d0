import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyCharacter } from '../../../../../test/any-character.ts'
import { Problem } from '../../../kernel/errors.ts'
import { csvCell } from '../results/export.ts'
import { readCases } from './read-file.ts'

const text = fc.string({ unit: anyCharacter, maxLength: 40 }).filter((value) => !value.includes('\0'))
const testCase = fc.record({
  input: text.filter((value) => value !== ''),
  expected_output: fc.option(text.filter((value) => value !== '')),
  metadata: fc.dictionary(
    fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__'),
    text,
    { maxKeys: 3 },
  ),
})

const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`

it('JSON Lines are read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(testCase, { minLength: 1, maxLength: 10 }), async (cases) => {
      const content = cases.map((each) => JSON.stringify(each)).join('\n')
      expect(await readCases('jsonl', content)).toEqual(cases)
    }),
  )
})

it('CSV is read back unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(testCase, { minLength: 1, maxLength: 10 }), async (cases) => {
      const rows = cases.map(({ input, expected_output, metadata }) =>
        [input, expected_output ?? '', JSON.stringify(metadata)].map(quote).join(','),
      )
      expect(await readCases('csv', `input,expected_output,metadata\n${rows.join('\n')}\n`)).toEqual(cases)
    }),
  )
})

it('invalid text only causes invalid_request errors', async () => {
  const almost = fc.array(
    fc.constantFrom(
      'input',
      'expected_output',
      'metadata',
      ',',
      ';',
      '\t',
      '"',
      '\n',
      '\r',
      '{',
      '}',
      '[',
      ':',
      '\0',
      '\ufeff',
      'x',
      ' ',
      '\ud800',
      '=',
    ),
    { maxLength: 60 },
  )
  const anyText = fc.oneof(
    fc.string({ unit: anyCharacter }),
    almost.map((parts) => parts.join('')),
    almost.map((parts) => `input,a\n${parts.join('')}`),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('csv' as const, 'jsonl' as const), anyText, async (format, content) => {
      try {
        const cases = await readCases(format, content)
        for (const { input } of cases) expect(input).not.toBe('')
      } catch (error) {
        expect(error).toBeInstanceOf(Problem)
      }
    }),
    { numRuns: 1000 },
  )
})

it('no exported cell starts like a formula', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.constantFrom('=', '+', '-', '@', '\t', '\r').chain((mark) => text.map((rest) => mark + rest)),
      ),
      (value) => {
        const cell = csvCell(value)
        const shown = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
        expect(/^[=+\-@\t\r]/.test(shown)).toBe(false)
        expect(shown.replace(/^'/, '')).toBe(value.replace(/^'/, ''))
      },
    ),
  )
})

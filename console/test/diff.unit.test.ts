import { expect, it } from 'vitest'
import { diffLines } from '../src/ui/diff-lines.ts'

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`)

it('keeps what stayed and marks what went and what came', () => {
  expect(shown('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
  expect(shown('', 'a')).toEqual(['-', '+a'])
  expect(shown('same', 'same')).toEqual([' same'])
})

it('does not work itself to death over what is too long to compare', () => {
  const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join('\n')
  expect(diffLines(long, `${long}\nmore`)).toHaveLength(6001)
})

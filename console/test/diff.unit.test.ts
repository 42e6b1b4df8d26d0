import { expect, it } from 'vitest'
import { diffLines } from '../src/ui/diff-lines.ts'

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`)

it('marks removed and added lines', () => {
  expect(shown('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
  expect(shown('', 'a')).toEqual(['-', '+a'])
  expect(shown('same', 'same')).toEqual([' same'])
})

it('does not compare texts that are too long', () => {
  const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join('\n')
  expect(diffLines(long, `${long}\nmore`)).toHaveLength(6001)
})

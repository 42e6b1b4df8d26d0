import { expect, it } from 'vitest'
import { diffLines, diffWords } from '../src/ui/diff-lines.ts'

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

it('marks removed and added words, without the punctuation beside them', () => {
  const parts = diffWords('About refunds and tea.', 'About refunds, delivery and tea.')
  const added = parts.filter(({ kind }) => kind === 'added').map(({ text }) => text)
  expect(added.join('').replace(/\s/g, '')).toBe(',delivery')
  expect(parts.some(({ kind }) => kind === 'removed')).toBe(false)
})

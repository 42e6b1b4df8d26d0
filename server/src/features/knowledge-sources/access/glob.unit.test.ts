import { matchesGlob as reference } from 'node:path/posix'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesGlob as matches } from './glob.ts'

it('matches within a folder, across folders and single characters', () => {
  const cases: [pattern: string, path: string, expected: boolean][] = [
    ['hr/**', 'hr/a.pdf', true],
    ['hr/**', 'hr/2026/a.pdf', true],
    ['hr/**', 'other/hr/a.pdf', false],
    ['**/hr/**', 'a/hr/b', true],
    ['**/hr/**', 'hr/b', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['a/**/b', 'a/xb', false],
    ['*.pdf', 'a.pdf', true],
    ['*.pdf', 'x/a.pdf', false],
    ['**.pdf', 'x/a.pdf', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['a[b].txt', 'a[b].txt', true],
    ['', '', true],
    ['*', '', true],
    ['a', 'A', false],
  ]
  for (const [pattern, path, expected] of cases)
    expect([pattern, path, matches(path, pattern)]).toEqual([pattern, path, expected])
})

it('matches patterns without backtracking', () => {
  // Backtracking over 200 stars would never end.
  expect(matches('a'.repeat(2000), `${'*a'.repeat(200)}b`)).toBe(false)
})

it('agrees with the rule of shells for stars within folders', () => {
  const names = fc.stringMatching(/^[ab]{1,3}(\/[ab]{1,3}){0,2}$/)
  const patterns = fc.stringMatching(/^[ab*?]{1,4}(\/[ab*?]{1,4}){0,2}$/).filter((pattern) => !pattern.includes('**'))
  fc.assert(
    fc.property(names, patterns, (path, pattern) => {
      expect(matches(path, pattern)).toBe(reference(path, pattern))
    }),
  )
})

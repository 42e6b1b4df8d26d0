import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TopPassages } from './top-passages.ts'

it('keeps the highest scores above zero', () => {
  const scores = fc.array(fc.integer({ min: -3, max: 1000 }).map((score) => score / 10))
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 12 }), (values, limit) => {
      const top = new TopPassages(limit)
      for (const [passage, score] of values.entries()) top.offer(passage, score)
      const descending = (one: number, other: number) => other - one
      const expected = values
        .filter((score) => score > 0)
        .sort(descending)
        .slice(0, limit)
      expect(Array.from(top.passages, (passage) => values[passage] as number).sort(descending)).toEqual(expected)
    }),
  )
})

it('prefers the passages that came first among equal scores', () => {
  const top = new TopPassages(3)
  for (const passage of [4, 1, 9, 2]) top.offer(passage, 1)
  expect([...top.passages].sort()).toEqual([1, 4, 9])
})

it('ignores scores that are not numbers', () => {
  const top = new TopPassages(2)
  for (const [passage, score] of [Number.NaN, 1, Number.NaN].entries()) top.offer(passage, score)
  expect([...top.passages]).toEqual([1])
})

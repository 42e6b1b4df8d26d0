import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Best, byScore } from './best.ts'

describe('the best', () => {
  it('are what sorting gives, without what scores nothing', () => {
    const scores = fc.array(fc.integer({ min: -3, max: 1000 }).map((score) => score / 10))
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 12 }), (given, most) => {
        const best = new Best(most)
        for (const [passage, score] of given.entries()) best.offer(passage, score)
        const expected = given
          .map((score, passage) => ({ passage, score }))
          .filter(({ score }) => score > 0)
          .sort(byScore)
          .slice(0, most)
        const kept = Array.from(best.passages, (passage) => given[passage] as number)
        expect(kept.sort((one, other) => other - one)).toEqual(expected.map(({ score }) => score))
        expect(best.highest).toBe(expected[0]?.score ?? 0)
      }),
    )
  })

  it('are those that came first where they are level', () => {
    const best = new Best(3)
    for (const passage of [4, 1, 9, 2]) best.offer(passage, 1)
    expect([...best.passages].sort()).toEqual([1, 4, 9])
  })
})

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
        expect(best.sorted().map(({ score }) => score)).toEqual(expected.map(({ score }) => score))
      }),
    )
  })

  it('are in the order in which they came where they are level', () => {
    const best = new Best(3)
    for (const passage of [4, 1, 9]) best.offer(passage, 1)
    expect(best.sorted().map(({ passage }) => passage)).toEqual([1, 4, 9])
  })
})

import { describe, expect, it } from 'vitest'
import { createStaticModel } from './static.ts'

const { embed } = createStaticModel()

function cosine(one: string, other: string): number {
  const [a, b] = [embed(one), embed(other)]
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}

describe('the static model', () => {
  it('gives vectors of length one', () => {
    const vector = embed('Parental leave is sixteen weeks.')
    expect(vector.length).toBe(256)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  it('puts texts of the same meaning near each other', () => {
    const near = cosine('How long is parental leave?', 'New mothers and fathers get sixteen weeks off.')
    const far = cosine('How long is parental leave?', 'The pump must be primed before it is started.')
    expect(near).toBeGreaterThan(far + 0.2)
  })

  it('gives zeros, not nonsense, where there is nothing to read', () => {
    for (const empty of ['', '   ', '\u0000\u200b']) expect(embed(empty).every((value) => value === 0)).toBe(true)
  })

  it('reads the first 256 tokens', () => {
    const beginning = 'water '.repeat(256)
    expect(embed(`${beginning} volcano eruption`)).toEqual(embed(beginning))
    expect(embed(`volcano eruption ${beginning}`)).not.toEqual(embed(beginning))
  })
})

import { describe, expect, it } from 'vitest'
import { createStaticModel } from './static-model.ts'

const { embed } = createStaticModel()

function cosine(one: string, other: string): number {
  const [a, b] = [embed(one), embed(other)]
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)
}

describe('the static model', () => {
  it('returns vectors of length 1', () => {
    const vector = embed('Parental leave is sixteen weeks.')
    expect(vector.length).toBe(256)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  })

  it('places texts with the same meaning close to each other', () => {
    const near = cosine('How long is parental leave?', 'New mothers and fathers get sixteen weeks off.')
    const far = cosine('How long is parental leave?', 'The pump must be primed before it is started.')
    expect(near).toBeGreaterThan(far + 0.2)
  })

  it('returns zeros for a text without tokens', () => {
    for (const empty of ['', '   ', '\u0000\u200b']) expect(embed(empty).every((value) => value === 0)).toBe(true)
  })

  it('reads only the first 256 tokens', () => {
    const beginning = 'water '.repeat(256)
    expect(embed(`${beginning} volcano eruption`)).toEqual(embed(beginning))
    expect(embed(`volcano eruption ${beginning}`)).not.toEqual(embed(beginning))
  })
})

import { describe, expect, it } from 'vitest'
import { miniLmModel } from './models.ts'
import { createPooling, splitIntoWindows } from './pooling.ts'

describe('windows', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [254, [254]],
    [255, [128, 127]],
    [600, [200, 200, 200]],
  ])('of %i tokens have equal lengths of at most 254', (count, lengths) => {
    expect(splitIntoWindows(new Uint16Array(count)).map(({ length }) => length)).toEqual(lengths)
  })
})

describe('pooling', () => {
  /** A model that gives each token of the k-th window the k-th unit vector. */
  function fakeModel() {
    const windows: number[][] = []
    const embed = createPooling(async (tokens) => {
      const vectors = new Float32Array(tokens.length * miniLmModel.dimensions)
      for (let at = 0; at < tokens.length; at++) vectors[at * miniLmModel.dimensions + windows.length] = 1
      windows.push([...tokens])
      return vectors
    })
    return { windows, embed }
  }

  it('adds the start and end tokens that the model was trained with', async () => {
    const { windows, embed } = fakeModel()
    await embed('Hello, world!')
    expect(windows).toEqual([[101, 7592, 1010, 2088, 999, 102]])
  })

  it('weighs the windows of a long text by their lengths', async () => {
    const { windows, embed } = fakeModel()
    const vector = await embed('water '.repeat(255))
    expect(windows.map(({ length }) => length)).toEqual([130, 129])
    const length = Math.hypot(130, 129)
    expect([vector[0], vector[1]]).toEqual([expect.closeTo(130 / length, 5), expect.closeTo(129 / length, 5)])
  })

  it('reads at most 32 windows', async () => {
    const { windows, embed } = fakeModel()
    await embed('water '.repeat(20_000))
    expect(windows.length).toBe(32)
  })

  it('embeds an empty text', async () => {
    const { windows, embed } = fakeModel()
    expect(Math.hypot(...(await embed('')))).toBeCloseTo(1)
    expect(windows).toEqual([[101, 102]])
  })
})

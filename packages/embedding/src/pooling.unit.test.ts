import { describe, expect, it } from 'vitest'
import { miniLmModel } from './models.ts'
import { createPooling, type Runtime, windowsOf } from './pooling.ts'

const { dimensions } = miniLmModel

describe('windows', () => {
  it.each([
    [0, [0]],
    [1, [1]],
    [254, [254]],
    [255, [128, 127]],
    [600, [200, 200, 200]],
  ])('of %i tokens are even and at most 254 long', (count, lengths) => {
    expect(windowsOf(new Uint16Array(count)).map(({ length }) => length)).toEqual(lengths)
  })
})

describe('pooling', () => {
  /** A model that answers the k-th row with vectors along the k-th axis. */
  const axes = () => {
    const rows: number[][] = []
    const run: Runtime['run'] = async (given) =>
      given.map((tokens) => {
        const sum = new Float32Array(dimensions)
        sum[rows.length] = tokens.length
        rows.push([...tokens])
        return sum
      })
    const embed = createPooling(run)
    return { rows, embed: async (text: string) => (await embed([text]))[0] as Float32Array, embedAll: embed }
  }

  it('frames the tokens as the model was trained', async () => {
    const { rows, embed } = axes()
    await embed('Hello, world!')
    expect(rows).toEqual([[101, 7592, 1010, 2088, 999, 102]])
  })

  it('weighs the windows of a long text by their lengths', async () => {
    const { rows, embed } = axes()
    const vector = await embed('water '.repeat(255))
    expect(rows.map(({ length }) => length)).toEqual([130, 129])
    const length = Math.hypot(130, 129)
    expect([vector[0], vector[1]]).toEqual([expect.closeTo(130 / length, 5), expect.closeTo(129 / length, 5)])
  })

  it('gives each of several texts its own', async () => {
    const { rows, embedAll } = axes()
    const vectors = await embedAll(['One.', 'water '.repeat(255), 'Three.'])
    expect(rows.map(({ length }) => length)).toEqual([4, 130, 129, 4])
    expect(vectors.map((vector) => vector.findIndex((value) => value > 0))).toEqual([0, 1, 3])
  })

  it('reads no more than 32 windows', async () => {
    const { rows, embed } = axes()
    await embed('water '.repeat(20_000))
    expect(rows.length).toBe(32)
  })

  it('embeds an empty text too', async () => {
    const { rows, embed } = axes()
    expect(Math.hypot(...(await embed('')))).toBeCloseTo(1)
    expect(rows).toEqual([[101, 102]])
  })
})

import { describe, expect, it } from 'vitest'
import { miniLmModel } from './models.ts'
import { createPooling, type Run, windowsOf } from './pooling.ts'

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
  /** A model that answers the k-th run with vectors along the k-th axis. */
  const axes = () => {
    const runs: number[][] = []
    const run: Run = async (tokens) => {
      const hidden = new Float32Array(tokens.length * dimensions)
      for (let at = 0; at < tokens.length; at++) hidden[at * dimensions + runs.length] = 1
      runs.push([...tokens].map(Number))
      return hidden
    }
    return { runs, embed: createPooling(run) }
  }

  it('frames the tokens as the model was trained', async () => {
    const { runs, embed } = axes()
    await embed('Hello, world!')
    expect(runs).toEqual([[101, 7592, 1010, 2088, 999, 102]])
  })

  it('weighs the windows of a long text by their lengths', async () => {
    const { runs, embed } = axes()
    const vector = await embed('water '.repeat(255))
    expect(runs.map(({ length }) => length)).toEqual([130, 129])
    const length = Math.hypot(130, 129)
    expect([vector[0], vector[1]]).toEqual([expect.closeTo(130 / length, 5), expect.closeTo(129 / length, 5)])
  })

  it('reads no more than 32 windows', async () => {
    const { runs, embed } = axes()
    await embed('water '.repeat(20_000))
    expect(runs.length).toBe(32)
  })

  it('embeds an empty text too', async () => {
    const { runs, embed } = axes()
    expect(Math.hypot(...(await embed('')))).toBeCloseTo(1)
    expect(runs).toEqual([[101, 102]])
  })
})

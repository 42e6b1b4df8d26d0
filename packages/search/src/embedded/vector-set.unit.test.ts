import { beforeEach, describe, expect, it } from 'vitest'
import { encodeVector } from '../vectors.ts'
import { allSet, bitmapFor, clearBit, setBit } from './bitmap.ts'
import { staticScan, VectorSet } from './vector-set.ts'

let state = 0
/** Each test draws the same numbers, in whatever order they run. */
beforeEach(() => {
  state = 7
})
const random = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
  return state / 2 ** 32 - 0.5
}
const vectors = (count: number, dimensions: number) =>
  Array.from({ length: count }, () => Float32Array.from({ length: dimensions }, random))

function cosine(one: Float32Array, other: Float32Array): number {
  let [dot, ones, others] = [0, 0, 0]
  for (const [at, value] of one.entries()) {
    dot += value * (other[at] as number)
    ones += value ** 2
    others += (other[at] as number) ** 2
  }
  return dot / Math.sqrt(ones * others)
}

function fill(count: number, dimensions: number, scan?: typeof staticScan) {
  const set = new VectorSet(dimensions, scan)
  const all = vectors(count, dimensions).map((vector) =>
    scan ? vector.map((value, at) => value / (1 + at / 4)) : vector,
  )
  for (const [passage, vector] of all.entries()) set.set(passage, encodeVector(vector))
  return { set, all }
}

describe('a set of vectors', () => {
  it.each([1, 100, 256, 384, 1000, 1536, 4096])('compares vectors of %i dimensions', (dimensions) => {
    const { set, all } = fill(20, dimensions)
    const [query] = vectors(1, dimensions) as [Float32Array]
    const encoded = set.encodeQuery(query)
    all.forEach((vector, passage) => {
      expect(set.cosine(encoded, passage)).toBeCloseTo(cosine(query, vector), 1)
    })
    expect(set.similarity(3, 4)).toBeCloseTo(cosine(all[3] as Float32Array, all[4] as Float32Array), 1)
    expect(set.similarity(3, 3)).toBeCloseTo(1, 2)
  })

  it.each([
    ['256 dimensions', 256, undefined],
    ['384 dimensions', 384, undefined],
    ['dimensions of which few count, spread', 256, staticScan],
  ])('finds the nearest of %s', (_, dimensions, scan) => {
    const { set, all } = fill(6000, dimensions, scan)
    let found = 0
    for (const target of [5, 777, 5999]) {
      const query = (all[target] as Float32Array).map((value) => value + 0.3 * random())
      const exact = all
        .map((vector, passage) => ({ passage, score: cosine(query, vector) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, 10)
      const nearest = set.nearest(set.encodeQuery(query), allSet(6000), 100)
      expect(nearest).toContain(target)
      expect(nearest.length).toBe(100)
      found += exact.filter(({ passage }) => nearest.includes(passage)).length
    }
    expect(found).toBeGreaterThanOrEqual(27)
  })

  it('finds only what is allowed, has a vector and is not removed', () => {
    const count = 5000
    const { set, all } = fill(count, 128)
    const query = all[1234] as Float32Array
    const search = (allowed: Uint32Array, limit: number) => set.nearest(set.encodeQuery(query), allowed, limit)
    expect(search(allSet(count), 1)).toEqual(Uint32Array.of(1234))
    const without = allSet(count)
    clearBit(without, 1234)
    expect(search(without, 10)).not.toContain(1234)
    const few = bitmapFor(count)
    for (const passage of [3, 1234, 4999]) setBit(few, passage)
    expect(search(few, 10).every((passage) => [3, 1234, 4999].includes(passage))).toBe(true)
    set.remove(1234)
    expect(search(allSet(count), 10)).not.toContain(1234)
    expect(set.count).toBe(count - 1)
  })

  it('searches an index of which only the first passages have vectors', () => {
    const { set, all } = fill(3000, 128)
    const nearest = set.nearest(set.encodeQuery(all[2999] as Float32Array), allSet(100_000), 10)
    expect(nearest).toContain(2999)
    expect(nearest.every((passage) => passage < 3000)).toBe(true)
  })

  it.each([
    ['zeros', () => 0],
    ['NaN', () => Number.NaN],
    ['infinite numbers', () => Number.POSITIVE_INFINITY],
  ])('treats a vector of %s as similar to nothing', (_, value) => {
    const { set, all } = fill(3, 16)
    set.set(1, encodeVector(new Float32Array(16).map(value)))
    expect(set.cosine(set.encodeQuery(all[0] as Float32Array), 1)).toBe(0)
  })
})

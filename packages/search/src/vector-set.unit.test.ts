import { describe, expect, it } from 'vitest'
import { bitmapFor, clearBit, setBit } from './bitmap.ts'
import { everyPassage } from './columns.ts'
import { Heap } from './heap.ts'
import { encodeVector, staticCoding, VectorSet } from './vector-set.ts'

let state = 7
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

function fill(count: number, dimensions: number, coding?: typeof staticCoding) {
  const set = new VectorSet(new Heap(), dimensions, coding)
  const all = vectors(count, dimensions).map((vector) =>
    coding ? vector.map((value, at) => value / (1 + at / 4)) : vector,
  )
  for (const [passage, vector] of all.entries()) set.set(passage, encodeVector(vector))
  return { set, all }
}

describe('a set of vectors', () => {
  it.each([1, 100, 256, 384, 1000, 1536, 4096])('compares vectors of %i dimensions', (dimensions) => {
    const { set, all } = fill(20, dimensions)
    const [query] = vectors(1, dimensions) as [Float32Array]
    set.withQuery(query, (given) => {
      const found = set.similarities(given, [...all.keys()])
      all.forEach((vector, passage) => {
        expect(found[passage]).toBeCloseTo(cosine(query, vector), 1)
      })
    })
    expect(set.between(3, 4)).toBeCloseTo(cosine(all[3] as Float32Array, all[4] as Float32Array), 1)
    expect(set.between(3, 3)).toBeCloseTo(1, 2)
  })

  it.each([
    ['256 dimensions', 256, undefined],
    ['384 dimensions', 384, undefined],
    ['dimensions of which few count, spread', 256, staticCoding],
  ])('finds the nearest of %s', (_, dimensions, coding) => {
    const { set, all } = fill(6000, dimensions, coding)
    let found = 0
    for (const target of [5, 777, 5999]) {
      const query = (all[target] as Float32Array).map((value) => value + 0.3 * random())
      const exact = all
        .map((vector, passage) => ({ passage, score: cosine(query, vector) }))
        .sort((one, other) => other.score - one.score)
        .slice(0, 10)
      const nearest = set.withQuery(query, (given) => set.nearest(given, everyPassage(6000), 100))
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
    const search = (allowed: Uint32Array, most: number) =>
      set.withQuery(query, (given) => set.nearest(given, allowed, most))
    expect(search(everyPassage(count), 1)).toEqual(Uint32Array.of(1234))
    const without = everyPassage(count)
    clearBit(without, 1234)
    expect(search(without, 10)).not.toContain(1234)
    const few = bitmapFor(count)
    for (const passage of [3, 1234, 4999]) setBit(few, passage)
    expect(search(few, 10).every((passage) => [3, 1234, 4999].includes(passage))).toBe(true)
    set.remove(1234)
    expect(search(everyPassage(count), 10)).not.toContain(1234)
    expect(set.count).toBe(count - 1)
  })

  it('searches an index of which only the first passages have vectors', () => {
    const { set, all } = fill(3000, 128)
    const nearest = set.withQuery(all[2999] as Float32Array, (given) => set.nearest(given, everyPassage(100_000), 10))
    expect(nearest).toContain(2999)
    expect(nearest.every((passage) => passage < 3000)).toBe(true)
  })

  it.each([
    ['zeros', () => 0],
    ['numbers that are none', () => Number.NaN],
    ['infinite numbers', () => Number.POSITIVE_INFINITY],
  ])('takes a vector of %s for one that is like nothing', (_, value) => {
    const { set, all } = fill(3, 16)
    set.set(1, encodeVector(new Float32Array(16).map(value)))
    set.withQuery(all[0] as Float32Array, (given) => expect(set.similarities(given, [1])[0]).toBe(0))
  })

  it('needs no more memory for searches of many sizes than for the largest', () => {
    const heap = new Heap()
    const set = new VectorSet(heap, 16)
    const all = vectors(2000, 16)
    for (const [passage, vector] of all.entries()) set.set(passage, encodeVector(vector))
    const compare = (count: number) =>
      set.withQuery(all[0] as Float32Array, (given) => set.similarities(given, [...all.keys()].slice(0, count)))
    compare(2000)
    const { length } = heap.bytes
    for (let count = 1; count <= 2000; count += 3) compare(count)
    expect(heap.bytes.length - length).toBeLessThan(65_536)
  })

  it('gives its memory back, and no more than that, where there was none left for another passage', () => {
    const [heap, full] = [new Heap(), new Error('No memory is left.')]
    const set = new VectorSet(heap, 256)
    const [vector] = vectors(1, 256) as [Float32Array]
    const allocate = heap.allocate.bind(heap)
    let left = Number.POSITIVE_INFINITY
    heap.allocate = (size) => {
      if (left-- <= 0) throw full
      return allocate(size)
    }
    for (let passage = 0; passage < 5000; passage++) {
      // Each time with a little more, until it is enough.
      for (let some = 0, isSet = false; !isSet; some++) {
        left = some
        try {
          set.set(passage, encodeVector(vector))
          isSet = true
        } catch (error) {
          expect(error).toBe(full)
        }
      }
    }
    left = Number.POSITIVE_INFINITY
    expect(set.withQuery(vector, (given) => set.nearest(given, everyPassage(5000), 10)).length).toBe(10)
    set.release()
    expect(heap.used).toBe(0)
  })

  it('gives its memory back', () => {
    const heap = new Heap()
    const set = new VectorSet(heap, 256)
    for (const [passage, vector] of vectors(1000, 256).entries()) set.set(passage, encodeVector(vector))
    set.withQuery(vectors(1, 256)[0] as Float32Array, (given) => set.nearest(given, everyPassage(1000), 10))
    expect(heap.used).toBeGreaterThan(0)
    set.release()
    expect(heap.used).toBe(0)
  })
})

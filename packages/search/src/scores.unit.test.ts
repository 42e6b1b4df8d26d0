import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bitmapFor, hasBit, setBit } from './bitmap.ts'
import { Heap } from './heap.ts'
import { Scores } from './scores.ts'

it('the best are the highest of those allowed, however many are level', () => {
  const few = fc.integer({ min: 0, max: 6 })
  const many = fc.float({ min: 0, max: 10, noNaN: true })
  const passages = fc.array(fc.record({ score: fc.oneof(few, many), isAllowed: fc.boolean() }), { maxLength: 300 })
  fc.assert(
    fc.property(passages, fc.boolean(), fc.integer({ min: 0, max: 40 }), (given, areAllAllowed, most) => {
      const heap = new Heap()
      const scores = new Scores(heap)
      const address = scores.cleared(given.length)
      const allowed = bitmapFor(given.length)
      given.forEach(({ score, isAllowed }, passage) => {
        new Float32Array(heap.bytes.buffer, address)[passage] = score
        if (isAllowed || areAllAllowed) setBit(allowed, passage)
      })
      const found = scores.best(allowed, most)
      const kept = [...found.passages]
      const expected = given
        .map(({ score }, passage) => (hasBit(allowed, passage) ? Math.fround(score) : 0))
        .filter((score) => score > 0)
        .sort((one, other) => other - one)
        .slice(0, most)
      expect(kept.every((passage) => hasBit(allowed, passage))).toBe(true)
      expect(new Set(kept).size).toBe(kept.length)
      expect([...scores.of(found.passages)].sort((one, other) => other - one)).toEqual(expected)
      expect(found.highest).toBe(expected[0] ?? 0)
    }),
  )
})

it('what lay in the memory before counts for nothing', () => {
  const heap = new Heap()
  const first = new Scores(heap)
  first.cleared(33)
  heap.bytes.fill(0xff, 16) // no number at all, as floats go
  first.release()
  const scores = new Scores(heap)
  new Float32Array(heap.bytes.buffer, scores.cleared(33))[32] = 1
  const allowed = bitmapFor(33)
  for (let passage = 0; passage < 33; passage++) setBit(allowed, passage)
  expect([...scores.best(allowed, 10).passages]).toEqual([32])
})

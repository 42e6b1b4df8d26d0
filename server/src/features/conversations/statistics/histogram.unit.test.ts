import BetterSqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { about } from '../../../../test/about.ts'
import { bucket, Histogram } from './histogram.ts'

const database = new BetterSqlite(':memory:')
const selectBucket = database.prepare<[number], number>(`select ${bucket('?')}`).pluck()

function percentiles(values: number[]) {
  return new Histogram(values.map((value) => `{"${selectBucket.get(value)}":1}`).join()).percentiles()
}

it('percentiles are at most 5 % off, and exact for a few milliseconds', () => {
  expect(percentiles([7])).toEqual({ p50: 7, p95: 7, p99: 7 })
  expect(new Histogram('{"7":2},{"7":-2}').percentiles()).toEqual(percentiles([]))
  expect(percentiles([])).toEqual({ p50: null, p95: null, p99: null })
  for (let value = 0; value < 12; value++) expect(percentiles([value]).p50).toBe(value)
  for (let value = 12; value < 1_000_000; value = Math.ceil(value * 1.013)) {
    const { p50 } = percentiles([value])
    expect(Math.abs(Number(p50) - value) / (value + 1)).toBeLessThan(0.052 + 0.5 / value)
  }
  const upTo200 = Array.from({ length: 200 }, (_, n) => 200 - n)
  expect(percentiles(upTo200)).toEqual({ p50: about(100), p95: about(190), p99: about(198) })
})

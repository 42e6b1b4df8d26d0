import { expect, it } from 'vitest'
import { periodsBetween } from './rollup.ts'

it('a date range uses whole months where possible', () => {
  expect(periodsBetween('2026-01-15', '2026-04-10')).toEqual([
    ['m2026-02', 'm2026-03'],
    ['d2026-01-15', 'd2026-01-31'],
    ['d2026-04-01', 'd2026-04-10'],
  ])
  expect(periodsBetween('2026-02-01', '2026-02-28')).toEqual([['m2026-02', 'm2026-02']])
  expect(periodsBetween('2026-02-02', '2026-03-30')).toEqual([['d2026-02-02', 'd2026-03-30']])
  expect(periodsBetween(undefined, undefined)).toEqual([['m', 'm9999-99']])
  expect(periodsBetween('9999-12-02', '9999-12-31')).toEqual([['d9999-12-02', 'd9999-12-31']])
})

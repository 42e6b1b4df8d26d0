import { expect, it } from 'vitest'
import { computeCost } from './cost.ts'

it('rounds once, in integers', () => {
  const usage = { input: 1, cachedInput: 0, output: 1, reasoning: 0 }
  expect(computeCost(usage, { input: 0.0000015, output: 0.0000005 })).toBe(2)
  expect(computeCost({ ...usage, input: 3, output: 0 }, { input: 0.15, output: 0.6 })).toBe(450_000)
  expect(computeCost({ ...usage, input: 1_000_000_000, output: 0 }, { input: 1000 })).toBe(1e18)
  expect(computeCost(usage, null)).toBe(0)
})

import { expect, it } from 'vitest'

// Not imported by name, because the types of the console are not known to the type check of tests.
const load = (module: string) => import(module)
const { truncatedDollars } = await load('../src/ui/format.ts')

it('an amount never looks like the limit before it is reached', () => {
  expect(truncatedDollars(0.0456, 0.05)).toBe('$0.0456')
  expect(truncatedDollars(0.0499999, 0.05)).toBe('$0.0499')
  expect(truncatedDollars(0.05, 0.05)).toBe('$0.05')
  expect(truncatedDollars(9.999, 10)).toBe('$9.99')
  expect(truncatedDollars(10, 10)).toBe('$10.00')
  expect(truncatedDollars(1234.5, 2000)).toBe('$1,234.50')
  expect(truncatedDollars(0, 0)).toBe('$0.00')
})

import { expect, it } from 'vitest'

// Not imported by name, because the types of the console are not known to the type check of tests.
const load = (module: string) => import(module)
const { dollarsOf } = await load('../src/ui/format.ts')

it('an amount never looks like the limit before it is reached', () => {
  expect(dollarsOf(0.0456, 0.05)).toBe('$0.0456')
  expect(dollarsOf(0.0499999, 0.05)).toBe('$0.0499')
  expect(dollarsOf(0.05, 0.05)).toBe('$0.05')
  expect(dollarsOf(9.999, 10)).toBe('$9.99')
  expect(dollarsOf(10, 10)).toBe('$10.00')
  expect(dollarsOf(1234.5, 2000)).toBe('$1,234.50')
  expect(dollarsOf(0, 0)).toBe('$0.00')
})

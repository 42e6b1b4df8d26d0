import { expect, it } from 'vitest'
import { findOptions } from '../src/ui/find-options.ts'

const options = [
  { value: 'agt_01m7r12x', label: 'Helper 9' },
  { value: 'agt_01m7rq4y', label: 'Helper 12' },
  { value: 'ada@example.com', label: 'Ada' },
]
const found = (text: string) => findOptions(options, text, 10).found.map(({ label }) => label)

it('finds options by the words of their labels, and not by the random part of an id', () => {
  expect(found('helper 12')).toEqual(['Helper 12'])
  expect(found('12')).toEqual(['Helper 12'])
})

it('finds an option by the beginning of its value', () => {
  expect(found('agt_01m7r12x')).toEqual(['Helper 9'])
  expect(found('ADA@exam')).toEqual(['Ada'])
})

it('says how many options are beyond the limit', () => {
  expect(findOptions(options, '', 1)).toEqual({ found: [options[0]], hidden: 2 })
})

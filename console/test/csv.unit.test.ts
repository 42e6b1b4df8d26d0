import { expect, it } from 'vitest'
import { csv } from '../src/ui/csv.ts'

it('quotes what needs it, and writes no formula', () => {
  const rows = [
    ['Name', 'Cost'],
    ['Ada, "A"', 0.5],
    ['=1+1', -2],
    [null, 3],
  ]
  expect(csv(rows)).toBe('Name,Cost\r\n"Ada, ""A""",0.5\r\n\'=1+1,-2\r\n,3\r\n')
})

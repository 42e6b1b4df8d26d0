import { expect, it } from 'vitest'
import { blocksOf } from '../src/parts/pipe-tables.ts'

it('finds the tables in a text', () => {
  const text = 'Prices\n| Lamp | Price |\n| :--- | ---: |\n| Red \\| green | 3 |\nEnd'
  expect(blocksOf(text)).toEqual([
    'Prices',
    [
      ['Lamp', 'Price'],
      ['Red | green', '3'],
    ],
    'End',
  ])
  expect(blocksOf('a | b')).toEqual(['a | b'])
  expect(blocksOf('| cut off |')).toEqual(['| cut off |'])
})

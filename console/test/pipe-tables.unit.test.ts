import { expect, it } from 'vitest'
import { splitBlocks } from '../src/parts/pipe-tables.ts'

it('finds the tables in a text', () => {
  const text = 'Prices\n| Lamp | Price |\n| :--- | ---: |\n| Red \\| green | 3 |\nEnd'
  expect(splitBlocks(text)).toEqual([
    'Prices',
    [
      ['Lamp', 'Price'],
      ['Red | green', '3'],
    ],
    'End',
  ])
  expect(splitBlocks('a | b')).toEqual(['a | b'])
  expect(splitBlocks('| cut off |')).toEqual(['| cut off |'])
})

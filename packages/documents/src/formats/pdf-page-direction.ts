import type { TextItem } from './pdf-lines.ts'

/** Turns the text of a page on its side, such as a wide table, so that its lines run from left to right. */
export function turnedUpright<Item extends TextItem>(items: Item[]): Item[] {
  const length = { across: 0, upwards: 0, downwards: 0 }
  for (const { str, transform } of items) length[toDirection(transform)] += str.length
  if (length.across >= length.upwards + length.downwards) return items
  const turn = length.upwards >= length.downwards ? clockwise : counterclockwise
  return items.map((item) => ({ ...item, transform: turn(item.transform) }))
}

function toDirection([a = 0, b = 0]: number[]): 'across' | 'upwards' | 'downwards' {
  if (Math.abs(a) >= Math.abs(b)) return 'across'
  return b > 0 ? 'upwards' : 'downwards'
}

const clockwise = ([a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: number[]): number[] => [b, -a, d, -c, y, -x]

const counterclockwise = ([a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: number[]): number[] => [-b, a, -d, c, -y, x]

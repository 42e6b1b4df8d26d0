import { describe, expect, it } from 'vitest'
import { isStatement, spansWithoutProse } from './prose.ts'

const withoutProse = (text: string) => spansWithoutProse(text).map(({ start, end }) => text.slice(start, end))

describe('text without prose', () => {
  it.each([
    ['a heading', '# Lamps\n\nThe lamp is red.', ['# Lamps']],
    ['a line in capitals', 'RULES OF THE HOUSE\n\nThe lamp is red.', ['RULES OF THE HOUSE']],
    [
      'a table',
      'Prices:\n\n| Lamp | Price |\n| --- | --- |\n| Red | 3 |',
      ['| Lamp | Price |\n| --- | --- |\n| Red | 3 |'],
    ],
    [
      'columns of a PDF',
      'Region        1985     2005\nAlaska       55000    72000\n',
      ['Region        1985     2005\nAlaska       55000    72000'],
    ],
    ['a block of code', 'Run it:\n\n```sh\nlamp on\n```\n\nThen wait.', ['```sh\nlamp on\n```']],
    ['a block of code that began before', 'lamp on\n```\n\nThen wait.', ['lamp on\n```']],
    ['a caption', 'Table 1. Lamps by region\n\nThere are many.', ['Table 1. Lamps by region']],
    ['a line of JSON', 'It answers\n"lamp": "red",\nand more.', ['"lamp": "red",']],
  ])('is %s', (_, text, spans) => expect(withoutProse(text)).toEqual(spans))

  it('is not a wrapped line, a link or a code span', () => {
    const text =
      'It is red (as\nalways); [the page](page.md) says\nmore, and `lamp.on()` too;\nfrom there on (see above) it is\nblue.'
    expect(withoutProse(text)).toEqual([])
  })
})

describe('a statement', () => {
  it.each([
    'The lamp is red.',
    'Press the button twice',
    'Phone: 555-1234',
    '`on()` switches the lamp on.',
    '灯是红色的。',
  ])('is %j', (text) => expect(isStatement(text)).toBe(true))
  it.each([
    'Deposit.**',
    'Red lamp',
    'See [lamps](lamps.md).',
    '`lamps_total`, `lamps_red`',
    '├── lamp {on|off} => [1]',
    '---',
  ])('is not %j', (text) => expect(isStatement(text)).toBe(false))
})

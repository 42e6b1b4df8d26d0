import { expect, it } from 'vitest'
import { readTables } from './read-tables.ts'
import { cellReader, TypeFinder } from './values.ts'

function read(...texts: string[]) {
  const finder = new TypeFinder()
  for (const text of texts) finder.add(text)
  const found = finder.find()
  return [found.type, ...texts.map(cellReader(found))]
}

it('reads numbers with currency, separators, percent and parentheses', () => {
  expect(read('1,234.50', '-3', '', '0')).toEqual(['number', 1234.5, -3, null, 0])
  expect(read('$1,200', 'US$ 3.50', '12 USD', '7')).toEqual(['number', 1200, 3.5, 12, 7])
  expect(read('10 USD', '20 EUR')).toEqual(['text', '10 USD', '20 EUR'])
  expect(read('$5', '12 %')).toEqual(['text', '$5', '12 %'])
  expect(read('(1,200)', '($5)', '-$3', '−7')).toEqual(['number', -1200, -5, -3, -7])
  expect(read('12 %', '3.5%', 'n/a', '–')).toEqual(['number', 12, 3.5, null, null])
  expect(read('1.234,56 €', '7,5', '12')).toEqual(['number', 1234.56, 7.5, 12])
  expect(read("1'234", '2 000')).toEqual(['number', 1234, 2000])
})

it('keeps identifiers and mixed columns as text', () => {
  expect(read('00123', '10115')).toEqual(['text', '00123', '10115'])
  expect(read('1234567890123456')).toEqual(['text', '1234567890123456'])
  expect(read('12', 'about 12')).toEqual(['text', '12', 'about 12'])
  expect(read('1,23,4')).toEqual(['text', '1,23,4'])
  expect(read('', '-')).toEqual(['text', null, '-'])
})

it('reads dates, unless they could be read in two ways', () => {
  expect(read('2026-01-31', '2026-02-01 9:30')).toEqual(['date', '2026-01-31', '2026-02-01 09:30:00'])
  expect(read('31.01.2026', '1.2.2026')).toEqual(['date', '2026-01-31', '2026-02-01'])
  expect(read('3 March 2026', 'Jan 5, 2026', '24. Dezember 2025')).toEqual([
    'date',
    '2026-03-03',
    '2026-01-05',
    '2025-12-24',
  ])
  expect(read('01/31/2026', '02/03/2026')).toEqual(['date', '2026-01-31', '2026-02-03'])
  expect(read('31/01/2026', '02/03/2026')).toEqual(['date', '2026-01-31', '2026-03-02'])
  expect(read('01/02/2026', '02/03/2026')).toEqual(['text', '01/02/2026', '02/03/2026'])
  expect(read('2026-02-30')).toEqual(['text', '2026-02-30'])
})

it('reads booleans', () => {
  expect(read('yes', 'No', '')).toEqual(['boolean', true, false, null])
  expect(read('ja', 'nein')).toEqual(['boolean', true, false])
})

it('names tables by caption, heading or document, and columns for SQL', () => {
  const first =
    '| Order | Größe | größe | | 2024 | Ort \\| Land |\n| --- | --- | --- | --- | --- | --- |\n| 1 | 2 | 3 | 4 | 5 | a \\| b |'
  const second = '> | a |\n> | --- |\n> | x |'
  const text = `${first}\n\n# Stock\n\nTable 3: Spare parts\n\n${second}\n\n${second}`
  const block = (part: string, from = 0) => ({
    kind: 'table' as const,
    start: text.indexOf(part, from),
    end: text.indexOf(part, from) + part.length,
  })
  const blocks = [block(first), block(second), block(second, text.lastIndexOf('> | a |'))]
  const headings = [{ level: 1, title: 'Stock', start: text.indexOf('# Stock') }]
  const tables = readTables({ text, headings, blocks, name: 'lists/shop.md' })
  expect(tables.map(({ title, sqlName }) => [title, sqlName])).toEqual([
    ['shop', 'shop'],
    ['Table 3: Spare parts', 'table_3_spare_parts'],
    ['Stock', 'stock'],
  ])
  expect(tables[0]?.columns.map(({ sql_name }) => sql_name)).toEqual([
    'order_',
    'grosse',
    'grosse_2',
    'column_4',
    'column_2024',
    'ort_land',
  ])
  expect(tables[0]?.examples).toEqual([[1, 2, 3, 4, 5, 'a | b']])
  expect(tables[1]?.examples).toEqual([['x']])
})

it('finds the rows that sum up others, which have no part in the types and values of columns', () => {
  const table = (...rows: string[]) => {
    const text = ['| Year | Sales | Cost |', '| --- | --- | --- |', ...rows].join('\n')
    const [found] = readTables({
      text,
      headings: [],
      blocks: [{ kind: 'table', start: 0, end: text.length }],
      name: 'x',
    })
    return [found?.totalRows, found?.columns.map(({ type }) => type).join(' '), found?.columns[0]?.values]
  }
  expect(table('| 2023 | 10 | 4 |', '| 2024 | 20 | 5 |', '| **Total** | 30 | 9 |')).toEqual([
    [3],
    'number number number',
    undefined,
  ])
  expect(
    table('| A | 1 | 2 |', '| B | 2 | 3 |', '| Zwischensumme | 3 | 5 |', '| C | 4 | 1 |', '| Gesamt: | 7 | 6 |'),
  ).toEqual([[3, 5], 'text number number', ['A', 'B', 'C']])
  expect(table('| A | 1.5 | 2 |', '| B | 2 | 3 |', '| Total sales | 3.5 |  |', '| Total Wine | 3 | 1 |')[0]).toEqual([
    3,
  ])
  expect(table('| A | 1 | 2 |', '| B | 2 | 3 |', '|  | 3 | 5 |')[0]).toEqual([3])
  expect(table('| A | 5 | 2 |', '|  | 5 | 3 |', '| Average Joe | 2 | 1 |')[0]).toEqual([])
})

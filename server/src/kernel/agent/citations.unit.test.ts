import { describe, expect, it } from 'vitest'
import { citationsIn, normalizeCitations } from './citations.ts'

const passages = [
  'The pump is red. It must be primed with water before it is started.',
  'Filters are changed every month. The coffee machine stands in the kitchen.',
]
const numbered = new Map(passages.map((text, at) => [at + 1, text]))

describe('citations', () => {
  it('without a passage are removed, and lists are written one by one', () => {
    expect(normalizeCitations('A [1], b [3]. C [2, 1] d [0][9] e [1-2].', passages)).toBe(
      'A [1], b. C [2][1] d e [1][2].',
    )
    expect(normalizeCitations('See 【2†source】 and [2024].', passages)).toBe('See [2] and.')
    expect(normalizeCitations('list[x] and [a] stay', passages)).toBe('list[x] and [a] stay')
    const blanks = ' '.repeat(1_000_000) // which a pattern may take hours to read
    expect(normalizeCitations(`A${blanks}b [9].`, passages)).toBe(`A${blanks}b.`)
  })

  it('of a row in words quote the row, not its header or what sounds more alike', async () => {
    const row = '| Nova | 3,190 | (20) |'
    const table = `| Name | Sales (a) | Other (b) |\n| --- | --- | --- |\n${row}\n\n(a) Sales of Nova and others. (b) Other sales.`
    const answer = 'Name: Nova, Sales (a): 3,190, Other (b): (20) [1]'
    const [cited] = await citationsIn(answer, new Map([[1, table]]))
    expect(cited).toEqual({ index: 1, start: table.indexOf(row), end: table.indexOf(row) + row.length, quote: row })
  })

  it('are not brackets that a passage itself contains', async () => {
    const code = ['Take items[7] first.', 'Then grid[1][2] of items[2], or items[2, 1].']
    const answer = 'Take items[7] first. [1] Then grid[1][2] of items[2], or items[2, 1]. [2]'
    expect(normalizeCitations(answer, code)).toBe(answer)
    const cited = await citationsIn(answer, new Map(code.map((text, at) => [at + 1, text])))
    expect(cited.map(({ index, quote }) => [index, quote])).toEqual([
      [1, code[0]],
      [2, code[1]],
    ])
    expect(normalizeCitations('Take items[1] and the rest[2][9].', code)).toBe('Take items[1] and the rest[2].')
  })

  it('quote a verbatim claim with its position', async () => {
    const text = `${passages[0]?.slice(17)} [1] Filters are changed every month. [2]`
    const cited = await citationsIn(text, numbered)
    expect(cited.map(({ index, quote }) => [index, quote])).toEqual([
      [1, 'It must be primed with water before it is started.'],
      [2, 'Filters are changed every month.'],
    ])
    for (const { index, start, end, quote } of cited) expect(numbered.get(index)?.slice(start, end)).toBe(quote)
  })

  it('quote the sentence most similar to a rephrased claim', async () => {
    const cited = await citationsIn(
      'You find the coffee machine in the kitchen [2], and priming needs water [1].',
      numbered,
    )
    expect(cited.map(({ quote }) => quote)).toEqual([
      'The coffee machine stands in the kitchen.',
      'It must be primed with water before it is started.',
    ])
  })

  it('share the claim before several of them, and skip missing passages', async () => {
    const cited = await citationsIn('The pump is red. [1][2][7]', numbered)
    expect(cited.map(({ index }) => index)).toEqual([1, 2])
    expect(await citationsIn('[1]', new Map([[1, '']]))).toEqual([{ index: 1, start: 0, end: 0, quote: '' }])
    expect(await citationsIn('[999999999999-9999999999999]', numbered)).toEqual([])
  })
})

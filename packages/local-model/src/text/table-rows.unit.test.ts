import { describe, expect, it } from 'vitest'
import { answerFrom } from '../answer.ts'
import { rowSaidIn } from './table-rows.ts'

const answer = async (question: string, content: string) => (await answerFrom(question, [{ content }])).text

describe('an answer from a table', () => {
  it('is the row with the names of the columns', async () => {
    const content = '| Name | Price |\n| --- | --- |\n| Red lamp | 3 |\n| Blue lamp | 4 |'
    const { text, quotes } = await answerFrom('What is the price of the blue lamp?', [{ content }])
    expect(text).toBe('Name: Blue lamp, Price: 4 [1]')
    expect(quotes).toHaveLength(1)
    expect((await answerFrom('Who painted the Mona Lisa?', [{ content }])).quotes).toEqual([])
  })

  it('comes from a table within prose too, and never is the header alone', async () => {
    const content =
      'Prices change each year.\n\n| Lamp | Price in euros | Notes |\n| --- | --- | --- |\n| Red | 30 | Dr. Meyer likes it. |\n| Blue | 40 | |\n\nAsk for more.'
    expect(await answer('What is the price in euros of the blue lamp?', content)).toBe(
      'Lamp: Blue, Price in euros: 40 [1]',
    )
    expect(await answer('What is the price in euros of the green chair?', content)).toMatch(/^Closest passages:/)
    expect(await answer('What does Meyer think of the red lamp price?', content)).toContain('Lamp: Red')
  })

  it('has the header that the passage before began with', async () => {
    const passage = { content: '| Europe | 11 |\n| Asia | 9 |', headings: ['Sales', '| Region | 2022 Sales |'] }
    const { text } = await answerFrom('What were the sales of Europe in 2022?', [passage])
    expect(text).toBe('Region: Europe, 2022 Sales: 11 [1]')
  })

  const sales = (year: number, figure: string) =>
    `| In millions | ${year} Sales |\n| --- | --- |\n| Europe | ${figure} |\n| Asia | 9 |`
  const periods = `${sales(2022, '11')}\n\n${sales(2023, '12')}`

  it('has the header of its own table', async () => {
    expect(await answer('What were the sales in Europe in 2022?', periods)).toBe(
      'In millions: Europe, 2022 Sales: 11 [1]',
    )
    expect(await answer('What were the sales in Europe in 2023?', periods)).toBe(
      'In millions: Europe, 2023 Sales: 12 [1]',
    )
  })

  it('is of the year that the question names; otherwise the whole table is quoted', async () => {
    expect(await answer('What were the sales in Europe?', periods)).toBe(`Closest passages:\n\n${periods} [1]`)
    expect(await answer('What were the sales in Europe in 2019?', periods)).toMatch(/^Closest passages:/)
    const rows = '| Year | Sales |\n| --- | --- |\n| 2021 | 5 |\n| 2023 | 7 |\n| 2022 | 6 |'
    expect(await answer('What were the sales in 2021?', rows)).toBe('Year: 2021, Sales: 5 [1]')
  })

  it('of a table in plain text has its columns too', async () => {
    const text = 'Item            Qty   Price\nLamp, brass       2   $39.00\n\nSales Tax (8.5%)      $66.23'
    expect(await answer('How much is the sales tax?', text)).toBe('Sales Tax (8.5%): $66.23 [1]')
    expect(rowSaidIn('Item: Lamp, brass, Qty: 2, Price: $39.00', text)).toEqual({ start: 28, end: 56 })
  })
})

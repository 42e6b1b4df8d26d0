import { describe, expect, it } from 'vitest'
import { makePdf, pdfWithLetters, toBytes } from '../../test/documents.ts'
import { pdfWithForms, pdfWithPageCount, pdfWithTwiceDeflatedPage } from '../../test/hostile-pdfs.ts'
import { chunkDocument } from '../chunking/chunk.ts'
import { defaultLimits } from '../document.ts'
import { parsePdf } from './pdf.ts'

const parse = (bytes: Uint8Array) => parsePdf(bytes, defaultLimits)

describe('PDF', () => {
  it('records where each page starts and ends', async () => {
    const { text, pages, metadata, warnings } = await parse(
      makePdf(['First page.', 'Second page.'], { title: 'A paper' }),
    )
    expect(text).toBe('First page.\n\nSecond page.')
    expect(pages.map(({ number, start, end }) => [number, text.slice(start, end)])).toEqual([
      [1, 'First page.'],
      [2, 'Second page.'],
    ])
    expect(metadata).toEqual({ title: 'A paper' })
    expect(warnings).toEqual([])
  })

  it('separates paragraphs and joins hyphenated words', async () => {
    const lines = [
      'The first paragraph has a divi-',
      'ded word and',
      'three lines.',
      'The second begins here',
      'and ends here.',
    ]
    const page = lines.map((text, index) => ({ text, y: 700 - index * 14 - (index >= 3 ? 14 : 0) }))
    const { text } = await parse(makePdf([page]))
    expect(text).toBe(
      'The first paragraph has a divided word and\nthree lines.\n\nThe second begins here\nand ends here.',
    )
  })

  it('joins a sentence that continues on the next page', async () => {
    const { text } = await parse(makePdf(['This sentence goes', 'on here.', 'Next one.']))
    expect(text).toBe('This sentence goes\non here.\n\nNext one.')
  })

  it('takes headings from the outline', async () => {
    const outline = [
      { title: 'Introduction', page: 1 },
      { title: 'Methods', page: 2 },
    ]
    const page = (title: string) => [
      { text: title.toUpperCase(), y: 760, size: 8 },
      { text: `1. ${title}`, y: 700, size: 18 },
      { text: 'Some words about it.', y: 660 },
    ]
    const { text, headings } = await parse(makePdf([page('Introduction'), page('Methods')], { outline }))
    expect(headings.map(({ level, title, start }) => [level, title, text.slice(start, start + 8)])).toEqual([
      [1, 'Introduction', '1. Intro'],
      [1, 'Methods', '1. Metho'],
    ])
  })

  it('takes headings from font sizes if there is no outline', async () => {
    const body = Array.from({ length: 20 }, (_, index) => ({
      text: `Line ${index} of the text, which is long.`,
      y: 640 - index * 14,
    }))
    const { headings } = await parse(
      makePdf([[{ text: 'The Title', y: 740, size: 24 }, { text: 'A part', y: 680, size: 16 }, ...body]]),
    )
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'The Title'],
      [2, 'A part'],
    ])
  })

  it('warns about pages without text', async () => {
    const { pages, warnings } = await parse(makePdf(['One.', '', 'Three.']))
    expect(pages).toHaveLength(3)
    expect(warnings).toEqual(['No text was found on these pages: 2.'])
  })

  it('reports why a PDF cannot be read', async () => {
    await expect(parse(makePdf(['', '']))).rejects.toMatchObject({
      code: 'no_text',
      pages: 2,
      message: 'No text was found; this looks like a scan and needs OCR.',
    })
    await expect(parse(makePdf([]))).rejects.toMatchObject({ code: 'no_text', message: 'The PDF has no pages.' })
    await expect(parse(makePdf(['secret'], { encrypted: true }))).rejects.toMatchObject({ code: 'encrypted' })
    await expect(parse(toBytes('%PDF-1.7\n1 0 obj\n<</Type/Cat'))).rejects.toMatchObject({ code: 'broken' })
  })

  it('reads a PDF whose cross-reference table is missing', async () => {
    const whole = Buffer.from(makePdf(['Still readable.'])).toString('latin1')
    const { text } = await parse(toBytes(whole.replace(/xref\n[\s\S]*(?=trailer)/, '')))
    expect(text).toBe('Still readable.')
  })

  it('stops at the text limit', async () => {
    await expect(
      parsePdf(makePdf(Array.from({ length: 20 }, () => 'Some words.')), { ...defaultLimits, textCharacters: 100 }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })

  it('rejects nested forms, repeated compression and too many pages', async () => {
    // Drawing the forms, ten within each of 24 levels, would never end.
    await expect(parse(pdfWithForms(24, 10))).rejects.toMatchObject({ code: 'too_complex' })
    await expect(parse(pdfWithForms(24, 10, { isDeflated: true, hasIndirectResources: true }))).rejects.toMatchObject({
      code: 'too_complex',
      message: expect.stringContaining('nests its graphics'),
    })
    await expect(parse(pdfWithForms(1, 1, { isCircular: true }))).rejects.toMatchObject({ code: 'too_complex' })
    await expect(parse(pdfWithTwiceDeflatedPage(20_000_000))).rejects.toThrow('compressed more than once')
    await expect(parse(pdfWithPageCount(300_000))).rejects.toThrow('The PDF has 300,000 pages; at most 20,000')
  })

  it('reads the text of forms that are drawn many times', async () => {
    const { text } = await parse(pdfWithForms(3, 10))
    expect(text).toContain('Deepest text')
  })

  it('keeps the columns of tables, with the titles that stand over them', async () => {
    const row = (y: number, ...texts: string[]) => texts.map((text, at) => ({ text, y, size: 8, x: 72 + at * 120 }))
    const { text, blocks = [] } = await parse(
      makePdf([
        [
          { text: 'Results of the company', y: 740, isBold: true },
          { text: 'Year ended', y: 700, x: 240, size: 8 },
          ...row(690, '', '2017', '2016').slice(1),
          ...row(680, 'Net revenue', '$5,329', '$4,272'),
          ...row(670, 'Cost of sales', '3,506', '3,274'),
          { text: 'Operating expenses:', y: 660, size: 8 },
          ...row(650, 'Research', '1,160', '-'),
          { text: 'See the notes, which are an integral part of these statements and explain them.', y: 600 },
        ],
      ]),
    )
    const [table] = blocks.filter(({ kind }) => kind === 'table')
    expect(text.slice(table?.start, table?.end)).toBe(
      `|  | Year ended 2017 | Year ended 2016 |
| --- | --- | --- |
| Net revenue | $5,329 | $4,272 |
| Cost of sales | 3,506 | 3,274 |
| Operating expenses: |  |  |
| Research | 1,160 | - |`,
    )
  })

  it('gives the rows of a table on its second page the titles of the first', async () => {
    const row = (y: number, ...texts: string[]) => texts.map((text, at) => ({ text, y, size: 8, x: 72 + at * 120 }))
    const read = await parse(
      makePdf([
        [
          ...row(690, '', '2017', '2016').slice(1),
          ...row(680, 'Revenue', '$5,329', '$4,272'),
          ...row(670, 'Costs', '3,506', '3,274'),
        ],
        [...row(690, 'Research', '1,160', '930'), ...row(680, 'Rent', '506', '274')],
      ]),
    )
    const [first, second] = chunkDocument(read, { size: 100, overlap: 0 })
    expect(read.text.slice(first?.start, first?.end)).toContain('|  | 2017 | 2016 |')
    expect(read.text.slice(second?.start, second?.end)).toContain('| Research | 1,160 | 930 |')
    expect(second).toMatchObject({ page: 2, tableHead: '|  | 2017 | 2016 |' })
  })

  it('takes short lines in a font of their own for headings', async () => {
    const words = 'Some words of the running text that fill the whole width of the page.'
    const section = (title: string, y: number) => [
      { text: title, y, isBold: true },
      ...[30, 44, 58, 72].map((below) => ({ text: words, y: y - below })),
    ]
    const { headings } = await parse(makePdf([[...section('OVERVIEW', 740), ...section('Our products', 600)]]))
    expect(headings.map(({ level, title }) => [level, title])).toEqual([
      [1, 'OVERVIEW'],
      [2, 'Our products'],
    ])
  })

  it('leaves out page numbers, and running heads after their first page, but no other numbers', async () => {
    const pages = ['apples', 'pears', 'plums', 'cherries'].map((fruit, index) => [
      { text: `Annual report 2024 ${index + 7}`, y: 780, size: 8 },
      { text: 'A company of fruits', y: 770, size: 8 },
      { text: `Invoice ${[812, 44, 97, 3][index]} for ${fruit}`, y: 700 },
      { text: `Everybody likes ${fruit} and`, y: 686 },
      { text: `${fruit} like everybody.`, y: 672 },
      { text: `Nothing else is said about ${fruit}.`, y: 658 },
      { text: `Total: ${[10, 400, 20, 7][index]}`, y: 600 },
      { text: `${index + 7}`, y: 500 - index * 50 },
    ])
    const { text } = await parse(makePdf(pages))
    expect(text.match(/A company of fruits/g)).toHaveLength(1)
    expect(text).not.toMatch(/Annual report|^\d+$/m)
    for (const kept of ['Invoice 97 for plums', 'Total: 400', 'Everybody likes plums and']) expect(text).toContain(kept)
  })

  it('joins divided words, but keeps the hyphens that the document writes elsewhere', async () => {
    const lines = ['A long-term plan for information.', 'It is a long-', 'term plan with much infor-', 'mation in it.']
    const { text } = await parse(makePdf([lines.map((line, index) => ({ text: line, y: 700 - index * 14 }))]))
    expect(text).toContain('It is a long-term plan with much information in it.')
  })

  it('reads lam and alef that are one glyph in their order', async () => {
    // In the order in which they are drawn, from the left: "peace" and "now", both with the article.
    const peace = await parse(pdfWithLetters(['0645', 'FEFC', '0633', '0644', '0627']))
    const now = await parse(pdfWithLetters(['0646', '06440622', '0627']))
    expect([peace.text, now.text]).toEqual(['السلام', 'الآن'])
    // Inside a word, beside the same letters as two glyphs ("the safe one"), and beside a name in Latin letters.
    const lamAlef = '06440627'
    const both = ['0645', '0644', '0627', '0633', '0644', '0627', '0020', '0645', lamAlef, '0633']
    const named = ['0041', '0042', '0020', '0645', lamAlef, '0633']
    expect([(await parse(pdfWithLetters(both))).text, (await parse(pdfWithLetters(named))).text]).toEqual([
      'سلام السالم',
      'سلام AB',
    ])
  })

  it('reads a PDF of thousands of pages', async () => {
    const { pages } = await parse(makePdf(Array.from({ length: 1500 }, (_, index) => `Page ${index + 1}.`)))
    expect(pages.at(-1)?.number).toBe(1500)
  }, 300_000)
})

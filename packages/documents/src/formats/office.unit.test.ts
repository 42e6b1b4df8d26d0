import { type CellObject, type Range, utils, type WorkSheet, write } from '@e965/xlsx'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { billionLaughs, makeDocx, makePptx, makeXlsx, makeZip, wordParagraph, wordTable } from '../../test/documents.ts'
import { defaultLimits, type ParsedDocument } from '../document.ts'
import { parseBytes } from '../parse.ts'
import { type SheetRow, sheetParts } from './sheet-parts.ts'

const parse = (bytes: Uint8Array, limits = defaultLimits) => parseBytes(bytes, { name: 'file' }, limits)

const blockTexts = ({ text, blocks = [] }: ParsedDocument, wanted: string) =>
  blocks.filter(({ kind }) => kind === wanted).map(({ start, end }) => text.slice(start, end))

describe('Word', () => {
  it('converts headings, lists and tables to Markdown', async () => {
    const document = await parse(
      makeDocx(
        wordParagraph('Report', 'Heading1') +
          wordParagraph('Five &lt; six_and *more* # words.') +
          wordParagraph('Numbers', 'Heading2') +
          wordTable([
            ['Year', 'a|b'],
            ['2024', '7'],
          ]),
      ),
    )
    expect(document).toMatchObject({ format: 'docx', metadata: { title: 'Annual report', author: 'Ada Example' } })
    expect(document.text).toBe(
      '# Report\n\nFive < six_and *more* # words.\n\n## Numbers\n\n| Year | a\\|b |\n| --- | --- |\n| 2024 | 7 |',
    )
    expect(document.headings).toEqual([
      { level: 1, title: 'Report', start: 0 },
      { level: 2, title: 'Numbers', start: document.text.indexOf('## Numbers') },
    ])
    expect(blockTexts(document, 'table')).toEqual(['| Year | a\\|b |\n| --- | --- |\n| 2024 | 7 |'])
  })

  it('keeps equations as text', async () => {
    const text = (value: string) => `<m:r><m:t>${value}</m:t></m:r>`
    const fraction = `<m:f><m:num>${text('a+b')}</m:num><m:den>${text('2')}</m:den></m:f>`
    const power = `<m:sSup><m:e>${text('x')}</m:e><m:sup>${text('10')}</m:sup></m:sSup>`
    const { text: words } = await parse(
      makeDocx(`<w:p><m:oMathPara><m:oMath>${fraction}${text('=')}${power}</m:oMath></m:oMathPara></w:p>`),
    )
    expect(words).toBe('(a+b)/2=x^(10)')
  })

  it('reads the titles and numbers of charts', async () => {
    const drawing = '<w:drawing><c:chart xmlns:c="c" xmlns:r="r" r:id="rId9"/></w:drawing>'
    const points = (...texts: string[]) =>
      texts.map((text, at) => (text ? `<c:pt idx="${at}"><c:v>${text}</c:v></c:pt>` : '')).join('')
    const visitors = `<c:ser><c:tx>${points('Visitors')}</c:tx><c:cat>${points('May', 'June', 'July')}</c:cat><c:val>${points('12', '', '30')}</c:val></c:ser>`
    const places = `<c:ser><c:tx>${points('Places')}</c:tx><c:xVal>${points('1.5', '2')}</c:xVal><c:yVal>${points('7', '9')}</c:yVal></c:ser>`
    const series = visitors + places
    const target = '<Relationship Id="rId9" Type="x/chart" Target="charts/chart1.xml"/>'
    const { text } = await parse(
      makeZip({
        ...unzipSync(makeDocx(`<w:p><w:r>${drawing}</w:r></w:p>${wordParagraph('After it.')}`)),
        'word/_rels/document.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${target}</Relationships>`,
        'word/charts/chart1.xml': `<c:chart xmlns:c="c" xmlns:a="a"><c:title><a:t>People</a:t></c:title>${series}</c:chart>`,
      }),
    )
    expect(text).toBe(
      'Chart: People\n\n|  | Visitors | Places |\n| --- | --- | --- |\n| May | 12 |  |\n| June |  |  |\n| July | 30 |  |\n| 1.5 |  | 7 |\n| 2 |  | 9 |\n\nAfter it.',
    )
  })

  it('keeps the automatic numbers of headings', async () => {
    const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    const style = (id: number, list: string) =>
      `<w:style w:type="paragraph" w:styleId="H${id}"><w:name w:val="heading ${id}"/><w:pPr>${list}</w:pPr></w:style>`
    const level = (at: number, format: string, text: string) =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:pStyle w:val="H${at + 1}"/><w:lvlText w:val="${text}"/></w:lvl>`
    const list = '<w:numPr><w:numId w:val="7"/></w:numPr>'
    const changed = wordParagraph('Duties', 'H2').replace(
      '</w:pPr>',
      '<w:pPrChange w:id="1"><w:pPr><w:pStyle w:val="H1"/></w:pPr></w:pPrChange></w:pPr>',
    )
    const unnumbered = wordParagraph('Annex', 'H1').replace(
      '</w:pPr>',
      '<w:numPr><w:numId w:val="0"/></w:numPr></w:pPr>',
    )
    const { text } = await parse(
      makeZip({
        ...unzipSync(
          makeDocx(
            [
              wordParagraph('Purpose', 'H1'),
              wordParagraph('Terms', 'H1'),
              wordParagraph('People', 'H2'),
              changed,
              wordParagraph('Leave', 'H3'),
              wordParagraph('Plain text.'),
              wordParagraph('Pay', 'H1'),
              wordParagraph('Rates', 'H2'),
              unnumbered,
            ].join(''),
          ),
        ),
        'word/_rels/document.xml.rels':
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
        'word/styles.xml': `<w:styles ${w}>${style(1, list)}${style(2, list)}${style(3, list)}</w:styles>`,
        'word/numbering.xml': `<w:numbering ${w}><w:abstractNum w:abstractNumId="3">${level(0, 'upperRoman', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
      }),
    )
    expect(text.split('\n\n')).toEqual([
      '# I. Purpose',
      '# II. Terms',
      '## II.1 People',
      '## II.2 Duties',
      '### (a) Leave',
      'Plain text.',
      '# III. Pay',
      '## III.1 Rates',
      '# Annex',
    ])
  })

  it('shows which checkboxes are checked', async () => {
    const box = (checked: 0 | 1, label: string) =>
      `<w:p><w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="${checked}"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>${checked ? '☒' : '☐'}</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t xml:space="preserve"> ${label}</w:t></w:r></w:p>`
    const names =
      'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    const { text } = await parse(
      makeDocx('', `<w:document ${names}><w:body>${box(1, 'Signed')}${box(0, 'Paid')}</w:body></w:document>`),
    )
    expect(text).toBe('[x] Signed\n\n[ ] Paid')
  })

  it('handles nested entities and 100,000 levels of nesting', async () => {
    const laughing = makeDocx(
      '',
      `${billionLaughs}<w:document><w:body>${wordParagraph('&l9; words')}</w:body></w:document>`,
    )
    await expect(parse(laughing)).rejects.toMatchObject({ code: 'broken' })
    const deep = '<w:sdt><w:sdtContent>'.repeat(100_000)
    await expect(parse(makeDocx(deep))).rejects.toMatchObject({ code: /broken|too_complex/ })
  })

  it('reports a damaged file', async () => {
    await expect(parse(makeZip({ 'word/nothing.xml': '<x/>' }))).rejects.toMatchObject({ code: 'broken' })
  })
})

describe('PowerPoint', () => {
  it('makes one page per slide in presentation order, with titles, tables and notes', async () => {
    const document = await parse(
      makePptx([
        { title: 'Welcome', lines: ['Hello', 'everyone'], notes: 'Smile.' },
        { lines: ['No title here'] },
        {
          title: 'Figures',
          table: [
            ['Year', 'Sum'],
            ['2024', '7'],
          ],
        },
      ]),
    )
    expect(document).toMatchObject({ format: 'pptx', metadata: { title: 'A talk' } })
    expect(document.pages.map(({ number, start, end }) => [number, document.text.slice(start, end)])).toEqual([
      [1, '# Welcome\n\nHello\neveryone\n\nNotes: Smile.'],
      [2, '# Slide 2\n\nNo title here'],
      [3, '# Figures\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 7 |'],
    ])
    expect(document.headings.map(({ title }) => title)).toEqual(['Welcome', 'Slide 2', 'Figures'])
    expect(blockTexts(document, 'table')).toHaveLength(1)
  })

  it('reports a file without a slide list as damaged', async () => {
    await expect(parse(makeZip({ 'ppt/slides/slide1.xml': '<p:sld/>' }))).rejects.toThrow('list of slides is missing')
  })
})

type CellValue = string | number | null | CellObject

/** A workbook of rows of values, as a program writes it. */
function workbook(sheets: Record<string, { rows: CellValue[][]; merges?: string[]; isHidden?: boolean }>): Uint8Array {
  const book = utils.book_new()
  for (const [name, { rows, merges = [] }] of Object.entries(sheets)) {
    const sheet: WorkSheet = utils.aoa_to_sheet(rows)
    sheet['!merges'] = merges.map((range): Range => utils.decode_range(range))
    utils.book_append_sheet(book, sheet, name)
  }
  book.Workbook = { Sheets: Object.values(sheets).map(({ isHidden }) => ({ Hidden: isHidden ? 1 : 0 })) }
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }))
}

const sheetText = async (rows: CellValue[][], merges: string[] = []) =>
  (await parse(workbook({ S: { rows, merges } }))).text.replace('# S\n\n', '')

describe('Excel', () => {
  it('gives each of several tables its own header', async () => {
    const text = await sheetText([
      ['In millions', null, 2023],
      [null, 'Sales', 'Profit'],
      [],
      ['North', 10, 1],
      ['South', 20, '—'],
      [],
      ['In millions', null, 2022],
      [null, 'Sales', 'Profit'],
      [],
      ['North', 11, 3],
      [],
      ['Offices', 'City'],
      ['First', 'Rome'],
    ])
    expect(text).toBe(
      `| In millions | 2023 Sales | 2023 Profit |
| --- | --- | --- |
| North | 10 | 1 |
| South | 20 | — |

| In millions | 2022 Sales | 2022 Profit |
| --- | --- | --- |
| North | 11 | 3 |

| Offices | City |
| --- | --- |
| First | Rome |`,
    )
  })

  it('goes on with a table after an empty row, and after a note with its header again', async () => {
    const text = await sheetText([
      ['City', 'People', 'Area'],
      ['Rome', 3, 1285],
      [],
      ['Oslo', 1, 454],
      [],
      ['Asia'],
      [],
      ['Tokyo', 14, 2194],
    ])
    expect(text).toBe(
      `| City | People | Area |
| --- | --- | --- |
| Rome | 3 | 1285 |
| Oslo | 1 | 454 |

Asia

| City | People | Area |
| --- | --- | --- |
| Tokyo | 14 | 2194 |`,
    )
  })

  it('divides tables that stand side by side at the empty column between them', async () => {
    const text = await sheetText([
      ['City', 'People', null, 'Product', 'Price', 'Stock'],
      ['Rome', 3, null, 'Lamp', 20, 4],
      ['Oslo', 1, null, 'Chair', 35, 12],
      [null, null, null, 'Table', 120, 2],
    ])
    expect(text).toBe(
      `| City | People |
| --- | --- |
| Rome | 3 |
| Oslo | 1 |

| Product | Price | Stock |
| --- | --- | --- |
| Lamp | 20 | 4 |
| Chair | 35 | 12 |
| Table | 120 | 2 |`,
    )
    const numbered = await sheetText([
      ['City', 'People', null, 'No.', 'Product'],
      ['Rome', 3, null, 1, 'Lamp'],
      ['Oslo', 1, null, 2, 'Chair'],
      [],
      ['Month', 'Rain', 'Sun', 'Wind', 'Snow'],
      ['May', 3, 4, 5, 0],
      ['June', 1, 2, 3, 0],
    ])
    expect(numbered.split('\n\n').map((table) => table.split('\n')[0])).toEqual([
      '| City | People |',
      '| No. | Product |',
      '| Month | Rain | Sun | Wind | Snow |',
    ])
    const spaced = await sheetText([
      ['Region', null, 'Sales', 'Profit'],
      ['North', null, 10, 1],
      ['South', null, 20, 2],
    ])
    expect(spaced).toContain('| Region | Sales | Profit |')
  })

  it('divides tables that the file declares', async () => {
    const rows = [
      ['City', 'People', 'Product', 'Price'],
      ['Rome', 3, 'Lamp', 20],
      ['Oslo', 1, 'Chair', 35],
      ['All of them'],
    ]
    const ranges = ['A1:B3', 'C1:D3']
    const parts = unzipSync(workbook({ S: { rows } }))
    const related = ranges.map((_, at) => `<Relationship Id="t${at}" Type="x/table" Target="../tables/t${at}.xml"/>`)
    const tables = ranges.map((ref, at) => [`xl/tables/t${at}.xml`, `<table ref="${ref}" headerRowCount="1"/>`])
    const { text } = await parse(
      makeZip({
        ...parts,
        'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${related.join('')}</Relationships>`,
        ...Object.fromEntries(tables),
      }),
    )
    expect(text).toBe(
      `# S

| City | People |
| --- | --- |
| Rome | 3 |
| Oslo | 1 |

| Product | Price |
| --- | --- |
| Lamp | 20 |
| Chair | 35 |

All of them`,
    )
  })

  it('says what the charts of a sheet show', async () => {
    const rels = (type: string, target: string) =>
      `<Relationships><Relationship Id="r" Type="x/${type}" Target="${target}"/></Relationships>`
    const rows = [
      ['Month', 'Visitors'],
      ['May', 12],
      ['June', 30],
    ]
    const series = '<c:ser><c:tx><c:v>Visitors</c:v></c:tx><c:val><c:v>12</c:v></c:val></c:ser>'
    const { text } = await parse(
      makeZip({
        ...unzipSync(workbook({ S: { rows } })),
        'xl/worksheets/_rels/sheet1.xml.rels': rels('drawing', '../drawings/d.xml'),
        'xl/drawings/_rels/d.xml.rels': rels('chart', '../charts/c.xml'),
        'xl/charts/c.xml': `<c:chart><c:title><a:t>People in summer</a:t></c:title>${series}</c:chart>`,
      }),
    )
    expect(text).toMatch(/\| June \| 30 \|\n\nChart: People in summer \(Visitors\)$/)
  })

  it('reads keys with their values, and comments', async () => {
    expect(
      await sheetText([
        ['Project', 'Apollo'],
        ['Budget', 1200],
        ['Owner', 'Ada'],
        ['Start', 'May'],
      ]),
    ).toBe('Project: Apollo\nBudget: 1200\nOwner: Ada\nStart: May')
    expect(
      await sheetText([
        ['Item', 'Price'],
        ['Lamp', 20],
        ['Chair', 35],
      ]),
    ).toContain('| Item | Price |')
    const book = utils.book_new()
    const sheet: WorkSheet = utils.aoa_to_sheet([
      ['City', 'People'],
      ['Rome', 3],
      ['Oslo', 1],
    ])
    sheet.B2.c = [{ a: 'Ada', t: 'Counted in 2020.' }]
    utils.book_append_sheet(book, sheet, 'S')
    const { text } = await parse(new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })))
    expect(text).toMatch(/\| Oslo \| 1 \|\n\nComment on B2 by Ada: Counted in 2020\.$/)
  })

  it('reads very many rows', () => {
    const row = (n: number): SheetRow => [
      { column: 0, text: `Item ${n}` },
      { column: 1, text: `${n}` },
    ]
    const titles: SheetRow = [
      { column: 0, text: 'Name' },
      { column: 1, text: 'Sum' },
    ]
    const rows = Array.from({ length: 300_000 }, (_, n): [number, SheetRow] => [n + (n > 150_000 ? 2 : 1), row(n)])
    const [table, ...others] = sheetParts([[0, titles], ...rows])
    expect([others, table && 'rows' in table && table.rows.length]).toEqual([[], 300_000])
  })

  it('repeats merged cells, marks formulas without a value, and leaves hidden sheets out unless asked', async () => {
    const bytes = workbook({
      Sums: {
        rows: [
          ['Region', 'Month', 'Sum'],
          ['North', 'May', 1],
          [null, 'June', { t: 'n', f: 'SUM(C2:C2)' }],
        ],
        merges: ['A2:A3'],
      },
      Notes: { rows: [['secret draft']], isHidden: true },
    })
    const document = await parse(bytes)
    expect(document.text).toBe(
      `# Sums

| Region | Month | Sum |
| --- | --- | --- |
| North | May | 1 |
| North | June | =SUM(C2:C2) |`,
    )
    expect(document.warnings).toEqual(['Hidden sheets were left out: Notes.'])
    const whole = await parseBytes(bytes, { name: 'file' }, defaultLimits, { hiddenSheets: true })
    expect(whole.text).toBe(`${document.text}\n\n# Notes\n\nsecret draft`)
    expect(whole.warnings).toEqual([])
  })

  it('makes one page per sheet, with tables and single cells', async () => {
    const document = await parse(
      makeXlsx({
        Sales: [
          { row: 1, cells: { B: 'Sales of the year' } },
          { row: 3, cells: { B: 'Month', D: 'Sum' } },
          { row: 4, cells: { B: 'May', D: 12.5 } },
          { row: 5, cells: { B: 'June' } },
        ],
        Empty: [],
        Other: [{ row: 2, cells: { A: 'x', B: 'a|b' } }],
      }),
    )
    expect(document.pages.map(({ number, start, end }) => [number, document.text.slice(start, end)])).toEqual([
      [1, '# Sales\n\nSales of the year\n\n| Month | Sum |\n| --- | --- |\n| May | 12.5 |\n| June |'],
      [2, '# Empty'],
      [3, '# Other\n\n| x | a\\|b |\n| --- | --- |'],
    ])
    expect(document).toMatchObject({ format: 'xlsx' })
  })

  it('skips the empty cells of a very large sheet', async () => {
    const { text } = await parse(
      makeXlsx({
        Far: [
          { row: 1, cells: { A: 'first' } },
          { row: 1_048_576, cells: { XFD: 'last' } },
        ],
      }),
    )
    expect(text).toBe('# Far\n\nfirst\n\nlast')
  })

  it('stops at the text limit', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({
      row: index + 1,
      cells: { A: 'some words', B: 'more words' },
    }))
    await expect(parse(makeXlsx({ Long: rows }), { ...defaultLimits, textCharacters: 500 })).rejects.toMatchObject({
      code: 'too_large',
    })
  })
})

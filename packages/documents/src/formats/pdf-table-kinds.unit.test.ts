import { describe, expect, it } from 'vitest'
import { makePdf, type PdfLine } from '../../test/documents.ts'
import { drawn, figures, prose, stacked } from '../../test/pdf-tables.ts'
import { defaultLimits } from '../document.ts'
import { parsePdf } from './pdf.ts'

const read = (page: PdfLine[]) => parsePdf(makePdf([page]), defaultLimits)

async function tablesOn(page: PdfLine[]): Promise<string[]> {
  const { text, blocks = [] } = await read(page)
  return blocks.filter(({ kind }) => kind === 'table').map(({ start, end }) => text.slice(start, end))
}

type Words = [text: string, x: number, align?: 'left' | 'right' | 'center']

describe('kinds of tables in a PDF', () => {
  it('income statement of three years with a group over all', async () => {
    const three = [340, 430, 520]
    expect(
      await tablesOn([
        ...prose(760, ['The following table shows our results for the periods indicated.']),
        ...drawn(738, [['Year Ended', 418, 'center']]),
        ...stacked(726, ['December 28,', '2024'], 325),
        ...stacked(726, ['December 30,', '2023'], 415),
        ...stacked(726, ['December 31,', '2022'], 505),
        ...drawn(704, [['(In millions, except per share amounts)', 418, 'center']]),
        ...figures(690, 'Net revenue', three, ['$5,329', '$4,272', '$3,991']),
        ...figures(678, 'Cost of sales', three, ['3,506', '3,274', '2,911']),
        ...figures(666, 'Gross margin', three, ['1,823', '998', '1,080']),
        ...drawn(654, [['Earnings per share', 40]]),
        ...figures(642, 'Basic', three, ['$0.04', '$(0.60)', '$(0.84)'], 52),
        ...figures(630, 'Diluted', three, ['$0.04', '$(0.60)', '$(0.84)'], 52),
      ]),
    ).toEqual([
      `|  | Year Ended December 28, 2024 (In millions, except per share amounts) | Year Ended December 30, 2023 (In millions, except per share amounts) | Year Ended December 31, 2022 (In millions, except per share amounts) |
| --- | --- | --- | --- |
| Net revenue | $5,329 | $4,272 | $3,991 |
| Cost of sales | 3,506 | 3,274 | 2,911 |
| Gross margin | 1,823 | 998 | 1,080 |
| Earnings per share |  |  |  |
| Basic | $0.04 | $(0.60) | $(0.84) |
| Diluted | $0.04 | $(0.60) | $(0.84) |`,
    ])
  })

  it('a group of three quarters and a total without a group', async () => {
    const four = [260, 330, 400, 500]
    expect(
      await tablesOn([
        ...drawn(700, [['Quarter of 2024', 318, 'center']]),
        ...drawn(686, [
          ['Product', 40],
          ['First', 248, 'center'],
          ['Second', 318, 'center'],
          ['Third', 388, 'center'],
          ['All', 488, 'center'],
        ]),
        ...figures(672, 'Bikes', four, ['12', '40', '33', '85']),
        ...figures(660, 'Helmets', four, ['7', '18', '16', '41']),
        ...figures(648, 'Locks', four, ['3', '5', '-', '8']),
      ]),
    ).toEqual([
      `| Product | Quarter of 2024 First | Quarter of 2024 Second | Quarter of 2024 Third | All |
| --- | --- | --- | --- | --- |
| Bikes | 12 | 40 | 33 | 85 |
| Helmets | 7 | 18 | 16 | 41 |
| Locks | 3 | 5 | - | 8 |`,
    ])
  })

  it('cells of several lines, drawn cell by cell', async () => {
    const row = (y: number, cells: string[][]) =>
      cells.flatMap((lines, at) => stacked(y, lines, [40, 150, 330][at] ?? 0, 'left', 10))
    expect(
      await tablesOn([
        ...row(700, [['Role'], ['May do'], ['May not do']]),
        ...row(680, [['Viewer'], ['Read documents and', 'search in them'], ['Change anything']]),
        ...row(654, [['Editor'], ['Add and change', 'documents'], ['Invite people or', 'change roles']]),
        ...row(628, [['Admin'], ['Everything'], ['Delete the last', 'admin']]),
      ]),
    ).toEqual([
      `| Role | May do | May not do |
| --- | --- | --- |
| Viewer | Read documents and search in them | Change anything |
| Editor | Add and change documents | Invite people or change roles |
| Admin | Everything | Delete the last admin |`,
    ])
  })

  it('an invoice with currency behind its figures', async () => {
    const row = (y: number, no: string, what: string, count: string, each: string, sum: string): PdfLine[] =>
      drawn(y, [
        [no, 40],
        [what, 70],
        [count, 300, 'right'],
        [each, 400, 'right'],
        [sum, 500, 'right'],
      ])
    expect(
      await tablesOn([
        ...prose(760, ['Invoice 2024-117', 'Thank you for your order.']),
        ...row(700, 'No', 'Article', 'Quantity', 'Price', 'Amount'),
        ...row(686, '1', 'Desk of oak', '2', '410,00 EUR', '820,00 EUR'),
        ...row(672, '2', 'Chair', '4', '99,50 EUR', '398,00 EUR'),
        ...row(658, '3', 'Delivery', '1', '35,00 EUR', '35,00 EUR'),
        ...drawn(640, [
          ['Total', 330],
          ['1.253,00 EUR', 500, 'right'],
        ]),
      ]),
    ).toEqual([
      `| No | Article | Quantity | Price | Amount |
| --- | --- | --- | --- | --- |
| 1 | Desk of oak | 2 | 410,00 EUR | 820,00 EUR |
| 2 | Chair | 4 | 99,50 EUR | 398,00 EUR |
| 3 | Delivery | 1 | 35,00 EUR | 35,00 EUR |
|  |  |  | Total | 1.253,00 EUR |`,
    ])
  })

  it('five narrow columns of figures', async () => {
    const five = [180, 204, 228, 252, 276]
    const years = drawn(
      700,
      five.map((end, at): Words => [String(2020 + at), end, 'right']),
    )
    expect(
      await tablesOn([
        ...years,
        ...figures(689, 'Members of the association', five, ['1,201', '1,322', '1,410', '1,399', '1,502']),
        ...figures(678, 'Of these, paying', five, ['998', '1,020', '1,100', '1,087', '1,210']),
        ...figures(667, 'Events', five, ['12', '4', '9', '15', '17']),
      ]),
    ).toEqual([
      `|  | 2020 | 2021 | 2022 | 2023 | 2024 |
| --- | --- | --- | --- | --- | --- |
| Members of the association | 1,201 | 1,322 | 1,410 | 1,399 | 1,502 |
| Of these, paying | 998 | 1,020 | 1,100 | 1,087 | 1,210 |
| Events | 12 | 4 | 9 | 15 | 17 |`,
    ])
  })

  it('a schedule of short words with empty cells', async () => {
    const row = (y: number, ...texts: string[]) =>
      drawn(
        y,
        texts.flatMap((text, at): Words[] => (text === '' ? [] : [[text, 40 + at * 110]])),
      )
    expect(
      await tablesOn([
        ...prose(760, ['Program of the conference']),
        ...row(720, 'Time', 'Hall A', 'Hall B', 'Speaker'),
        ...row(704, '9:00', 'Welcome', '', 'Ada Example'),
        ...row(688, '9:30', 'Databases', 'Compilers', ''),
        ...row(672, '', 'Questions', 'Break', 'Grace Sample'),
        ...row(656, '11:00', 'Networks', 'Typing', 'Alan Test'),
      ]),
    ).toEqual([
      `| Time | Hall A | Hall B | Speaker |
| --- | --- | --- | --- |
| 9:00 | Welcome |  | Ada Example |
| 9:30 | Databases | Compilers |  |
|  | Questions | Break | Grace Sample |
| 11:00 | Networks | Typing | Alan Test |`,
    ])
  })

  it('a caption above and a note below stay text', async () => {
    const three = [300, 400, 500]
    const page = [
      ...drawn(724, [['Table 3: Unemployment by region', 270, 'center']]),
      ...drawn(708, [
        ['Region', 40],
        ['2023', 300, 'right'],
        ['2024', 400, 'right'],
        ['Change', 500, 'right'],
      ]),
      ...figures(694, 'North', three, ['4.1%', '4.6%', '+0.5%']),
      ...figures(682, 'South', three, ['3.2%', '3.1%', '(0.1)%']),
      ...figures(670, 'East (1)', three, ['6.0%', '5.2%', '(0.8)%']),
      ...prose(654, ['(1) Without the capital, which is counted on its own and not part of any of the regions.']),
    ]
    expect(await tablesOn(page)).toEqual([
      `| Region | 2023 | 2024 | Change |
| --- | --- | --- | --- |
| North | 4.1% | 4.6% | +0.5% |
| South | 3.2% | 3.1% | (0.1)% |
| East (1) | 6.0% | 5.2% | (0.8)% |`,
    ])
    expect((await read(page)).text).toContain('Table 3: Unemployment by region\n')
  })

  it('two tables with a heading between them', async () => {
    expect(
      await tablesOn([
        ...drawn(740, [
          ['Assets', 40],
          ['2024', 300, 'right'],
          ['2023', 400, 'right'],
        ]),
        ...figures(726, 'Cash', [300, 400], ['$10', '$20']),
        ...figures(714, 'Stock', [300, 400], ['31', '29']),
        ...figures(702, 'Sum', [300, 400], ['$41', '$49']),
        ...drawn(672, [['Employees at the end of the year', 40]]),
        ...drawn(648, [
          ['Site', 40],
          ['Full time', 220, 'right'],
          ['Part time', 330, 'right'],
          ['All', 450, 'right'],
        ]),
        ...figures(634, 'Bremen', [220, 330, 450], ['90', '12', '102']),
        ...figures(622, 'Kiel', [220, 330, 450], ['8', '3', '11']),
      ]),
    ).toEqual([
      `| Assets | 2024 | 2023 |
| --- | --- | --- |
| Cash | $10 | $20 |
| Stock | 31 | 29 |
| Sum | $41 | $49 |`,
      `| Site | Full time | Part time | All |
| --- | --- | --- | --- |
| Bremen | 90 | 12 | 102 |
| Kiel | 8 | 3 | 11 |`,
    ])
  })

  it('a table in the right column of a paper', async () => {
    const words = 'Some words of the running text that fill the column'
    const left = Array.from({ length: 12 }, (_, at) => `${words.slice(0, 44)} ${at}`)
    const page = [
      ...prose(740, left, 40),
      ...prose(740, ['The right column begins with a sentence', 'and shows the figures that were measured.'], 320),
      ...drawn(706, [
        ['Method', 320],
        ['Recall', 460, 'right'],
        ['Precision', 540, 'right'],
      ]),
      ...drawn(696, [
        ['Baseline', 320],
        ['0.61', 460, 'right'],
        ['0.70', 540, 'right'],
      ]),
      ...drawn(686, [
        ['Reranked', 320],
        ['0.74', 460, 'right'],
        ['0.81', 540, 'right'],
      ]),
      ...prose(664, ['After the table the text of the right column', 'goes on for two more lines of the page.'], 320),
    ]
    expect(await tablesOn(page)).toEqual([
      `| Method | Recall | Precision |
| --- | --- | --- |
| Baseline | 0.61 | 0.70 |
| Reranked | 0.74 | 0.81 |`,
    ])
    expect((await read(page)).text).toContain(left.join('\n'))
  })

  it('a group of change beside two years', async () => {
    const four = [280, 350, 440, 510]
    expect(
      await tablesOn([
        ...prose(760, ['The table shows the costs of both years and how they changed.']),
        ...drawn(720, [['Change', 470, 'center']]),
        ...drawn(708, [
          ['Costs', 40],
          ['2024', 280, 'right'],
          ['2023', 350, 'right'],
          ['Amount', 440, 'right'],
          ['%', 510, 'right'],
        ]),
        ...figures(694, 'Salaries', four, ['$820', '$790', '$30', '3.8']),
        ...figures(682, 'Rent', four, ['110', '120', '(10)', '(8.3)']),
        ...figures(670, 'Energy', four, ['45', '45', '-', '-']),
      ]),
    ).toEqual([
      `| Costs | 2024 | 2023 | Change Amount | Change % |
| --- | --- | --- | --- | --- |
| Salaries | $820 | $790 | $30 | 3.8 |
| Rent | 110 | 120 | (10) | (8.3) |
| Energy | 45 | 45 | - | - |`,
    ])
  })

  it('years down, measures across', async () => {
    const row = (y: number, ...texts: string[]) =>
      drawn(
        y,
        texts.map((text, at): Words => [text, 40 + at * 100]),
      )
    expect(
      await tablesOn([
        ...row(700, 'Year', 'Births', 'Deaths', 'Balance'),
        ...row(686, '2021', '795,492', '1,023,687', '-228,195'),
        ...row(672, '2022', '738,819', '1,066,341', '-327,522'),
        ...row(658, '2023', '692,989', '1,028,206', '-335,217'),
      ]),
    ).toEqual([
      `| Year | Births | Deaths | Balance |
| --- | --- | --- | --- |
| 2021 | 795,492 | 1,023,687 | -228,195 |
| 2022 | 738,819 | 1,066,341 | -327,522 |
| 2023 | 692,989 | 1,028,206 | -335,217 |`,
    ])
  })

  it('titles of three lines, drawn cell by cell', async () => {
    const three = [300, 400, 500]
    expect(
      await tablesOn([
        ...stacked(718, ['Number', 'of shares', 'granted'], 288),
        ...stacked(709, ['Exercise', 'price'], 388),
        ...stacked(718, ['Weighted', 'average', 'term'], 488),
        ...drawn(700, [['Plan', 40]]),
        ...figures(684, 'Employees', three, ['120', '$4.15', '3.2']),
        ...figures(672, 'Directors', three, ['16', '$7.69', '4.0']),
        ...figures(660, 'Advisers', three, ['4', '$2.00', '1.5']),
      ]),
    ).toEqual([
      `| Plan | Number of shares granted | Exercise price | Weighted average term |
| --- | --- | --- | --- |
| Employees | 120 | $4.15 | 3.2 |
| Directors | 16 | $7.69 | 4.0 |
| Advisers | 4 | $2.00 | 1.5 |`,
    ])
  })

  it('numbered steps with long descriptions', async () => {
    expect(
      await tablesOn([
        ...drawn(700, [
          ['Step', 40],
          ['Action', 90],
          ['Owner', 420],
        ]),
        ...drawn(684, [
          ['1', 40],
          ['Close the valve and wait until the pressure has fallen', 90],
          ['Operator', 420],
        ]),
        ...drawn(674, [['below two bar.', 90]]),
        ...drawn(656, [
          ['2', 40],
          ['Open the cover.', 90],
          ['Operator', 420],
        ]),
        ...drawn(638, [
          ['3', 40],
          ['Replace the filter. Note the date on the label that', 90],
          ['Engineer', 420],
        ]),
        ...drawn(628, [['is fixed to the housing.', 90]]),
        ...drawn(610, [
          ['4', 40],
          ['Start the pump.', 90],
          ['Operator', 420],
        ]),
      ]),
    ).toEqual([
      `| Step | Action | Owner |
| --- | --- | --- |
| 1 | Close the valve and wait until the pressure has fallen below two bar. | Operator |
| 2 | Open the cover. | Operator |
| 3 | Replace the filter. Note the date on the label that is fixed to the housing. | Engineer |
| 4 | Start the pump. | Operator |`,
    ])
  })

  it('eight months across', async () => {
    const ends = [130, 180, 230, 280, 330, 380, 430, 480]
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug']
    expect(
      await tablesOn([
        ...drawn(700, [['Visitors', 40], ...months.map((month, at): Words => [month, ends[at] ?? 0, 'right'])]),
        ...figures(688, 'Museum', ends, ['120', '98', '143', '201', '220', '310', '402', '390']),
        ...figures(676, 'Pool', ends, ['-', '-', '-', '45', '380', '910', '1,204', '1,377']),
        ...figures(664, 'Library', ends, ['88', '91', '90', '87', '72', '64', '31', '29']),
      ]),
    ).toEqual([
      `| Visitors | Jan | Feb | Mar | Apr | May | Jun | Jul | Aug |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
| Museum | 120 | 98 | 143 | 201 | 220 | 310 | 402 | 390 |
| Pool | - | - | - | 45 | 380 | 910 | 1,204 | 1,377 |
| Library | 88 | 91 | 90 | 87 | 72 | 64 | 31 | 29 |`,
    ])
  })

  it('sections and totals of a cash flow with sections', async () => {
    const two = [430, 520]
    expect(
      await tablesOn([
        ...drawn(740, [['Year ended', 465, 'center']]),
        ...drawn(728, [
          ['June 30, 2024', 430, 'right'],
          ['June 30, 2023', 520, 'right'],
        ]),
        ...drawn(712, [['Cash flows from operating activities:', 40]]),
        ...figures(700, 'Net income', two, ['$310', '$282'], 52),
        ...drawn(688, [['Adjustments:', 52]]),
        ...figures(676, 'Depreciation', two, ['44', '41'], 64),
        ...figures(664, 'Net cash from operating activities', two, ['354', '323'], 52),
        ...drawn(648, [['Cash flows from investing activities:', 40]]),
        ...figures(636, 'Purchases of property', two, ['(80)', '(77)'], 52),
        ...figures(620, 'Increase in cash', two, ['$274', '$246']),
      ]),
    ).toEqual([
      `|  | Year ended June 30, 2024 | Year ended June 30, 2023 |
| --- | --- | --- |
| Cash flows from operating activities: |  |  |
| Net income | $310 | $282 |
| Adjustments: |  |  |
| Depreciation | 44 | 41 |
| Net cash from operating activities | 354 | 323 |
| Cash flows from investing activities: |  |  |
| Purchases of property | (80) | (77) |
| Increase in cash | $274 | $246 |`,
    ])
  })

  it('products with codes, prices and notes', async () => {
    const row = (y: number, code: string, name: string, price: string, stock: string, note: string) =>
      drawn(y, [
        [code, 40],
        [name, 110],
        [price, 320, 'right'],
        [stock, 380, 'right'],
        ...(note ? [[note, 410] as Words] : []),
      ])
    expect(
      await tablesOn([
        ...row(700, 'Code', 'Product', 'Price', 'Stock', 'Note'),
        ...row(686, 'KX-100', 'Keyboard', '$49.90', '120', ''),
        ...row(672, 'MS-210', 'Mouse, wireless', '$24.50', '0', 'from May'),
        ...row(658, 'HD-900', 'Headset', '$89.00', '14', ''),
        ...row(644, 'CB-001', 'Cable', '$3.95', '1,310', 'bulk only'),
      ]),
    ).toEqual([
      `| Code | Product | Price | Stock | Note |
| --- | --- | --- | --- | --- |
| KX-100 | Keyboard | $49.90 | 120 |  |
| MS-210 | Mouse, wireless | $24.50 | 0 | from May |
| HD-900 | Headset | $89.00 | 14 |  |
| CB-001 | Cable | $3.95 | 1,310 | bulk only |`,
    ])
  })

  it('groups of two levels', async () => {
    const four = [280, 350, 430, 500]
    expect(
      await tablesOn([
        ...drawn(724, [['Fair value', 380, 'center']]),
        ...drawn(712, [
          ['Level 1', 305, 'center'],
          ['Level 2', 455, 'center'],
        ]),
        ...drawn(
          700,
          four.map((end, at): Words => [at % 2 ? '2023' : '2024', end, 'right']),
        ),
        ...figures(686, 'Money market', four, ['$500', '$450', '$-', '$-']),
        ...figures(674, 'Bonds', four, ['-', '-', '210', '195']),
        ...figures(662, 'Total', four, ['$500', '$450', '$210', '$195']),
      ]),
    ).toEqual([
      `|  | Fair value Level 1 2024 | Fair value Level 1 2023 | Fair value Level 2 2024 | Fair value Level 2 2023 |
| --- | --- | --- | --- | --- |
| Money market | $500 | $450 | $- | $- |
| Bonds | - | - | 210 | 195 |
| Total | $500 | $450 | $210 | $195 |`,
    ])
  })

  it('groups over the cells of columns whose figures stand at the right', async () => {
    const four = [210, 340, 460, 570]
    const center = (text: string, x: number): Words => [text, x, 'center']
    expect(
      await tablesOn([
        ...drawn(724, [center('Output (t)', 345)]),
        ...drawn(712, [center('First half', 215), center('Second half', 450)]),
        ...drawn(700, [['Plant', 40], ...four.map((end, at): Words => [at % 2 ? '2024' : '2023', end, 'right'])]),
        ...figures(688, 'Lund', four, ['12.1', '12.9', '11.4', '13.0']),
        ...figures(676, 'Kiruna', four, ['3.0', '2.7', '3.3', '2.5']),
        ...figures(664, 'Malmo', four, ['8.8', '9.1', '8.2', '9.6']),
      ]),
    ).toEqual([
      `| Plant | Output (t) First half 2023 | Output (t) First half 2024 | Output (t) Second half 2023 | Output (t) Second half 2024 |
| --- | --- | --- | --- | --- |
| Lund | 12.1 | 12.9 | 11.4 | 13.0 |
| Kiruna | 3.0 | 2.7 | 3.3 | 2.5 |
| Malmo | 8.8 | 9.1 | 8.2 | 9.6 |`,
    ])
  })

  it('a table between paragraphs, columns drawn from the right', async () => {
    const column = (x: number, texts: string[], align: 'left' | 'right') =>
      texts.flatMap((text, at) => drawn(690 - at * 12, [[text, x, align]]))
    const page = [
      ...prose(740, [
        'Rainfall in the three valleys was measured every month, and the sums of the',
        'summer are given below in millimeters.',
      ]),
      ...column(450, ['2024', '310', '275', '402', '198'], 'right'),
      ...column(350, ['2023', '290', '301', '377', '240'], 'right'),
      ...column(60, ['Valley', 'Upper', 'Middle', 'Lower', 'Mouth'], 'left'),
      ...prose(610, ['All values come from the stations of the weather service and were checked twice.']),
    ]
    expect(await tablesOn(page)).toEqual([
      `| Valley | 2023 | 2024 |
| --- | --- | --- |
| Upper | 290 | 310 |
| Middle | 301 | 275 |
| Lower | 377 | 402 |
| Mouth | 240 | 198 |`,
    ])
  })

  it('a table of an invoice, below fields in two columns', async () => {
    const four = [330, 420, 520]
    const page = [
      ...prose(760, ['Harrow Joinery Ltd']),
      ...drawn(748, [
        ['Millgate 14, Lewes', 40],
        ['Date of issue: 12 March 2026', 400],
      ]),
      ...drawn(736, [
        ['VAT no. GB 418', 40],
        ['Payment due: 11 April 2026', 400],
      ]),
      ...prose(716, ['Bill to', 'Marlowe Dental']),
      ...drawn(690, [
        ['Item', 40],
        ['Qty', 330, 'right'],
        ['Price', 420, 'right'],
        ['Amount', 520, 'right'],
      ]),
      ...figures(678, 'Wall cabinet', four, ['6', '$215.00', '$1,290.00']),
      ...figures(666, 'Fitting', four, ['3', '$340.00', '$1,020.00']),
      ...figures(654, 'Total due', four, ['', '', '$2,310.00']),
    ]
    const { text } = await read(page)
    expect(text).toContain('Payment due: 11 April 2026')
    expect(await tablesOn(page)).toEqual([
      `| Item | Qty | Price | Amount |
| --- | --- | --- | --- |
| Wall cabinet | 6 | $215.00 | $1,290.00 |
| Fitting | 3 | $340.00 | $1,020.00 |
| Total due |  |  | $2,310.00 |`,
    ])
  })
})

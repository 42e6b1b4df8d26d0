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

const ends = [420, 520]

describe('tables in a PDF', () => {
  it('give every column its period, although sections stand between the titles and the first row', async () => {
    const page = [
      ...drawn(740, [['Example Corporation', 290, 'center']]),
      ...drawn(726, [['Consolidated Balance Sheets', 290, 'center']]),
      ...stacked(700, ['December 30,', '2024'], 400),
      ...stacked(700, ['December 31,', '2023'], 500),
      ...drawn(680, [['(In millions)', 450, 'center']]),
      ...drawn(668, [['ASSETS', 40]]),
      ...drawn(656, [['Current assets:', 40]]),
      ...figures(644, 'Cash', ends, ['$1,185', '$1,264'], 52),
      ...figures(632, 'Accounts receivable', ends, ['400', '311'], 52),
      ...figures(620, 'Short-term loss', ends, ['(33)', '-'], 52),
      ...figures(608, 'Total assets', ends, ['$1,552', '$1,575']),
    ]
    expect(await tablesOn(page)).toEqual([
      `|  | December 30, 2024 (In millions) | December 31, 2023 (In millions) |
| --- | --- | --- |
| ASSETS |  |  |
| Current assets: |  |  |
| Cash | $1,185 | $1,264 |
| Accounts receivable | 400 | 311 |
| Short-term loss | (33) | - |
| Total assets | $1,552 | $1,575 |`,
    ])
    expect((await read(page)).text).toContain('Example Corporation\nConsolidated Balance Sheets\n\n|')
  })

  it('go on over pages under the same header', async () => {
    const head = (y: number) =>
      drawn(y, [['Region', 40], ...ends.map((end, at): [string, number, 'right'] => [`${2023 + at}`, end, 'right'])])
    const rows = (y: number, names: string[]) =>
      names.flatMap((name, at) => figures(y - 12 * at, name, ends, [`${at + 1}0`, `${at + 2}5`]))
    const first = [
      ...prose(740, ['Sales by region are in the table.']),
      ...head(700),
      ...rows(688, ['North', 'South', 'East']),
    ]
    const second = [
      ...head(740),
      ...rows(728, ['West', 'Centre', 'Islands']),
      ...prose(600, ['All figures are final.']),
    ]
    const { text, blocks = [], pages } = await parsePdf(makePdf([first, second]), defaultLimits)
    expect(blocks.filter(({ kind }) => kind === 'table').map(({ start, end }) => text.slice(start, end))).toEqual([
      `| Region | 2023 | 2024 |
| --- | --- | --- |
| North | 10 | 25 |
| South | 20 | 35 |
| East | 30 | 45 |
| West | 10 | 25 |
| Centre | 20 | 35 |
| Islands | 30 | 45 |`,
    ])
    expect(text.slice(pages[1]?.start, pages[1]?.end)).toMatch(/^\| West .*final\.$/s)
  })

  it('repeat the title of a group for each of its columns', async () => {
    const four = [300, 370, 450, 520]
    expect(
      await tablesOn([
        ...drawn(700, [
          ['Three months ended', 325, 'center'],
          ['Six months ended', 475, 'center'],
        ]),
        ...drawn(688, [
          ['Segment', 40],
          ...four.map((end, at): [string, number, 'right'] => [at % 2 ? '2023' : '2024', end, 'right']),
        ]),
        ...figures(676, 'Computing', four, ['$301', '$187', '$612', '$355']),
        ...figures(664, 'Gaming', four, ['44', '61', '90', '(4)']),
        ...figures(652, 'Total', four, ['$345', '$248', '$702', '$351']),
      ]),
    ).toEqual([
      `| Segment | Three months ended 2024 | Three months ended 2023 | Six months ended 2024 | Six months ended 2023 |
| --- | --- | --- | --- | --- |
| Computing | $301 | $187 | $612 | $355 |
| Gaming | 44 | 61 | 90 | (4) |
| Total | $345 | $248 | $702 | $351 |`,
    ])
  })

  it('have rows even if each column is drawn on its own', async () => {
    const column = (x: number, texts: string[], align: 'left' | 'right') =>
      texts.flatMap((text, at) => drawn(700 - at * 14, [[text, x, align]]))
    expect(
      await tablesOn([
        ...prose(740, ['The following table lists the stores and what they sold last year.']),
        ...column(40, ['City', 'Berlin', 'Hamburg', 'Munich'], 'left'),
        ...column(250, ['Stores', '12', '7', '9'], 'right'),
        ...column(350, ['Revenue', '1,204', '866', '975'], 'right'),
        ...prose(630, ['The stores in Munich were opened in the spring, and one of them was closed again.']),
      ]),
    ).toEqual([
      `| City | Stores | Revenue |
| --- | --- | --- |
| Berlin | 12 | 1,204 |
| Hamburg | 7 | 866 |
| Munich | 9 | 975 |`,
    ])
  })

  it('split labels from figures that stand close to them', async () => {
    expect(
      await tablesOn([
        ...drawn(700, [
          ['2024', 160, 'right'],
          ['2023', 186, 'right'],
        ]),
        ...figures(688, 'Net sales', [160, 186], ['2,410', '2,209']),
        ...drawn(676, [
          ['Adjusted operating EBITDA 609', 40],
          ['552', 186, 'right'],
        ]),
        ...figures(664, 'Capital expenditure, net', [160, 186], ['118', '97']),
        ...figures(652, 'Headcount', [160, 186], ['8,031', '7,790']),
      ]),
    ).toEqual([
      `|  | 2024 | 2023 |
| --- | --- | --- |
| Net sales | 2,410 | 2,209 |
| Adjusted operating EBITDA | 609 | 552 |
| Capital expenditure, net | 118 | 97 |
| Headcount | 8,031 | 7,790 |`,
    ])
  })

  it('join labels of several lines', async () => {
    expect(
      await tablesOn([
        ...drawn(700, [
          ['2024', 420, 'right'],
          ['2023', 520, 'right'],
        ]),
        ...figures(684, 'Net income', ends, ['$54', '$43']),
        ...prose(668, ['Common stock issued under plans for employees,']),
        ...figures(659, 'net of tax withholding', ends, ['16', '27']),
        ...figures(643, 'Reclassification adjustment for losses', ends, ['7', '(2)']),
        ...prose(634, ['realized and included in net income']),
        ...figures(618, 'Total', ends, ['$77', '$68']),
      ]),
    ).toEqual([
      `|  | 2024 | 2023 |
| --- | --- | --- |
| Net income | $54 | $43 |
| Common stock issued under plans for employees, net of tax withholding | 16 | 27 |
| Reclassification adjustment for losses realized and included in net income | 7 | (2) |
| Total | $77 | $68 |`,
    ])
  })

  it('join cells of several lines if the cells are words', async () => {
    expect(
      await tablesOn([
        ...drawn(700, [
          ['Setting', 40],
          ['Default', 140],
          ['Meaning', 220],
        ]),
        ...drawn(682, [
          ['timeout', 40],
          ['none', 140],
          ['The time after which a request that has no', 220],
        ]),
        ...drawn(672, [['answer is given up and sent again.', 220]]),
        ...drawn(656, [
          ['retries', 40],
          ['three', 140],
          ['How often a request is sent again before', 220],
        ]),
        ...drawn(646, [['the caller gets an error, which names', 220]]),
        ...drawn(636, [['the last answer.', 220]]),
        ...drawn(620, [
          ['proxy', 40],
          ['none', 140],
          ['The address of a proxy for all requests.', 220],
        ]),
      ]),
    ).toEqual([
      `| Setting | Default | Meaning |
| --- | --- | --- |
| timeout | none | The time after which a request that has no answer is given up and sent again. |
| retries | three | How often a request is sent again before the caller gets an error, which names the last answer. |
| proxy | none | The address of a proxy for all requests. |`,
    ])
  })

  it('read from left to right, also if they were drawn from right to left', async () => {
    const row = (y: number, label: string, first: string, second: string) =>
      drawn(y, [
        [second, 400, 'right'],
        [first, 300, 'right'],
        [label, 40],
      ])
    expect(
      await tablesOn([
        ...row(700, 'Region', 'Orders', 'Returns'),
        ...row(686, 'North', '1,310', '42'),
        ...row(672, 'South', '987', '31'),
        ...row(658, 'West', '1,105', '58'),
      ]),
    ).toEqual([
      `| Region | Orders | Returns |
| --- | --- | --- |
| North | 1,310 | 42 |
| South | 987 | 31 |
| West | 1,105 | 58 |`,
    ])
  })

  it('keep signs at their figures and titles of several lines together', async () => {
    const three = [300, 400, 500]
    expect(
      await tablesOn([
        ...drawn(704, [['Change', 488, 'center']]),
        ...drawn(695, [
          ['Share of', 388, 'center'],
          ['against', 488, 'center'],
        ]),
        ...drawn(686, [
          ['Region', 40],
          ['Revenue', 288, 'center'],
          ['total', 388, 'center'],
          ['last year', 488, 'center'],
        ]),
        ...figures(672, 'Europe', three, ['$812', '47%', '(3.5)%']),
        ...figures(658, 'America', three, ['640', '37%', '1.2%']),
        ...figures(644, 'Asia', three, ['(25)', '-', '(8.0)%']),
      ]),
    ).toEqual([
      `| Region | Revenue | Share of total | Change against last year |
| --- | --- | --- | --- |
| Europe | $812 | 47% | (3.5)% |
| America | 640 | 37% | 1.2% |
| Asia | (25) | - | (8.0)% |`,
    ])
  })

  it('have no row of data in their header', async () => {
    const row = (y: number, ...texts: string[]) =>
      drawn(
        y,
        texts.map((text, at): [string, number] => [text, 40 + at * 120]),
      )
    expect(
      await tablesOn([
        ...row(700, 'Order', 'State', 'Amount', 'Owner'),
        ...row(686, 'A-1', 'open', 'unknown', 'Ada'),
        ...row(672, 'A-2', 'open', 'unknown', 'Grace'),
        ...row(658, 'A-3', 'paid', '312.50', 'Ada'),
        ...row(644, 'A-4', 'paid', '90.00', 'Alan'),
        ...row(630, 'A-5', 'paid', '18.75', 'Grace'),
      ]),
    ).toEqual([
      `| Order | State | Amount | Owner |
| --- | --- | --- | --- |
| A-1 | open | unknown | Ada |
| A-2 | open | unknown | Grace |
| A-3 | paid | 312.50 | Ada |
| A-4 | paid | 90.00 | Alan |
| A-5 | paid | 18.75 | Grace |`,
    ])
  })

  it('may have dots between labels and figures, unless these are the pages of a table of contents', async () => {
    const led = (y: number, label: string, ...values: string[]) => [
      ...drawn(y, [[`${label} ${'. '.repeat(30)}`, 40]]),
      ...figures(y, ' ', ends, values),
    ]
    const page = [
      ...drawn(714, [
        ['2024', 420, 'right'],
        ['2023', 520, 'right'],
      ]),
      ...led(700, 'Revenue', '$609', '$580'),
      ...led(686, 'Cost of sales', '311', '290'),
      ...led(672, 'Gross profit', '$298', '$290'),
    ]
    expect(await tablesOn(page)).toEqual([
      `|  | 2024 | 2023 |
| --- | --- | --- |
| Revenue | $609 | $580 |
| Cost of sales | 311 | 290 |
| Gross profit | $298 | $290 |`,
    ])
    /** One text that ends at about the same place as the others. */
    const line = (y: number, label: string, value: string) =>
      drawn(y, [[`${label} ${'.'.repeat(90 - 2 * label.length)} ${value}`, 40]])
    const prices = [...line(700, 'Coffee', '3.20'), ...line(686, 'Tea', '2.80'), ...line(672, 'Apple juice', '3.50')]
    expect(await tablesOn(prices)).toEqual([
      `|  |  |
| --- | --- |
| Coffee | 3.20 |
| Tea | 2.80 |
| Apple juice | 3.50 |`,
    ])
    const contents = [
      ...[...line(700, 'Introduction', '1'), ...line(686, 'Methods', '12')],
      ...[...line(672, 'Results', '12'), ...line(658, 'Index', '140')],
    ]
    expect(await tablesOn(contents)).toEqual([])
  })

  it('are not made of cover pages with captions below their values, or of lines to sign on', async () => {
    const pair = (y: number, left: string, right: string) =>
      drawn(y, [
        [left, 160, 'center'],
        [right, 430, 'center'],
      ])
    const cover = [
      ...pair(700, 'Utopia', '12-3456789'),
      ...pair(690, '(State of incorporation)', '(Employer number)'),
      ...pair(670, '1 Example Street, Exampleton', '95054'),
      ...pair(660, '(Address of the offices)', '(Zip code)'),
    ]
    expect(await tablesOn(cover)).toEqual([])
    expect((await read(cover)).text).toContain('Utopia 12-3456789')
    const signatures = [
      ...pair(700, 'EXAMPLE, INC.', 'PARTICIPANT'),
      ...pair(680, 'By: ________________', 'By: ________________'),
      ...pair(660, 'Print name:', 'Print name:'),
      ...pair(640, 'Date:', 'Date:'),
    ]
    expect(await tablesOn(signatures)).toEqual([])
    const keys = [
      ...drawn(700, [
        ['Name:', 40],
        ['Ada', 200],
      ]),
      ...drawn(686, [
        ['City:', 40],
        ['Berlin (Mitte)', 200],
      ]),
      ...drawn(672, [
        ['Salary:', 40],
        ['5,000', 200],
      ]),
    ]
    expect(await tablesOn(keys)).toHaveLength(1)
  })
  it('keep the numbers of notes apart from figures', async () => {
    const note = (y: number, x: number) => ({ text: '3', x, y: y + 4, size: 5 })
    const row = (y: number, label: string, first: string, second: string) => [
      ...drawn(y, [[label, 40]]),
      ...drawn(y, [[first, 220, 'right']]),
      note(y, 220.3),
      ...drawn(y, [[second, 300, 'right']]),
    ]
    const [table] = await tablesOn([
      ...drawn(700, [
        ['Measure', 40],
        ['2023', 220, 'right'],
        ['2022', 300, 'right'],
      ]),
      ...row(686, 'Output (kt)', '1,210', '1,180'),
      ...row(672, 'Days lost', '98', '112'),
    ])
    expect(table?.split('\n').slice(2)).toEqual(['| Output (kt) | 1,210 3 | 1,180 |', '| Days lost | 98 3 | 112 |'])
  })

  it('have no header if they are pairs of a label and a value', async () => {
    const pairs = [
      ['Manufacturer', 'Norden Pumps AB'],
      ['Model', 'Centrifugal'],
      ['Protection', 'IP 55'],
    ] as const
    const page = pairs.flatMap(([label, value], at) =>
      drawn(700 - at * 14, [
        [label, 40],
        [value, 180],
      ]).map((line, place) => ({ ...line, isBold: place === 0 })),
    )
    const rows = pairs.map(([label, value]) => `| ${label} | ${value} |`)
    expect(await tablesOn(page)).toEqual([['|  |  |', '| --- | --- |', ...rows].join('\n')])
    const head = drawn(714, [
      ['Property', 40],
      ['Value', 180],
    ]).map((line) => ({ ...line, isBold: true }))
    expect(await tablesOn([...head, ...page])).toEqual([['| Property | Value |', '| --- | --- |', ...rows].join('\n')])
  })

  it('have their periods in the header if a change stands beside them', async () => {
    const ends = [200, 250, 300, 360, 410, 460]
    const [table] = await tablesOn([
      ...drawn(715, [
        ['Three Months Ended June 30,', 235, 'center'],
        ['Six Months Ended June 30,', 395, 'center'],
      ]),
      ...figures(698, '(in millions)', ends, ['2024', '2023', 'Change', '2024', '2023', 'Change']),
      ...figures(684, 'Industrial', ends, ['433', '451', '(4)%', '870', '902', '(4)%']),
      ...figures(670, 'Consumer', ends, ['129', '118', '9%', '244', '231', '6%']),
      ...figures(656, 'Corporate', ends, ['2', '3', '(33)%', '4', '5', '(20)%']),
    ])
    expect(table?.split('\n')[0]).toBe(
      `| (in millions) | ${['Three', 'Six'].flatMap((months) => ['2024', '2023', 'Change'].map((title) => `${months} Months Ended June 30, ${title}`)).join(' | ')} |`,
    )
    expect(table?.split('\n')).toHaveLength(5)
  })

  it('divide columns although the title of a group reaches over the gap between two of them', async () => {
    const four = [210, 280, 360, 440]
    const [table] = await tablesOn([
      ...drawn(715, [
        ['Quarter ended', 216, 'center'],
        ['2024', 425, 'center'],
      ]),
      ...drawn(700, [
        ['Sep 30, 2024', 182, 'center'],
        ['Jun 30, 2024', 252, 'center'],
        ['Change', 345, 'center'],
        ['Budget', 425, 'center'],
      ]),
      ...figures(684, 'Retail', four, ['310', '305', '1.6%', '320']),
      ...figures(670, 'Wholesale', four, ['98', '104', '(5.8)%', '100']),
      ...figures(656, 'Total', four, ['408', '409', '(0.2)%', '420']),
    ])
    expect(table?.split('\n').slice(0, 3)).toEqual([
      '|  | Quarter ended Sep 30, 2024 | Quarter ended Jun 30, 2024 | Change | 2024 Budget |',
      '| --- | --- | --- | --- | --- |',
      '| Retail | 310 | 305 | 1.6% | 320 |',
    ])
  })
  it('have no caption in their header that is centred over the page', async () => {
    const two = [370, 440]
    const { text } = await read([
      ...drawn(740, [['HARBOUR COMPANY', 300, 'center']]),
      ...drawn(728, [['CONSOLIDATED STATEMENTS OF CASH FLOWS', 300, 'center']]),
      ...drawn(716, [['(In thousands)', 300, 'center']]),
      ...drawn(698, [['Years Ended December 31,', 385, 'center']]),
      ...figures(684, '', two, ['2024', '2023']),
      ...drawn(670, [['Adjustments to reconcile net income to net cash of operating activities:', 40]]),
      ...figures(656, 'Net cash provided by operating activities of all companies', two, ['$48,210', '$39,775']),
      ...figures(642, 'Depreciation', two, ['21,604', '20,118']),
      ...figures(628, 'Accounts receivable', two, ['(6,118)', '2,440']),
    ])
    expect(text).toContain(
      'FLOWS\n(In thousands)\n\n|  | Years Ended December 31, 2024 | Years Ended December 31, 2023 |\n',
    )
    expect(text).toContain('\n| Adjustments to reconcile net income')
  })

  it('join a line that goes on with a sentence, also if the rows are close to each other', async () => {
    const row = (y: number, option: string, effect: string, preset: string) =>
      drawn(y, [
        [option, 40],
        [effect, 120],
        [preset, 380],
      ])
    const [table] = await tablesOn([
      ...row(700, 'Option', 'Effect', 'Default'),
      ...row(688, 'keep', 'Keeps temporary files after the run so that they', 'no'),
      ...drawn(678, [['can be inspected.', 120]]),
      ...row(666, 'jobs', 'Runs several tasks at the same time.', '1'),
      ...row(654, 'retries', 'Repeats a task that failed, with a growing', '3').slice(0, 2),
      ...drawn(644, [['pause between the attempts.', 120]]),
    ])
    expect(table?.split('\n').slice(2)).toEqual([
      '| keep | Keeps temporary files after the run so that they can be inspected. | no |',
      '| jobs | Runs several tasks at the same time. | 1 |',
      '| retries | Repeats a task that failed, with a growing pause between the attempts. |  |',
    ])
  })
})

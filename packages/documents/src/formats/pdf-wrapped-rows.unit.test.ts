import { describe, expect, it } from 'vitest'
import { makePdf, type PdfLine } from '../../test/documents.ts'
import { drawn, prose, stacked } from '../../test/pdf-tables.ts'
import { defaultLimits } from '../document.ts'
import { parsePdf } from './pdf.ts'

const read = async (page: PdfLine[]): Promise<string> => (await parsePdf(makePdf([page]), defaultLimits)).text

/** One cell after the other, each line on its own, as browsers and word processors draw them. */
const cell = (y: number, x: number, ...texts: string[]): PdfLine[] => stacked(y, texts, x, 'left')

describe('wrapped cells in a PDF', () => {
  it('are one row, whichever cell is the longest', async () => {
    const [no, rule, reason, owner] = [40, 70, 260, 450]
    const heads = drawn(700, [
      ['No.', no],
      ['Rule', rule],
      ['Reason', reason],
      ['Owner', owner],
    ])
    expect(
      await read([
        ...heads,
        ...cell(686, no, 'R1'),
        ...cell(686, rule, 'The system logs every change of a record', 'with its time and user.'),
        ...cell(686, reason, 'Auditors ask for a trail of customer-', 'related changes that goes back', 'seven years.'),
        ...cell(686, owner, 'Records'),
        ...cell(655, no, 'R2'),
        ...cell(655, rule, 'Exports are encrypted.'),
        ...cell(655, reason, 'Policy 12.'),
        ...cell(655, owner, 'Security and', 'operations'),
        ...cell(633, no, 'R3'),
        ...cell(633, rule, 'Every dialog can be used', 'with a keyboard.'),
        ...cell(633, reason, 'Accessibility law.'),
        ...cell(633, owner, 'Web team'),
      ]),
    ).toBe(`| No. | Rule | Reason | Owner |
| --- | --- | --- | --- |
| R1 | The system logs every change of a record with its time and user. | Auditors ask for a trail of customer-related changes that goes back seven years. | Records |
| R2 | Exports are encrypted. | Policy 12. | Security and operations |
| R3 | Every dialog can be used with a keyboard. | Accessibility law. | Web team |`)
  })

  it('are one row if they are aligned in the middle', async () => {
    expect(
      await read([
        ...drawn(700, [
          ['No.', 40],
          ['Rule', 70],
          ['Owner', 300],
        ]),
        ...cell(680, 40, 'R1'),
        ...cell(684.5, 70, 'The system logs every change of a record', 'with its time and user.'),
        ...cell(680, 300, 'Records'),
        ...cell(652, 40, 'R2'),
        ...cell(661, 70, 'Backups are restored in a test', 'once every quarter, or after a', 'change of the software.'),
        ...cell(656.5, 300, 'Operations', 'and support'),
        ...cell(628, 40, 'R3'),
        ...cell(632.5, 70, 'Exports are', 'encrypted.'),
        ...cell(628, 300, 'Security'),
      ]),
    ).toBe(`| No. | Rule | Owner |
| --- | --- | --- |
| R1 | The system logs every change of a record with its time and user. | Records |
| R2 | Backups are restored in a test once every quarter, or after a change of the software. | Operations and support |
| R3 | Exports are encrypted. | Security |`)
  })

  it('keep the lines of a title together under the title of their group', async () => {
    const figures = (y: number, label: string, values: string[]) =>
      drawn(y, [
        [label, 40],
        ...values.map((value, at) => [value, [232, 312, 402, 482][at] ?? 0, 'right'] as [string, number, 'right']),
      ])
    expect(
      await read([
        ...drawn(700, [
          ['2024', 260, 'center'],
          ['2023', 430, 'center'],
        ]),
        ...stacked(679, ['Number', 'of Options'], 220),
        ...stacked(688, ['Weighted', 'Average', 'Price'], 300),
        ...stacked(679, ['Number', 'of Options'], 390),
        ...stacked(688, ['Weighted', 'Average', 'Price'], 470),
        ...figures(656, 'Issued', ['45', '16.90', '51', '17.30']),
        ...figures(644, 'Exercised', ['22', '9.81', '15', '8.44']),
        ...figures(632, 'Cancelled', ['4', '15.00', '4', '12.75']),
      ]),
    ).toBe(`|  | 2024 Number of Options | 2024 Weighted Average Price | 2023 Number of Options | 2023 Weighted Average Price |
| --- | --- | --- | --- | --- |
| Issued | 45 | 16.90 | 51 | 17.30 |
| Exercised | 22 | 9.81 | 15 | 8.44 |
| Cancelled | 4 | 15.00 | 4 | 12.75 |`)
  })

  it('does not take columns of running text for cells', async () => {
    const left = [
      'The council met on Monday to discuss',
      'the plan for the new bridge, which',
      'was approved by a narrow margin.',
    ]
    const right = [
      'Traffic will be led over the ring',
      'road until the work is finished,',
      'which is expected in spring.',
    ]
    const text = await read([...prose(700, left, 40), ...prose(700, right, 310)])
    expect(text).toBe([left.join('\n'), right.join('\n')].join('\n\n'))
  })
})

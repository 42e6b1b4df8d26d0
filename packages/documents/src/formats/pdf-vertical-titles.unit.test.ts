import { expect, it } from 'vitest'
import { makePdf, type PdfLine } from '../../test/documents.ts'
import { drawn } from '../../test/pdf-tables.ts'
import { defaultLimits } from '../document.ts'
import { parsePdf } from './pdf.ts'

const read = async (page: PdfLine[]): Promise<string> => (await parsePdf(makePdf([page]), defaultLimits)).text

const vertical = (text: string, x: number): PdfLine => ({ text, x, y: 640, size: 8, isVertical: true })

it('gives columns of a PDF the titles that are written upwards', async () => {
  const row = (y: number, label: string, values: string[]) =>
    drawn(y, [[label, 40], ...values.map((value, at): [string, number] => [value, 160 + at * 36])])
  expect(
    await read([
      ...drawn(700, [['Safety devices by room', 40]]),
      ...drawn(640, [['Room', 40]]),
      ...row(624, 'Kitchen', ['4', '2', '7']),
      ...row(610, 'Server room', ['0', '3', '10']),
      ...row(596, 'Workshop', ['9', '1', '18']),
      vertical('Extinguishers', 165),
      vertical('Alarm', 197),
      vertical('buttons', 206),
      vertical('All devices', 237),
      { text: 'Form 18', x: 600, y: 100, size: 8, isVertical: true },
    ]),
  ).toBe(`Safety devices by room

| Room | Extinguishers | Alarm buttons | All devices |
| --- | --- | --- | --- |
| Kitchen | 4 | 2 | 7 |
| Server room | 0 | 3 | 10 |
| Workshop | 9 | 1 | 18 |

Form 18`)
})

it('loses no label of a drawing with hundreds of vertical ones', async () => {
  const labels = Array.from({ length: 300 }, (_, n) => `label${n}`)
  const page = labels.map((text, n) => ({
    text,
    x: 20 + (n % 30) * 18,
    y: 40 + Math.floor(n / 30) * 70,
    isVertical: true,
  }))
  const upright = Array.from({ length: 60 }, (_, n) => ({
    text: 'The plan of the ground floor.',
    x: 40,
    y: 20 - n / 10,
  }))
  const { text } = await parsePdf(makePdf([[...page, ...upright]]), defaultLimits)
  expect(labels.filter((label) => !text.split(/\s+/).includes(label))).toEqual([])
})

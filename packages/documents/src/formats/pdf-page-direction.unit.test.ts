import { expect, it } from 'vitest'
import { makePdf } from '../../test/documents.ts'
import { drawn, figures } from '../../test/pdf-tables.ts'
import { defaultLimits } from '../document.ts'
import { parsePdf } from './pdf.ts'

it('reads a table that lies on its side in a PDF', async () => {
  const ends = [420, 520]
  const page = [
    ...drawn(500, [['Cash flows for the years ended December 31', 40]]),
    ...figures(470, '', ends, ['2023', '2022']),
    ...figures(456, 'Net income', ends, ['1,204', '988']),
    ...figures(442, 'Depreciation', ends, ['310', '295']),
    ...figures(428, 'Change in receivables', ends, ['(45)', '12']),
  ]
  const turned = page.map((line) => ({ ...line, x: 792 - line.y, y: line.x ?? 0, isVertical: true }))
  const upright = (await parsePdf(makePdf([page]), defaultLimits)).text
  expect(upright).toContain('| Change in receivables | (45) | 12 |')
  expect((await parsePdf(makePdf([turned]), defaultLimits)).text).toBe(upright)
})

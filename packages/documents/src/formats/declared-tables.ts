import type { Zip } from '../zip.ts'
import { relationships } from './office.ts'
import type { SheetRange } from './sheet-parts.ts'
import { descendant, descendants, parseXml } from './xml.ts'

/** The most tables of a sheet, because each of them is looked for in all rows. */
const maxTables = 100

/** The ranges of the tables that a workbook declares, by the name of their sheet. */
export function declaredTables(zip: Zip): Map<string, SheetRange[]> {
  const main = 'xl/workbook.xml'
  const found = new Map<string, SheetRange[]>()
  if (zip.names(/^xl\/tables\//).length === 0) return found
  const sheets = relationships(zip, main)
  for (const { attributes } of descendants(parseXml(zip.text(main) ?? ''), 'sheet')) {
    const target = sheets.get(attributes['r:id'] ?? '')?.target
    const parts = target ? [...relationships(zip, target).values()].filter(({ type }) => type === 'table') : []
    const ranges = parts.slice(0, maxTables).flatMap((part) => rangeOf(zip.text(part.target) ?? ''))
    if (attributes.name !== undefined && ranges.length > 0) found.set(attributes.name, ranges)
  }
  return found
}

function rangeOf(xml: string): SheetRange[] {
  const { ref = '', headerRowCount = '1' } = descendant(parseXml(xml), 'table')?.attributes ?? {}
  const cells = /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/.exec(ref)
  if (!cells || headerRowCount === '0') return []
  const [, left = '', top = '', right = '', bottom = ''] = cells
  return [{ top: Number(top) - 1, left: columnNumber(left), bottom: Number(bottom) - 1, right: columnNumber(right) }]
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1

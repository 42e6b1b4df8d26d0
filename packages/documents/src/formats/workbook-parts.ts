import type { Zip } from '../zip.ts'
import { readChart } from './charts.ts'
import { relationships } from './office.ts'
import type { SheetRange } from './sheet-parts.ts'
import { descendant, descendants, parseXml } from './xml.ts'

/** The maximum of tables in a sheet: each of them is searched for in all rows. */
const maxTables = 100
const maxCharts = 100

/** The ranges of the tables that a workbook declares, by the name of their sheet. */
export function declaredTables(zip: Zip): Map<string, SheetRange[]> {
  if (zip.names(/^xl\/tables\//).length === 0) return new Map()
  return bySheet(zip, (sheet) =>
    related(zip, sheet, 'table')
      .slice(0, maxTables)
      .flatMap((part) => readTableRange(zip.text(part) ?? '')),
  )
}

/** The database ranges of an OpenDocument spreadsheet that have a header, by the name of their sheet. */
export function openDocumentTables(zip: Zip): Map<string, SheetRange[]> {
  const found = new Map<string, SheetRange[]>()
  // A search in the text, because a tree of all cells would take too much memory.
  for (const [element] of (zip.text('content.xml') ?? '').matchAll(/<table:database-range [^>]*>/g)) {
    const { attributes } = parseXml(element).children[0] ?? { attributes: {} as Record<string, string> }
    const address = attributes['table:target-range-address'] ?? ''
    const [, sheet = '', from = '', to = ''] =
      /^\$?('(?:[^']|'')+'|[^.]+)\.([^:]+):[^:]*\.([^.:]+)$/.exec(address) ?? []
    const range = rangeOfCells(`${from}:${to}`)
    const name = sheet.startsWith("'") ? sheet.slice(1, -1).replaceAll("''", "'") : sheet
    const ranges = found.get(name) ?? []
    if (range && attributes['table:contains-header'] !== 'false' && ranges.length < maxTables)
      found.set(name, [...ranges, range])
  }
  return found
}

/** Titles and series of the charts of a workbook, by the name of their sheet. Their numbers are cells. */
export function chartNotes(zip: Zip): Map<string, string[]> {
  if (zip.names(/^xl\/charts\//).length === 0) return new Map()
  return bySheet(zip, (sheet) =>
    related(zip, sheet, 'drawing')
      .flatMap((drawing) => related(zip, drawing, 'chart'))
      .slice(0, maxCharts)
      .flatMap((part) => chartNote(zip.text(part) ?? '')),
  )
}

function chartNote(xml: string): string[] {
  const { title, rows } = readChart(xml)
  const series = rows[0]?.filter(Boolean).join(', ') ?? ''
  if (title === '' && series === '') return []
  return [`Chart: ${title}${title && series && ' '}${series && `(${series})`}`]
}

function bySheet<T>(zip: Zip, read: (sheet: string) => T[]): Map<string, T[]> {
  const main = 'xl/workbook.xml'
  const found = new Map<string, T[]>()
  const sheets = relationships(zip, main)
  for (const { attributes } of descendants(parseXml(zip.text(main) ?? ''), 'sheet')) {
    const target = sheets.get(attributes['r:id'] ?? '')?.target
    const values = target ? read(target) : []
    if (attributes.name !== undefined && values.length > 0) found.set(attributes.name, values)
  }
  return found
}

const related = (zip: Zip, part: string, wanted: string): string[] =>
  [...relationships(zip, part).values()].filter(({ type }) => type === wanted).map(({ target }) => target)

function readTableRange(xml: string): SheetRange[] {
  const { ref = '', headerRowCount = '1' } = descendant(parseXml(xml), 'table')?.attributes ?? {}
  const range = headerRowCount === '0' ? null : rangeOfCells(ref)
  return range ? [range] : []
}

function rangeOfCells(ref: string): SheetRange | null {
  const cells = /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/.exec(ref)
  if (!cells) return null
  const [, left = '', top = '', right = '', bottom = ''] = cells
  return { top: Number(top) - 1, left: columnNumber(left), bottom: Number(bottom) - 1, right: columnNumber(right) }
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1

import { type Column, cellsIn, columnAt, overlapped } from './pdf-columns.ts'
import { joinedText } from './pdf-lines.ts'
import type { Row } from './pdf-rows.ts'
import { lineDistance } from './pdf-table-head.ts'

/** The lines of one row are closer to each other than the rows by this much. */
const narrower = 0.8
/** In multiples of the size of the type. */
const closeDistance = 1.8

interface TableRow {
  values: string[]
  y: number
  /** The position of its last line. */
  bottom: number
  fontSize: number
  isWhole: boolean
}

/** The values of the rows of a table, by column. Rows that continue in the next line are joined. */
export function tableRows(rows: Row[], columns: Column[]): string[][] {
  const usual = usualDistance(rows)
  const joined: TableRow[] = []
  for (const row of rows) {
    const next = placed(row, columns)
    const last = joined.at(-1)
    if (last && continues(last, next, usual)) {
      last.values = last.values.map((value, at) => joinedText([value, next.values[at] ?? '']))
      last.bottom = next.bottom
    } else joined.push(next)
  }
  return joined.map(({ values }) => values)
}

/** Lines of the last row that stand below it, in one of its columns. */
export function lastLines(rows: Row[], run: Row[], columns: Column[]): Row[] {
  const usual = usualDistance(run)
  let last = run.at(-1)
  const end = rows.findIndex((row) => {
    const before = last
    last = row
    if (!before || before.y < row.y || row.cells.some((cell) => overlapped(columns, cell).length !== 1)) return true
    return !continues(placed(before, columns), placed(row, columns), usual)
  })
  return rows.slice(0, end === -1 ? rows.length : end)
}

const placed = (row: Row, columns: Column[]): TableRow => ({
  values: readValues(row, columns),
  y: row.y,
  bottom: row.bottom,
  fontSize: row.fontSize,
  isWhole: row.isWhole === true,
})

function usualDistance(rows: Row[]): number {
  const full = rows.flatMap(({ y, cells }, at) => {
    const before = rows[at - 1]
    return before && cells.length > 1 ? [before.y - y] : []
  })
  return full.sort((a, b) => a - b)[Math.floor(full.length / 2)] ?? 0
}

function continues(last: TableRow, next: TableRow, usual: number): boolean {
  if (next.isWhole) return false
  const distance = (last.bottom - next.y) / Math.max(last.fontSize, next.fontSize)
  const isClose = last.bottom - next.y < usual * narrower
  if (distance > (isClose ? closeDistance : lineDistance)) return false
  const [lastLabel = '', ...lastValues] = last.values
  const [label = '', ...values] = next.values
  const isSentence = values.every((value, at) => value === '' || (/^\p{Ll}/u.test(value) && lastValues[at]))
  if (label === '') return isClose || isSentence
  if (lastLabel === '' || lastLabel.endsWith(':')) return false
  if (!values.some(Boolean)) return /^[^\p{Lu}]/u.test(label) && (isClose || /^\p{Ll}/u.test(label))
  return !lastValues.some(Boolean) && (isClose || /^\p{Ll}/u.test(label))
}

function readValues(row: Row, columns: Column[]): string[] {
  const values = columns.map(() => '')
  for (const cell of cellsIn(columns, row)) {
    // A long label may reach under the next columns.
    const at = cell.x < (columns[0]?.right ?? 0) ? 0 : columnAt(columns, cell)
    values[at] = [values[at], cell.text].filter(Boolean).join(' ')
  }
  return values
}

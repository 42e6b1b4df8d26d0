import { isFigure } from './figures.ts'
import { markdownTable } from './markdown-table.ts'
import { type Column, cellsIn, columnAt, findColumns, fits, overlap } from './pdf-columns.ts'
import type { Cell, Line } from './pdf-lines.ts'
import { joinRows, type Row } from './pdf-rows.ts'
import { isField, ownTitles, readTitles, takeHead } from './pdf-table-head.ts'
import { lastLines, tableRows } from './pdf-table-rows.ts'

const maxSingleLines = 2
const maxRows = 300
/** Lines that stand beside no figure, such as the titles of sections. */
const maxLabels = 6
const maxLabelLength = 80
/** Rows above, in which figures are looked for. */
const maxCompared = 50

/** Converts lines whose cells form columns to tables, and puts columns of text that were read across in reading order. */
export function withTables(lines: Line[]): Line[] {
  const order = new Map(lines.map((line, at) => [line, at]))
  const rows = joinRows(lines)
  const result: Line[] = []
  let text: Row[] = []
  const writeText = () => {
    const drawn = text.flatMap((row) => row.lines)
    result.push(...drawn.sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)))
    text = []
  }
  for (let at = 0; at < rows.length; ) {
    const near = runAt(rows, at)
    const columns = findColumns(near)
    const divided = near.map((row) => ({ ...row, cells: cellsIn(columns, row) }))
    const start = divided.findIndex((row) => fits(row, columns))
    const end = divided.findLastIndex((row) => fits(row, columns)) + 1
    const run = divided.slice(start, end)
    const [first] = run
    if (start !== 0 || !first) {
      // Without a row that fits, most of these rows are text. All of them one by one would take too long.
      const skipped = start === -1 ? Math.ceil(near.length / 4) : start
      text.push(...rows.slice(at, at + Math.max(skipped, 1)))
      at += Math.max(skipped, 1)
      continue
    }
    const kind = layoutKind(run, columns)
    if (kind === 'table') {
      const rest = lastLines(rows.slice(at + end), run, columns)
      const head = takeHead(text, first, columns)
      writeText()
      result.push({ ...first, text: tableText(head, [...run, ...rest], columns), isTable: true })
      at += end + rest.length
      continue
    }
    if (kind === 'columns' && run.every((row) => row.lines.length === 1)) {
      writeText()
      result.push(...columnByColumn(run, columns))
    } else text.push(...rows.slice(at, at + end))
    at += end
  }
  writeText()
  return result
}

/** Rows of several cells below each other, with at most a few of one cell between them. */
function runAt(rows: Row[], from: number): Row[] {
  const first = rows[from]
  if (!first || first.cells.length < 2 || isField(first)) return []
  let end = from + 1
  let values = first.cells[1]?.x ?? 0
  const last = Math.min(rows.length, from + maxRows)
  for (let at = end, singles = 0; at < last && singles <= maxSingleLines && at - end <= maxLabels; at++) {
    const [before, row] = [rows[at - 1], rows[at]]
    if (!before || !row || row.y > before.y + 1 || before.bottom - row.y > 4 * Math.max(row.fontSize, before.fontSize))
      break
    if (row.cells.length > 1) {
      const above = rows.slice(Math.max(from, end - maxCompared), end)
      if (isNextHead(row, above) || isFarBelow(row, above)) break
      end = at + 1
      singles = 0
      values = Math.min(values, row.cells[1]?.x ?? values)
    } else if ((row.cells[0]?.right ?? 0) > values) {
      if (row.text.length > maxLabelLength) break
      singles++
    }
  }
  return rows.slice(from, end)
}

/** Words that are far below rows with figures begin the next table. */
function isFarBelow({ cells, y }: Row, rows: Row[]): boolean {
  const [last, before] = [rows.at(-1), rows.at(-2)]
  if (!last || !before || !hasFigures(last) || cells.some(({ text }) => isFigure(text))) return false
  return last.y - y > 2.5 * (before.y - last.y)
}

const hasFigures = ({ cells }: Row): boolean => cells.slice(1).some(({ text }) => isFigure(text))

/** Titles over columns in which figures stood before, without a label, begin the next table. */
function isNextHead({ cells }: Row, rows: Row[]): boolean {
  if (cells.some(({ text }) => isFigure(text))) return false
  const withFigures = rows.filter(hasFigures)
  const stands = (over: (row: Row) => Cell[]) =>
    cells.some((cell) => withFigures.some((row) => over(row).some((other) => overlap(cell, other))))
  return (
    stands((row) => row.cells.slice(1).filter(({ text }) => isFigure(text))) && !stands((row) => row.cells.slice(0, 1))
  )
}

function layoutKind(run: Row[], columns: Column[]): 'table' | 'columns' | 'lines' {
  const rows = run.filter(({ cells }) => cells.length > 1)
  if (columns.length < 2 || rows.length < 2 || isFormula(rows) || isContents(rows) || isForm(rows)) return 'lines'
  const texts = rows.flatMap(({ cells }) => cells.slice(1).map(({ text }) => text))
  const figures = texts.filter((text) => isFigure(text) || /^\d{4}$/.test(text)).length / texts.length
  const length = meanLength(texts)
  if (rows.length === 2) return figures >= 0.6 ? 'table' : 'lines'
  if (figures >= 0.3 || length <= 25) return 'table'
  if (run.some(({ isWhole }) => isWhole) && columns.length > 2) return 'table'
  if (rows.length >= 5 && figures < 0.1 && columns.length <= 3 && areFilled(rows, columns)) return 'columns'
  return meanLength(rows.map(({ cells }) => cells[0]?.text ?? '')) <= 25 ? 'table' : 'lines'
}

const meanLength = (texts: string[]): number => texts.reduce((sum, { length }) => sum + length, 0) / texts.length

/** Lines of running text are about as wide as their column. */
function areFilled(rows: Row[], columns: Column[]): boolean {
  return columns.every(({ x, right }, column) => {
    const own = rows.flatMap(({ cells }) => cells.filter((cell) => columnAt(columns, cell) === column))
    const wide = own.filter((cell) => cell.right - cell.x > (right - x) * 0.7)
    return wide.length > rows.length * 0.5
  })
}

/** The parts of formulas and the marks on the axes of a figure stand apart as well. */
function isFormula(rows: Line[]): boolean {
  const share = (isMath: (row: Line) => boolean) => rows.filter(isMath).length / rows.length
  return (
    share(({ text }) => /[=→⇒⇔↦∂∈∀∃∗◦·≤≥≈∑∏∫√∞⊂⊆∪∩∥〈〉\p{Co}]/u.test(text)) > 0.2 ||
    share(({ hasSmallType, cells }) => hasSmallType && cells.filter(({ text }) => isFigure(text)).length < 2) > 0.5 ||
    !rows.some(({ text }) => /\p{L}{2}/u.test(text))
  )
}

/** Page numbers stand at the right edge behind dots, one for each title, and rise. */
function isContents(rows: Line[]): boolean {
  const led = rows.filter(({ hasLeader }) => hasLeader)
  const areSeveral = led.some(({ cells }) =>
    cells.some(({ text }, at) => at > 1 && isFigure(text) && isFigure(cells[at - 1]?.text ?? '')),
  )
  const pages = led.map(({ cells }) => /^\d{1,4}$/.exec(cells.at(-1)?.text ?? '')?.[0])
  const falling = pages.filter((page, at) => Number(page) < Number(pages[at - 1])).length
  const areNumbers = pages.filter((page) => page === undefined).length <= led.length * 0.2
  return led.length > rows.length * 0.2 && !areSeveral && areNumbers && falling <= led.length * 0.2
}

/** Forms and cover pages have labels without a value, lines to write on, and captions in brackets below their values. */
function isForm(rows: Line[]): boolean {
  const blank = /^\P{Ll}.*:\s*_*$|_{4}|^\(.*\p{L}|^[^(]*\p{L}\)$/u
  const isBlank = ({ cells }: Line) => cells.every(({ text }) => blank.test(text))
  return rows.filter(isBlank).length >= rows.length * 0.4
}

function columnByColumn(run: Row[], columns: Column[]): Line[] {
  return columns.flatMap((_, column) =>
    run.flatMap(({ lines: [line], cells }) => {
      const own = cells.filter((cell) => columnAt(columns, cell) === column)
      return own.length === 0 || !line ? [] : [{ ...line, cells: own, text: own.map(({ text }) => text).join(' ') }]
    }),
  )
}

function tableText(head: ReturnType<typeof takeHead>, rows: Row[], columns: Column[]): string {
  const count = head.sections.length > 0 ? 0 : ownTitles(rows, head.titles, columns)
  const titles = readTitles([...head.titles, ...rows.slice(0, count)], columns)
  return markdownTable([titles, ...tableRows([...head.sections, ...rows.slice(count)], columns)])
}

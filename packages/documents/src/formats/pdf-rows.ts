import { isFigure } from './figures.ts'
import type { Line } from './pdf-lines.ts'
import { wrappedRows } from './pdf-wrapped-rows.ts'

/** The cells at one height, in order from the left. */
export interface Row extends Line {
  /** The lines that it was drawn as. */
  lines: Line[]
  /** The lowest of them. */
  bottom: number
  /** Its cells have all their lines. */
  isWhole?: true
}

/** Rows are drawn at the same height; lines of running text in two columns often are not. */
const maxShift = 1
/** In multiples of the size of the type. A raised number is less far up, the next column is farther. */
const jump = 0.6
const minLines = 2
const minMatched = 0.5
/** In multiples of the size of the type. Lines of text in columns are wider than cells. */
const maxCellWidth = 16
/** A longer column of words, such as one of an index, is read on its own. */
const maxCellLines = 6
const minFigures = 0.3
/** No page that people make has more. */
const maxRows = 500

/** Joins the lines of wrapped cells, and the columns of a table that were drawn one after the other. */
export function joinRows(lines: Line[]): Row[] {
  const rows: Row[] = []
  let others: Line[] = []
  for (const group of wrappedRows(lines)) {
    const [first] = group.lines
    if (!group.cells || !first) {
      others.push(...group.lines)
      continue
    }
    const heights = group.lines.map(({ y }) => y)
    const text = group.cells.map((cell) => cell.text).join(' ')
    const place = { y: Math.max(...heights), bottom: Math.min(...heights) }
    const endFont = group.lines.at(-1)?.endFont ?? ''
    rows.push(...drawnByColumn(others), {
      ...first,
      ...place,
      endFont,
      cells: group.cells,
      text,
      lines: group.lines,
      isWhole: true,
    })
    others = []
  }
  return [...rows, ...drawnByColumn(others)]
}

/** Lines that are in no column are rows of their own, in their order. */
function drawnByColumn(lines: Line[]): Row[] {
  const rows: Row[] = []
  let block: Row[] = []
  for (const column of descendingRuns(lines)) {
    if (!addColumn(block, column)) {
      rows.push(...block)
      block = column.map(rowOfLine)
    }
  }
  return [...rows, ...block]
}

const rowOfLine = (line: Line): Row => ({ ...line, lines: [line], bottom: line.y })

function descendingRuns(lines: Line[]): Line[][] {
  const runs: Line[][] = []
  let last: Line | undefined
  for (const line of lines) {
    if (!last || line.y > last.y + jump * line.fontSize) runs.push([])
    runs.at(-1)?.push(line)
    last = line
  }
  return runs
}

/** Adds the lines of a further column to the rows beside them, and the lines below these. */
function addColumn(block: Row[], column: Line[]): boolean {
  if (block.length > maxRows) return false
  const bottom = Math.min(...block.map(({ y }) => y))
  const end = column.findIndex(({ y }) => y < bottom - maxShift)
  const beside = end === -1 ? column : column.slice(0, end)
  const matches = beside.map((line) => block.find(({ y }) => Math.abs(y - line.y) <= maxShift))
  const isNarrow = beside.every(({ cells, fontSize }) =>
    cells.every(({ x, right }) => right - x <= maxCellWidth * fontSize),
  )
  const figures = beside.filter(({ text }) => isFigure(text)).length
  const isText = beside.length > maxCellLines && figures < beside.length * minFigures
  const isFree = beside.every((line, at) => matches[at]?.cells.every((cell) => !overlaps(line, cell)) ?? true)
  const matched = matches.filter((row) => row !== undefined).length
  const isNear = block.lastIndexOf(matches[0] as Row) >= block.length - maxCellLines
  if (beside.length < (isNear ? 1 : minLines) || matched < beside.length * minMatched || !isNarrow || isText || !isFree)
    return false
  for (const [at, line] of beside.entries()) {
    const row = matches[at]
    if (row) join(row, line)
    else block.push(rowOfLine(line))
  }
  block.sort((a, b) => b.y - a.y)
  block.push(...column.slice(beside.length).map(rowOfLine))
  return true
}

const overlaps = ({ cells }: Line, { x, right }: { x: number; right: number }): boolean =>
  cells.some((cell) => cell.x < right && x < cell.right)

function join(row: Row, line: Line): void {
  row.lines.push(line)
  row.hasLeader ||= line.hasLeader
  row.cells = [...row.cells, ...line.cells].sort((a, b) => a.x - b.x)
  row.text = row.cells.map(({ text }) => text).join(' ')
}

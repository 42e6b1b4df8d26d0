import { isFigure } from './figures.ts'
import { type Cell, joinedCell, type Line, type Span } from './pdf-lines.ts'

export interface Column {
  x: number
  right: number
}

const maxSpanningShare = 0.3
/** Enough to know the columns, and few enough for a page of very many lines. */
const maxCompared = 100
const edgeShare = 0.2
/** Among fewer rows, a cell in a column of its own is not an exception. */
const minRows = 4

/** The ranges that the cells of lines cover. Lines that stand across the columns of many others do not count. */
export function findColumns(lines: readonly Line[]): Column[] {
  const rows = lines.filter(({ cells }) => cells.length > 1)
  const spans = (one: Line, other: Line): boolean =>
    one.cells.some((cell) => other.cells.filter((below) => overlap(cell, below)).length > 1)
  const compared = rows.slice(0, maxCompared)
  const regular = rows.filter((row) => {
    const spanned = compared.filter((other) => spans(row, other))
    const isGroups = spanned.some(({ cells }) => cells.length >= 2 * row.cells.length)
    return !isGroups && spanned.length <= compared.length * maxSpanningShare
  })
  const columns: Column[] = []
  for (const { x, right } of regular.flatMap(({ cells }) => cells).sort((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    // Labels are indented, so that a short one may have little in common with the others.
    const isSame = last && (overlap(last, { x, right }) || (columns.length === 1 && x < last.right))
    if (last && isSame) last.right = Math.max(last.right, right)
    else columns.push({ x, right })
  }
  return withTitleColumns(columns, regular)
}

/** A title may stand beside the figures of its column instead of over them. Then no row has both. */
function withTitleColumns(columns: Column[], rows: Line[]): Column[] {
  const cells = rows.flatMap((row, at) => row.cells.map((cell) => ({ ...cell, row: at, at: columnAt(columns, cell) })))
  const byColumn = Map.groupBy(cells, ({ at }) => at)
  const joined: Column[] = []
  let before: typeof cells = []
  for (const [at, column] of columns.entries()) {
    const own = byColumn.get(at) ?? []
    const last = joined.at(-1)
    const isPair = areFigures(own) !== areFigures(before) && areWords(own) !== areWords(before)
    const next = columns[at + 1]
    const isNearer = !next || column.x - (last?.right ?? 0) <= next.x - column.right
    const isAlone = rows.length >= minRows && (before.length === 1 || (own.length === 1 && isNearer))
    const hasBoth = own.some(({ row }) => before.some((other) => other.row === row))
    const isSame = joined.length > 1 && (isPair || isAlone) && !hasBoth
    if (last && isSame) last.right = column.right
    else joined.push({ ...column })
    before = isSame ? [...before, ...own] : own
  }
  return joined
}

const areFigures = (cells: Span[]): boolean => cells.every(({ text }) => isFigure(text))
const areWords = (cells: Span[]): boolean => cells.every(({ text }) => !isFigure(text))

/** Whether two ranges have more in common than their edges, which a bracket or a currency sign may reach over. */
export function overlap(a: Column, b: Column): boolean {
  const narrower = Math.min(a.right - a.x, b.right - b.x)
  return Math.min(a.right, b.right) - Math.max(a.x, b.x) > narrower * edgeShare
}

export const overlapped = (columns: Column[], span: Column): number[] =>
  [...columns.keys()].filter((at) => overlap(span, columns[at] ?? span))

/** Whether a line has cells in several columns, and none that spans several of them. */
export function fits({ cells }: Line, columns: Column[]): boolean {
  const own = cells.map((cell) => overlapped(columns, cell))
  return own.every(({ length }) => length < 2) && new Set(own.flat()).size > 1
}

/** The column that a cell overlaps most, or else the nearest. */
export function columnAt(columns: Column[], { x, right }: Column): number {
  const distances = columns.map((column) => {
    const common = Math.min(right, column.right) - Math.max(x, column.x)
    return common > 0 ? -common : Math.abs((x + right) / 2 - (column.x + column.right) / 2)
  })
  return distances.indexOf(Math.min(...distances))
}

/** Divides cells that were drawn as one although they stand in several columns. */
export const cellsIn = (columns: Column[], { cells }: Line): Cell[] =>
  cells.flatMap((cell) => (overlapped(columns, cell).length < 2 ? [cell] : divided(columns, cell)))

function divided(columns: Column[], cell: Cell): Cell[] {
  const byColumn = Map.groupBy(cell.parts, (part) => columnAt(columns, part))
  if (byColumn.size > 1) return [...byColumn.values()].map(joinedCell)
  // A label and its figure were drawn as one text. The figure takes about its share of the width.
  const label = /^(.*\S)\s+(\S+)$/.exec(cell.text)
  if (!label?.[1] || !label[2] || !isFigure(label[2])) return [cell]
  const middle = cell.right - ((cell.right - cell.x) * (label[2].length + 0.5)) / cell.text.length
  const pieces: Span[] = [
    { text: label[1], x: cell.x, right: middle },
    { text: label[2], x: middle, right: cell.right },
  ]
  return columnAt(columns, pieces[1] as Span) === columnAt(columns, pieces[0] as Span)
    ? [cell]
    : pieces.map((piece) => joinedCell([piece]))
}

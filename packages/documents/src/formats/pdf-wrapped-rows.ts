import { isFigure } from './figures.ts'
import { overlap } from './pdf-columns.ts'
import { type Cell, joinedCell, type Line } from './pdf-lines.ts'

/** Lines that were drawn one after the other and stand beside each other. */
export interface LineGroup {
  lines: Line[]
  /** The cells of the one row that the lines make up, if they do. */
  cells: Cell[] | null
}

interface Placed extends Cell {
  y: number
}

interface Group {
  lines: Line[]
  top: number
  bottom: number
  /** A line was drawn above or beside the one before it, as cells are drawn one after the other. */
  returns: boolean
}

// In multiples of the size of the type.
const beside = 0.85
const nextLine = 1.7
/** A group of more lines is a table or a column of running text. */
const maxLines = 40
const maxCellLines = 12

/**
 * Word processors and browsers draw a table cell by cell. After the last line of a cell they return to the top of the row for
 * the next cell, so the drawing order tells which lines are one row, however its cells are aligned.
 */
export function wrappedRows(lines: Line[]): LineGroup[] {
  const groups: Group[] = []
  for (const line of lines) {
    const { y, fontSize } = line
    const last = groups.at(-1)
    const reach = beside * fontSize
    if (!last || last.lines.length >= maxLines || !isSameRow(last, line)) {
      groups.push({ lines: [line], top: y, bottom: y, returns: false })
      continue
    }
    last.returns ||= y > (last.lines.at(-1)?.y ?? y) - reach
    last.lines.push(line)
    last.top = Math.max(last.top, y)
    last.bottom = Math.min(last.bottom, y)
    // The lines of the first cell looked like rows before the next cell was drawn beside them.
    for (let before = groups.at(-2); before && isAbove(before, last, reach); before = groups.at(-2)) {
      if (before.lines.length + last.lines.length > maxLines) break
      last.lines.unshift(...before.lines)
      last.top = Math.max(last.top, before.top)
      last.bottom = Math.min(last.bottom, before.bottom)
      groups.splice(-2, 1)
    }
  }
  return groups.map(({ lines: own, returns }) => ({ lines: own, cells: returns ? rowCells(own) : null }))
}

const isAbove = (before: Group, { top, bottom }: Group, reach: number): boolean =>
  top > before.bottom - reach && bottom < before.top + reach

/** Whether a line is beside the lines of a group, or goes on in the cell that was drawn last. */
function isSameRow({ lines, bottom }: Group, line: Line): boolean {
  if (line.y > bottom - beside * line.fontSize) return true
  const [cell, ...more] = line.cells
  const left = Math.min(...lines.flatMap(({ cells }) => cells.map(({ x }) => x)))
  const last = lines.at(-1)?.cells.at(-1)
  const isBelow = bottom - line.y <= nextLine * line.fontSize
  return (
    isBelow && cell !== undefined && last !== undefined && more.length === 0 && cell.x > left + 1 && overlap(cell, last)
  )
}

/** The cells of a row, each with all its lines. Null if the lines are several rows, or if only a label is wrapped. */
function rowCells(lines: Line[]): Cell[] | null {
  const columns: Placed[][] = []
  let right = -Infinity
  const placed = lines.flatMap(({ y, cells }) => cells.map((cell) => ({ ...cell, y })))
  for (const cell of placed.sort((a, b) => a.x - b.x)) {
    if (cell.x >= right) columns.push([])
    columns.at(-1)?.push(cell)
    right = Math.max(right, cell.right)
  }
  const isWrapped = columns.slice(1).some(({ length }) => length > 1)
  if (!isWrapped || !columns.every(isCell)) return null
  return columns.map((cells) => joinedCell(cells.sort((a, b) => b.y - a.y).flatMap(({ parts }) => parts)))
}

/** Figures are never wrapped. */
function isCell(lines: Placed[]): boolean {
  const areBelow = new Set(lines.map(({ y }) => y)).size === lines.length
  return lines.length === 1 || (areBelow && lines.length <= maxCellLines && !lines.some(({ text }) => isFigure(text)))
}

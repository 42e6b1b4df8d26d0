import { isFigure } from './figures.ts'
import { markdownTable } from './markdown-table.ts'
import type { Cell, Line } from './pdf-lines.ts'

interface Column {
  x: number
  right: number
}

const maxHeadLines = 12
const maxSingleLines = 2

/** Converts lines whose cells form columns to tables, and puts columns of text that were read across in reading order. */
export function withTables(lines: Line[]): Line[] {
  const result: Line[] = []
  for (let at = 0; at < lines.length; ) {
    const near = runAt(lines, at)
    const columns = columnsOf(near)
    const start = near.findIndex((line) => fits(line, columns))
    const run = near.slice(start, near.findLastIndex((line) => fits(line, columns)) + 1)
    const first = run[0]
    if (start !== 0 || !first) {
      result.push(...lines.slice(at, at + Math.max(start, 1)))
      at += Math.max(start, 1)
      continue
    }
    const kind = layoutKind(run, columns)
    if (kind === 'table') {
      const head = takeHead(result, columns)
      result.push({ ...first, text: tableText(head, run, columns), isTable: true })
    } else result.push(...(kind === 'columns' ? columnByColumn(run, columns) : run))
    at += run.length
  }
  return result
}

/** Lines of several cells below each other, with at most a few of one cell between them. */
function runAt(lines: Line[], from: number): Line[] {
  if ((lines[from]?.cells.length ?? 0) < 2) return []
  let end = from + 1
  for (let at = end; at < lines.length && at - end <= maxSingleLines; at++) {
    const [before, line] = [lines[at - 1], lines[at]]
    if (!before || !line || line.y > before.y + 1 || before.y - line.y > 4 * Math.max(line.fontSize, before.fontSize))
      break
    if (line.cells.length > 1) end = at + 1
  }
  return lines.slice(from, end)
}

/** The ranges that the cells of typical lines cover. */
function columnsOf(run: Line[]): Column[] {
  const counts = run.map(({ cells }) => cells.length).filter((count) => count > 1)
  const typical = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 2
  const cells = run.filter((line) => line.cells.length >= typical).flatMap((line) => line.cells)
  const columns: Column[] = []
  for (const { x, right } of cells.toSorted((a, b) => a.x - b.x)) {
    const last = columns.at(-1)
    if (last && x < last.right) last.right = Math.max(last.right, right)
    else columns.push({ x, right })
  }
  return columns
}

/** Whether no cell of a line spans several columns. */
function fits({ cells }: Line, columns: Column[]): boolean {
  const columnCounts = cells.map((cell) => columns.filter(({ x, right }) => cell.x < right && x < cell.right).length)
  return cells.length > 1 && columnCounts.every((count) => count < 2)
}

function layoutKind(run: Line[], columns: Column[]): 'table' | 'columns' | 'lines' {
  const rows = run.filter(({ cells }) => cells.length > 1)
  if (columns.length < 2 || rows.length < 2 || isFormula(rows)) return 'lines'
  const texts = rows.flatMap(({ cells }) => cells.slice(1).map(({ text }) => text))
  const figures = texts.filter((text) => isFigure(text) || /^\d{4}$/.test(text)).length / texts.length
  const length = texts.reduce((sum, text) => sum + text.length, 0) / texts.length
  if (rows.length === 2) return figures >= 0.6 ? 'table' : 'lines'
  if (figures >= 0.3 || length <= 25) return 'table'
  return rows.length >= 5 && figures < 0.1 && columns.length <= 3 ? 'columns' : 'lines'
}

/** The parts of formulas stand apart as well. */
const isFormula = (rows: Line[]): boolean =>
  rows.filter(({ text }) => /[=→⇒⇔↦∂∈∀∃∗◦·≤≥≈∑∏∫√∞⊂⊆∪∩]/u.test(text)).length > rows.length * 0.2

function columnByColumn(run: Line[], columns: Column[]): Line[] {
  return columns.flatMap((_, column) =>
    run.flatMap((line) => {
      const cells = line.cells.filter((cell) => columnAt(columns, cell) === column)
      return cells.length === 0 ? [] : [{ ...line, cells, text: cells.map(({ text }) => text).join(' ') }]
    }),
  )
}

/** Lines above a table that stand over its columns are taken from the text: they are its titles. */
function takeHead(above: Line[], columns: Column[]): Line[] {
  const [labels, first] = columns
  if (!labels || !first) return []
  const left = labels.x + (first.x - labels.x) * 0.3
  const head: Line[] = []
  for (let line = above.at(-1); line && head.length < maxHeadLines; line = above.at(-1)) {
    const below = head[0]
    const isNear = !below || Math.abs(line.y - below.y) <= 3 * Math.max(line.fontSize, below.fontSize)
    const isOver = line.cells.length > 1 || (line.cells[0]?.x ?? 0) >= left
    const isShort = line.cells.every(({ text }) => text.length <= 60 && !isFigure(text))
    if (line.isTable || !isNear || !isOver || !isShort) break
    head.unshift(line)
    above.pop()
  }
  return head
}

function tableText(head: Line[], run: Line[], columns: Column[]): string {
  const hasFigures = ({ cells }: Line): boolean => cells.slice(1).some(({ text }) => /\d/.test(text) && isFigure(text))
  const firstFigures = run.findIndex(hasFigures)
  const ownTitles = firstFigures > 0 ? firstFigures : firstFigures === -1 && head.length === 0 ? 1 : 0
  const titles = titlesOf([...head, ...run.slice(0, ownTitles)], columns)
  return markdownTable([titles, ...run.slice(ownTitles).map(({ cells }) => rowOf(cells, columns))])
}

/** The title of each column. A title that stands alone at its height is for all columns but the first. */
function titlesOf(lines: Line[], columns: Column[]): string[] {
  const titles: string[][] = columns.map(() => [])
  const byHeight = new Map<number, Cell[]>()
  for (const { y, cells } of lines) {
    const height = [...byHeight.keys()].find((known) => Math.abs(known - y) < 3) ?? y
    byHeight.set(height, [...(byHeight.get(height) ?? []), ...cells])
  }
  for (const [, cells] of [...byHeight].toSorted(([a], [b]) => b - a)) {
    const [only] = cells
    const isForAll = cells.length === 1 && only && columnAt(columns, only) > 0
    for (const cell of cells)
      for (const at of isForAll ? [...columns.keys()].slice(1) : [columnAt(columns, cell)]) titles[at]?.push(cell.text)
  }
  return titles.map((parts) => [...new Set(parts)].join(' '))
}

function rowOf(cells: Cell[], columns: Column[]): string[] {
  const row = columns.map(() => '')
  for (const cell of cells) {
    const at = columnAt(columns, cell)
    row[at] = [row[at], cell.text].filter(Boolean).join(' ')
  }
  return row
}

/** The column that a cell overlaps most, or else the nearest. */
function columnAt(columns: Column[], { x, right }: Cell): number {
  const distances = columns.map((column) => {
    const overlap = Math.min(right, column.right) - Math.max(x, column.x)
    return overlap > 0 ? -overlap : Math.abs((x + right) / 2 - (column.x + column.right) / 2)
  })
  return distances.indexOf(Math.min(...distances))
}

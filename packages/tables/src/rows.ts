import type { Column, Row } from './table.ts'
import { cellReader } from './values.ts'

const separator = /^[\s>]*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** A line with its cells. */
interface Line {
  cells: string[]
  start: number
  end: number
}

/** The header and the rows of a Markdown table, or null if the text is none. */
export function readLines(text: string): { head: string[]; rows: Generator<Line> } | null {
  const headEnd = lineEnd(text, 0)
  const separatorEnd = lineEnd(text, headEnd + 1)
  if (!separator.test(text.slice(headEnd + 1, separatorEnd))) return null
  const head = splitCells(text.slice(0, headEnd))
  return { head, rows: linesAfter(text, separatorEnd + 1) }
}

function* linesAfter(text: string, from: number): Generator<Line> {
  for (let start = from; start < text.length; ) {
    const end = lineEnd(text, start)
    const line = text.slice(start, end)
    if (line.trim() !== '') yield { cells: splitCells(line), start, end }
    start = end + 1
  }
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** A table in a quote has `>` before its rows. */
function splitCells(line: string): string[] {
  let row = line.trim()
  while (row.startsWith('>')) row = row.slice(1).trimStart()
  const hasEscapes = row.includes('\\|')
  const from = row.startsWith('|') ? 1 : 0
  const inner = row.slice(from, row.length > 1 && row.endsWith('|') && !row.endsWith('\\|') ? -1 : row.length)
  const cells = hasEscapes ? inner.split(/(?<!\\)\|/) : inner.split('|')
  return cells.map((cell) => (hasEscapes ? cell.replaceAll('\\|', '|') : cell).trim())
}

/** The rows of a table with typed values, in order. */
export function* readRows(text: string, columns: readonly Column[]): Generator<Row> {
  const readers = columns.map(cellReader)
  for (const { cells, start, end } of readLines(text)?.rows ?? []) {
    yield { cells: readers.map((read, at) => read(cells[at] ?? '')), start, end }
  }
}

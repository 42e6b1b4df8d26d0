import type { Span } from './sentences.ts'

const separator = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Whether a line of a text begins a row of a table. */
export const isRow = (text: string, { start }: Span): boolean => text.charAt(start) === '|'

const separatorBelow = /^[^\n]{0,4000}\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|$)/

/** Whether a row names the columns of the rows below. */
export const isHeader = (text: string, { start }: Span): boolean => separatorBelow.test(text.slice(start, start + 8000))

/**
 * A row of a table in words, `Column: cell, …`, or null for the header. If the table began in the passage before, the last of the
 * headings is its header. Without any, the cells alone.
 */
export function rowInWords(text: string, { start, end }: Span, headings: readonly string[] = []): string | null {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const row = text.slice(lineStart, lineEnd(text, end))
  if (separator.test(row) || isHeader(text, { start: lineStart, end })) return null
  const header = headerAbove(text.slice(0, lineStart).split('\n')) ?? headerIn(headings)
  const cells = splitCells(row).map((cell, at) => (cell === '' ? '' : header[at] ? `${header[at]}: ${cell}` : cell))
  return cells.filter((cell) => cell !== '').join(', ') || null
}

const headerIn = (headings: readonly string[]): string[] => {
  const last = headings.at(-1) ?? ''
  return last.startsWith('|') ? splitCells(last) : []
}

/** The cells above the nearest separator, if only rows are in between; undefined if there are only rows. */
function headerAbove(lines: string[]): string[] | undefined {
  for (let at = lines.length - 2; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (separator.test(line)) return splitCells(lines[at - 1] ?? '')
    if (line.trim() !== '' && !line.trimStart().startsWith('|')) return []
  }
  return undefined
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

const splitCells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** The row of a text that a claim repeats, as `rowInWords` writes it: all its cells, in their order. */
export function rowSaidIn(claim: string, text: string): Span | null {
  let start = 0
  for (const line of text.split('\n')) {
    const span = { start, end: start + line.length }
    start = span.end + 1
    if (!line.startsWith('|')) continue
    const cells = splitCells(line).filter((cell) => /[\p{L}\p{N}]/u.test(cell))
    if (cells.length > 1 && isSaidInOrder(cells, claim) && !isHeader(text, span)) return span
  }
  return null
}

function isSaidInOrder(cells: string[], claim: string): boolean {
  let from = 0
  return cells.every((cell) => {
    const at = claim.indexOf(cell, from)
    from = at + cell.length
    return at >= 0
  })
}

import type { Span } from './span.ts'

const separator = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Cells that plain text aligns with spaces or tabs: "Subtotal      $482.95". */
const gap = /(?: {3,}|\t+)(?=\S)/
const maxLineLength = 400

/** Whether a line is a row of a table in plain text: two cells or more, with a short first one. */
export const isAligned = (line: string): boolean =>
  line.length <= maxLineLength && !line.startsWith('|') && /^\S.{0,80}?\S(?: {3,}|\t+)\S/.test(line.trim())

/** Whether a line of a text begins a row of a table. */
export const isRow = (text: string, { start }: Span): boolean =>
  text.charAt(start) === '|' || (isLineStart(text, start) && isAligned(lineAt(text, start)))

/** Looks back over white space only, because a line may be megabytes long. */
function isLineStart(text: string, at: number): boolean {
  let before = at - 1
  while (text[before] === ' ' || text[before] === '\t') before--
  return before < 0 || text[before] === '\n'
}

const separatorBelow = /^[^\n]{0,4000}\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|$)/

/** Whether a row names the columns of the rows below. */
export function isHeader(text: string, { start }: Span): boolean {
  if (text.charAt(start) === '|') return separatorBelow.test(text.slice(start, start + 8000))
  const line = lineAt(text, start)
  const below = lineAt(text, start + line.length + 1)
  return !/\d/.test(line) && /\d/.test(below) && splitCells(line).length > 2 && isAligned(below)
}

const lineAt = (text: string, start: number): string => text.slice(start, lineEnd(text, start))

/**
 * A row of a table in words, `Column: cell, …`, or null for the header. If the table began in the passage before, the last of the
 * headings is its header. Without any, the cells alone.
 */
export function rowInWords(text: string, { start, end }: Span, headings: readonly string[] = []): string | null {
  const lineStart = text.lastIndexOf('\n', start) + 1
  const row = text.slice(lineStart, lineEnd(text, end))
  if (separator.test(row) || isHeader(text, { start: lineStart, end })) return null
  const above = text.slice(0, lineStart).split('\n')
  const cells = splitCells(row)
  const header =
    (row.trimStart().startsWith('|') ? headerAbove(above) : alignedHeader(above, cells)) ?? headerIn(headings)
  if (header.length === 0 && cells.length === 2) return cells.join(': ')
  const named = cells.map((cell, at) => (cell === '' ? '' : header[at] ? `${header[at]}: ${cell}` : cell))
  return named.filter((cell) => cell !== '').join(', ') || null
}

/** The nearest aligned line above without digits that has as many cells, if only aligned lines are in between. */
function alignedHeader(lines: string[], { length }: string[]): string[] {
  for (let at = lines.length - 2; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (!isAligned(line)) return []
    if (!/\d/.test(line) && splitCells(line).length === length) return splitCells(line)
  }
  return []
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

export function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

const splitCells = (row: string): string[] =>
  row.trimStart().startsWith('|') ? splitPiped(row) : row.trim().split(gap)

const splitPiped = (row: string): string[] =>
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
    if (!line.startsWith('|') && !isAligned(line)) continue
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

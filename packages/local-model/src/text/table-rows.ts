import type { Span } from './sentences.ts'

const separator = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/

/** Whether a passage is nothing but rows of a table, as those of a spreadsheet are. */
export const isTable = (text: string): boolean =>
  text.trim() !== '' && text.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('|'))

/** A row of a table in words, `Column: cell, …`, or null for the header. Without a header above it, the cells alone. */
export function rowInWords(text: string, { start, end }: Span): string | null {
  const lines = text.split('\n')
  const rule = lines.findIndex((line) => separator.test(line))
  const header = rule > 0 ? cellsOf(lines[rule - 1] ?? '') : []
  const row = text.slice(text.lastIndexOf('\n', start) + 1, lineEnd(text, end))
  if (separator.test(row) || (rule > 0 && row === lines[rule - 1])) return null
  const cells = cellsOf(row).map((cell, at) => (cell === '' ? '' : header[at] ? `${header[at]}: ${cell}` : cell))
  return cells.filter((cell) => cell !== '').join(', ') || null
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

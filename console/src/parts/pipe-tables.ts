const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line)
const isRule = (line: string): boolean => /^[\s|:-]+$/.test(line)
const cellsIn = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

interface Row {
  start: number
  end: number
  cells: string[]
}

interface PlacedBlock {
  start: number
  text: string
  /** The rows of a table, or null for plain text. */
  rows: Row[] | null
}

/**
 * Splits a text into plain text and tables, with their places. A single row is no table: it may be cut off, or mean something
 * else.
 */
export function placedBlocks(text: string): PlacedBlock[] {
  const groups: { isTable: boolean; lines: { start: number; line: string }[] }[] = []
  let at = 0
  for (const line of text.split('\n')) {
    const last = groups.at(-1)
    const isTable = isRow(line)
    if (last?.isTable === isTable) last.lines.push({ start: at, line })
    else groups.push({ isTable, lines: [{ start: at, line }] })
    at += line.length + 1
  }
  return groups.map(({ isTable, lines }) => ({
    start: lines[0]?.start ?? 0,
    text: lines.map(({ line }) => line).join('\n'),
    rows:
      isTable && lines.length > 1
        ? lines
            .filter(({ line }) => !isRule(line))
            .map(({ start, line }) => ({ start, end: start + line.length, cells: cellsIn(line) }))
        : null,
  }))
}

export const splitBlocks = (text: string): (string | string[][])[] =>
  placedBlocks(text).map(({ text: plain, rows }) => rows?.map(({ cells }) => cells) ?? plain)

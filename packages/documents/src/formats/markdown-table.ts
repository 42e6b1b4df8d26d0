/** A Markdown table. The first row is the header. */
export function markdownTable(rows: string[][]): string {
  const columns = Math.max(...rows.slice(0, 1).map((row) => row.length), 1)
  const [head = [], ...rest] = rows
  return [tableRow(head), `|${' --- |'.repeat(columns)}`, ...rest.map(tableRow)].join('\n')
}

export const tableRow = (cells: string[]): string => `| ${cells.map(tableCell).join(' | ')} |`

export const tableCell = (content: string): string => content.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

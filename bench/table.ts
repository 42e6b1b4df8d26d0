/** A table that reads well in a terminal and in Markdown alike. */
export function printTable(title: string, head: string[], rows: string[][]): void {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length)))
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  process.stdout.write(`\n## ${title}\n\n${[line(head), rule, ...rows.map(line)].join('\n')}\n`)
}

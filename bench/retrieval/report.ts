export const print = (text: string): void => void process.stdout.write(`${text}\n`)

export function table(title: string, rows: Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((column) => String(row[column])))
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)))
  const line = (values: string[]) => `| ${values.map((value, at) => value.padEnd(widths[at] ?? 0)).join(' | ')} |`
  print(`\n## ${title}\n`)
  print(line(columns))
  print(line(widths.map((width) => '-'.repeat(width))))
  for (const row of cells) print(line(row))
}

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

export async function timed<T>(work: () => Promise<T>): Promise<[result: T, milliseconds: number]> {
  const started = performance.now()
  const result = await work()
  return [result, performance.now() - started]
}

import { printTable } from '../table.ts'

export const print = (text: string): void => void process.stdout.write(`${text}\n`)

export function table(title: string, rows: Record<string, string | number>[]): void {
  const columns = Object.keys(rows[0] ?? {})
  printTable(
    title,
    columns,
    rows.map((row) => columns.map((column) => String(row[column]))),
  )
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

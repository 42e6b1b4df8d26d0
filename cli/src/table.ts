import { cleanLine, padEnd, textWidth, truncate } from './text.ts'

export interface Column<Row> {
  title: string
  value(row: Row): unknown
  /** Right-aligned, for numbers. */
  right?: boolean
}

const gap = '  '
const minWidth = 6

const cellText = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return value.length === 0 ? '-' : cleanLine(value.join(', '))
  return cleanLine(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** Lines of a table, titles first. With a width, the widest columns are shortened until it fits. */
export function tableLines<Row>(columns: Column<Row>[], rows: Row[], width: number | null): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ value }) => cellText(value(row)))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => textWidth(line[index] ?? ''))))
  if (width !== null) shrink(widths, width - gap.length * (columns.length - 1))
  return cells.map((line) =>
    line
      .map((text, index) => {
        const size = widths[index] ?? 0
        const cell = truncate(text, size)
        return columns[index]?.right ? ' '.repeat(Math.max(0, size - textWidth(cell))) + cell : padEnd(cell, size)
      })
      .join(gap)
      .trimEnd(),
  )
}

function shrink(widths: number[], available: number): void {
  let total = widths.reduce((sum, each) => sum + each, 0)
  while (total > available) {
    const widest = Math.max(...widths)
    if (widest <= minWidth) return
    widths[widths.indexOf(widest)] = widest - 1
    total--
  }
}

import type { Io, Output } from './io.ts'
import { type Column, tableLines } from './table.ts'
import { clean, type Paint, painter, toJson } from './text.ts'

/** Prints to a terminal, a pipe or a file. All text is cleaned of control characters, because much of it is from a service. */
export interface Printer {
  paint: Paint
  isTerminal: boolean
  /** Columns of the terminal; null if it is none. */
  width: number | null
  /** Prints text without a newline at the end. */
  text(text: string): void
  line(text?: string): void
  json(value: unknown): void
  table<Row>(columns: Column<Row>[], rows: Row[]): void
  /** Replaces the current line of a terminal. */
  replaceLine(text: string): void
}

const hasColor = (output: Output, { environment }: Io): boolean =>
  Boolean(output.isTTY) && !environment.NO_COLOR && environment.TERM !== 'dumb'

export function printerTo(output: Output, io: Io): Printer {
  const paint = painter(hasColor(output, io))
  const write = (text: string) => void output.write(clean(text))
  const width = output.isTTY ? (output.columns ?? 80) : null
  return {
    paint,
    isTerminal: Boolean(output.isTTY),
    width,
    text: write,
    line: (text = '') => write(`${text}\n`),
    json: (value) => write(`${toJson(value)}\n`),
    table(columns, rows) {
      const [titles = '', ...lines] = tableLines(columns, rows, width)
      write(`${[paint('bold', titles), ...lines].join('\n')}\n`)
    },
    replaceLine(text) {
      if (!output.isTTY) return
      output.write('\r\x1b[2K')
      write(text)
    },
  }
}

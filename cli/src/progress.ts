import type { Printer } from './printer.ts'

export interface Progress {
  /** Shows how far the work is. Without a terminal nothing is printed. */
  show(label: string, done: number, total: number): void
  /** Prints a line above the bar. */
  line(text: string): void
  /** Removes the bar. */
  end(): void
}

const barWidth = 24
const minInterval = 50

/** A progress bar in a terminal, lines elsewhere. */
export function progressTo(printer: Printer): Progress {
  let shownAt = 0
  let current = ''
  const draw = () => printer.replaceLine(current)
  return {
    show(label, done, total) {
      if (!printer.isTerminal) return
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const filled = Math.round(share * barWidth)
      const bar = printer.paint('green', '█'.repeat(filled)) + printer.paint('dim', '░'.repeat(barWidth - filled))
      current = `${label} ${bar} ${done} of ${total}`
      if (Date.now() - shownAt < minInterval && done < total) return
      shownAt = Date.now()
      draw()
    },
    line(text) {
      printer.replaceLine('')
      printer.line(text)
      if (current !== '') draw()
    },
    end() {
      printer.replaceLine('')
      current = ''
    },
  }
}

export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`
}

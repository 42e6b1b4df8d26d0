import type { Result } from '../schema.ts'

const columns = [
  'case',
  'input',
  'expected_output',
  'actual_output',
  'passed',
  'error',
  'latency_ms',
  'tokens',
  'cost',
  'conversation_id',
] as const

/** Spreadsheets run such text as a formula. A leading quote prevents that. */
const looksLikeFormula = /^[=+\-@\t\r|%]/

export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const escaped = looksLikeFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(escaped) || escaped !== escaped.trim() ? `"${escaped.replaceAll('"', '""')}"` : escaped
}

const line = (cells: unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

export async function* asCsv(pages: AsyncGenerator<Result[]>, scorers: string[]): AsyncGenerator<string> {
  yield line([...columns, ...scorers.flatMap((scorer) => [`${scorer}_score`, `${scorer}_passed`, `${scorer}_reason`])])
  for await (const page of pages) {
    yield page
      .map((result) => {
        const marks = scorers.flatMap((scorer) => {
          const mark = result.scores.find((each) => each.scorer === scorer)
          return [mark?.score, mark?.passed, mark?.reason]
        })
        return line([...columns.map((name) => result[name]), ...marks])
      })
      .join('')
  }
}

export async function* asJsonLines(pages: AsyncGenerator<Result[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map((result) => `${JSON.stringify(result)}\n`).join('')
}

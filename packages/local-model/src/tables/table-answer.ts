import { detectLanguage } from '../text/language.ts'

interface TableResult {
  sql: string
  columns: string[]
  rows: unknown[][]
  results: { index: number }[]
}

const maxRows = 10
const maxCitations = 5

const english = { noRow: 'No row matches.', more: 'and more rows' }
const german: typeof english = { noRow: 'Keine Zeile passt.', more: 'und weitere Zeilen' }

/** Writes the result of a query of a table, with citations and its SQL. Null if the query failed. */
export function answerFromTable(question: string, content: string, label: string): string | null {
  const result = readResult(content)
  if (!result) return null
  const { noRow, more } = detectLanguage(question) === 'german' ? german : english
  const marks = result.results.slice(0, maxCitations).map(({ index }) => `[${index}]`)
  const cited = marks.length > 0 ? ` ${marks.join('')}` : ''
  const sql = `\n\n\`\`\`sql\n${result.sql}\n\`\`\``
  const rows = result.rows.slice(0, maxRows)
  if (rows.length === 0 || (rows.length === 1 && rows[0]?.every((cell) => cell === null))) return noRow + sql
  const [only = []] = rows
  if (rows.length === 1 && only.length === 1) return `${label}: ${written(only[0])}${cited}${sql}`
  const lines = rows.map((row) => row.map((cell, at) => `${result.columns[at]}: ${written(cell)}`).join(', '))
  if (lines.length === 1) return `${label}: ${lines[0]}${cited}${sql}`
  const rest = result.rows.length > maxRows ? `\n- ${more}` : ''
  return `${label}:${cited}\n\n${lines.map((line) => `- ${line}`).join('\n')}${rest}${sql}`
}

function readResult(content: string): TableResult | null {
  try {
    const value = JSON.parse(content) as Partial<TableResult>
    return typeof value.sql === 'string' && Array.isArray(value.rows) && Array.isArray(value.results)
      ? (value as TableResult)
      : null
  } catch {
    return null
  }
}

const written = (cell: unknown): string =>
  typeof cell === 'number' && !Number.isInteger(cell)
    ? String(Number(cell.toPrecision(12)))
    : cell === null
      ? '–'
      : String(cell)

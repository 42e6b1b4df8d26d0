import { parse } from 'csv-parse/sync'
import type { Limits, ParsedDocument } from '../document.ts'
import { TextWriter, unlessTooLong } from '../text-writer.ts'
import { codeDocument } from './json.ts'
import { tableRow } from './markdown-table.ts'

const delimiters = [',', ';', '\t', '|']

/** Converts rows to a Markdown table. A file without clear rows stays plain text. */
export function parseCsv(text: string, limits: Limits): ParsedDocument {
  try {
    const table = unlessTooLong(() => writeTable(text, limits))
    if (table !== undefined) return tableDocument(table)
    return { ...tableDocument(text), warnings: ['The table is too long to be formatted.'] }
  } catch (error) {
    if (!isCsvError(error)) throw error
    return plainLines(text, 'The rows could not be recognized, so the file was read as plain text.')
  }
}

function writeTable(text: string, limits: Limits): string {
  const writer = new TextWriter(limits.textCharacters)
  parse(text, {
    delimiter: detectDelimiter(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    on_record: (record: string[]) => {
      const first = writer.length === 0
      writer.write(`${first ? '' : '\n'}${tableRow(record)}`)
      if (first) writer.write(`\n|${' --- |'.repeat(record.length)}`)
      return null
    },
  })
  return writer.toString()
}

const tableDocument = (text: string): ParsedDocument => ({
  text,
  pages: [],
  headings: [],
  blocks: [{ kind: 'table', start: 0, end: text.length }],
  metadata: {},
  warnings: [],
})

const plainLines = (text: string, warning: string): ParsedDocument => ({ ...codeDocument(text), warnings: [warning] })

const isCsvError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('CSV_')

/** The delimiter that occurs most evenly in the first lines. */
function detectDelimiter(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 20)
  const evenness = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1)
    const least = Math.min(...counts)
    return { delimiter, least, total: counts.reduce((sum, count) => sum + count, 0) }
  })
  return evenness.toSorted((a, b) => b.least - a.least || b.total - a.total)[0]?.delimiter ?? ','
}

import type { ChunkSource } from '@parley/documents'
import { distinctName, sqlName } from './names.ts'
import { readLines, readRows } from './rows.ts'
import type { Column, Table } from './table.ts'
import { maybeTotal, totalLabel, totalRows } from './total-rows.ts'
import { type Cell, TypeFinder } from './values.ts'

/** A longer table would take too long to load for each query. */
const maxTableCharacters = 20_000_000
const maxColumns = 500
const maxTables = 1000
const exampleRows = 3
const maxValues = 40
const maxValueLength = 60
const maxTitleLength = 200

export interface TableSource extends Pick<ChunkSource, 'text' | 'headings' | 'blocks'> {
  /** The name of the document. */
  name: string
}

/** The tables of a document in their order. Its parser has marked them in the text, as Markdown. */
export function readTables({ text, headings, blocks = [], name }: TableSource): Table[] {
  const tables: Table[] = []
  const titles = new Set<string>()
  for (const { kind, start, end } of blocks) {
    if (kind !== 'table' || end - start > maxTableCharacters || tables.length === maxTables) continue
    const table = readTable(text.slice(start, end))
    if (!table) continue
    const title = distinctTitle(findTitle(text, start, headings, name), titles)
    tables.push({ title, sqlName: sqlName(title, 'table'), ...table, start, end })
  }
  return tables
}

function readTable(text: string): Pick<Table, 'columns' | 'rowCount' | 'totalRows' | 'examples'> | null {
  const lines = readLines(text)
  if (!lines || lines.head.length > maxColumns) return null
  const names = new Set<string>()
  const columns = lines.head.map((head, at) => {
    const label = head.replace(/[*_`]{1,3}([^*_`]+)[*_`]{1,3}/g, '$1').trim()
    return { name: label || `Column ${at + 1}`, sql_name: distinctName(sqlName(label, `column_${at + 1}`), names) }
  })
  const types = columns.map(() => new TypeFinder())
  const values = columns.map((): Set<string> | null => new Set())
  let rowCount = 0
  const labelled = new Set<number>()
  const likely = new Set<number>()
  let hasLabel = true
  for (const { cells } of lines.rows) {
    rowCount++
    const label = totalLabel(cells)
    if (label !== -1) labelled.add(rowCount)
    else if (maybeTotal(cells)) likely.add(rowCount)
    hasLabel = cells[0] !== ''
    columns.forEach((_, at) => {
      const cell = at === label ? '' : (cells[at] ?? '')
      types[at]?.add(cell)
      values[at] = withValue(values[at] ?? null, cell)
    })
  }
  if (rowCount === 0) return null
  const marks = types.map((type) => type.decimalMark())
  const decimal = marks.includes('comma') && !marks.includes('point') ? 'comma' : 'point'
  const typed = columns.map((column, at): Column => {
    const found = types[at]?.find(decimal) ?? { type: 'text' as const }
    const known = values[at]
    return { ...column, ...found, ...(found.type === 'text' && known && { values: [...known] }) }
  })
  const totals = totalRows(text, typed, { labelled, likely, unlabelled: hasLabel ? null : rowCount })
  return { columns: typed, rowCount, totalRows: totals, examples: firstRows(text, typed) }
}

/** Null once there are too many. */
function withValue(values: Set<string> | null, cell: string): Set<string> | null {
  if (!values || cell === '') return values
  if (cell.length > maxValueLength) return null
  values.add(cell)
  return values.size > maxValues ? null : values
}

function firstRows(text: string, columns: Column[]): Cell[][] {
  const rows: Cell[][] = []
  for (const { cells } of readRows(text, columns)) {
    if (rows.push(cells) === exampleRows) break
  }
  return rows
}

const caption = /^\s*(?:\*\*|__)?((?:table|tabelle|tab\.)\s*[\dIVX.]+\s*[:.–-]?\s*\S[^\n]*?)(?:\*\*|__)?\s*$/i

/** The caption right above a table, else the nearest heading, else the name of the document. */
function findTitle(text: string, start: number, headings: ChunkSource['headings'], name: string): string {
  const above =
    text
      .slice(Math.max(0, start - 500), start)
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  const captioned = caption.exec(above)?.[1]
  const heading = headings.findLast((each) => each.start < start)?.title
  const title = captioned ?? (heading?.trim() || name.replace(/^.*[\\/]/, '').replace(/\.\w{1,5}$/, ''))
  return (title.trim() || 'Table').slice(0, maxTitleLength)
}

function distinctTitle(title: string, taken: Set<string>): string {
  let distinct = title
  for (let count = 2; taken.has(distinct); count++) distinct = `${title} (${count})`
  taken.add(distinct)
  return distinct
}

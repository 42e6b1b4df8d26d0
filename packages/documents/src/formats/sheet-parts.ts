import { isFigure } from './figures.ts'

/** The filled cells of a row of a sheet, by ascending column. */
export type SheetRow = SheetCell[]

interface SheetCell {
  column: number
  text: string
}

export type SheetPart = { notes: string[] } | SheetTable

interface SheetTable {
  columns: number[]
  head: string[]
  rows: string[][]
}

interface Group {
  notes: string[]
  body: SheetRow[]
}

const maxHeadRows = 3
/** A sheet with more blocks is not divided by them, because each is compared with all rows above. */
const maxBlocks = 200

export type NumberedRow = [number: number, row: SheetRow]

/** Columns and rows of a sheet, counted from 0. The last ones are part of it. */
export interface SheetRange {
  top: number
  left: number
  bottom: number
  right: number
}

/**
 * The notes and tables of a sheet. Rows are given with their numbers; empty ones are left out. Tables that the file
 * declares are given with their ranges.
 */
export function sheetParts(rows: Iterable<NumberedRow>, declared: readonly SheetRange[] = []): SheetPart[] {
  const all = [...rows]
  const tables = declared.toSorted((a, b) => a.top - b.top || a.left - b.left)
  const others = all.map(
    ([number, row]): NumberedRow => [
      number,
      row.filter(({ column }) => !tables.some((range) => isInside(range, number, column))),
    ],
  )
  const parts: SheetPart[] = []
  let from = 0
  const writeOthers = (to: number) => {
    const between = others.filter(([number, row]) => number >= from && number < to && row.length > 0)
    parts.push(...splitSections(between).flatMap(sideBySide).flatMap(toParts))
    from = Math.max(from, to)
  }
  for (const range of tables) {
    writeOthers(range.top)
    const own = all.map(([number, row]) => row.filter(({ column }) => isInside(range, number, column)))
    const [head, ...body] = own.filter((row) => row.length > 0)
    if (!head) continue
    const columns = usedColumns([head, ...body])
    parts.push({ columns, head: valuesIn(head, columns), rows: body.map((row) => valuesIn(row, columns)) })
  }
  writeOthers(Number.POSITIVE_INFINITY)
  return parts
}

const isInside = ({ top, left, bottom, right }: SheetRange, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

/** Rows whose tables stand side by side in the same columns. A table further down may use the columns between others. */
function splitSections(rows: NumberedRow[]): NumberedRow[][] {
  const sections: { rows: NumberedRow[]; starts: number[] }[] = []
  const blocks = splitBlocks(rows)
  if (blocks.length > maxBlocks) return [rows]
  for (const block of blocks) {
    const last = sections.at(-1)
    const together = [...(last?.rows ?? []), ...block]
    const starts = tableStarts(together)
    const isHead = last && last.rows.length <= maxHeadRows && !last.rows.some(([, row]) => hasFigure(row))
    if (last && (isHead || starts.join() === last.starts.join())) sections.splice(-1, 1, { rows: together, starts })
    else sections.push({ rows: block, starts: tableStarts(block) })
  }
  return sections.map((section) => section.rows)
}

/** Rows without an empty one between them. */
function splitBlocks(rows: NumberedRow[]): NumberedRow[][] {
  const blocks: NumberedRow[][] = []
  for (const [at, row] of rows.entries()) {
    const isNext = at > 0 && rows[at - 1]?.[0] === row[0] - 1
    if (isNext) blocks.at(-1)?.push(row)
    else blocks.push([row])
  }
  return blocks
}

/** The first columns of tables behind empty columns. */
function tableStarts(rows: NumberedRow[]): number[] {
  const columns = usedColumns(rows.map(([, row]) => row))
  return columns.filter((column, at) => {
    const isGap = at > 0 && column > (columns[at - 1] ?? 0) + 1
    if (!isGap) return false
    const end = columns.findIndex((other, next) => next > at && other > (columns[next - 1] ?? 0) + 1)
    const width = end === -1 ? columns.length - at : end - at
    return hasLabels(rows, column, width) || (width > 1 && isTableOfFigures(rows, column))
  })
}

/** Divides rows at empty columns if a table begins behind these. Without such a column, the rows stay together. */
function sideBySide(rows: NumberedRow[]): NumberedRow[][] {
  const starts = tableStarts(rows)
  if (starts.length === 0) return [rows]
  return [0, ...starts].map((from, at) => {
    const to = starts[at] ?? Number.POSITIVE_INFINITY
    const own = rows.map(
      ([number, row]): NumberedRow => [number, row.filter(({ column }) => column >= from && column < to)],
    )
    return own.filter(([, row]) => row.length > 0)
  })
}

function hasLabels(rows: NumberedRow[], column: number, width: number): boolean {
  const labels = rows.flatMap(([, row]) => row.filter((cell) => cell.column === column))
  return width > 1 && labels.length > 1 && labels.every(({ text }) => !isFigure(text))
}

/**
 * Figures under a header can be a table of their own or further columns of the one on the left. They are a table if that
 * one has figures, too, and they count its rows, or are in other rows.
 */
function isTableOfFigures(rows: NumberedRow[], column: number): boolean {
  const [head, ...figures] = rows.flatMap(([, row]) => row.filter((cell) => cell.column === column))
  if (!head || isFigure(head.text) || figures.length < 2 || !figures.every(({ text }) => isFigure(text))) return false
  const left = rows.map(([, row]) => row.filter((cell) => cell.column < column))
  if (usedColumns(left).length < 2 || !left.some(hasFigure)) return false
  const isCount = figures.every(({ text }, at) => Number(text) === Number(figures[0]?.text) + at)
  return isCount || rows.some(([, row], at) => left[at]?.length === 0 || row.every((cell) => cell.column < column))
}

/** Two columns whose values are of different kinds, or whose first one ends with colons, have no header. */
function isKeysAndValues(body: SheetRow[]): boolean {
  if (body.length < 2 || body.some((row) => row.length !== 2) || usedColumns(body).length !== 2) return false
  if (body.every(([key]) => key?.text.endsWith(':'))) return true
  const figures = body.slice(1).filter(([, value]) => isFigure(value?.text ?? '')).length / (body.length - 1)
  const areKeys = body.every(([key]) => !isFigure(key?.text ?? '') && !/^\d/.test(key?.text ?? ''))
  return areKeys && figures > 0 && figures < 0.5
}

function toParts(rows: NumberedRow[]): SheetPart[] {
  const parts: SheetPart[] = []
  let last: SheetTable | null = null
  const groups = splitBlocks(rows).map((block) => withoutNotes(block.map(([, row]) => row)))
  for (const { notes, body } of headsJoined(groups)) {
    if (notes.length > 0) parts.push({ notes })
    if (body.length === 0) continue
    if (isKeysAndValues(body)) {
      parts.push({ notes: body.map((row) => row.map(({ text }) => text.replace(/:$/, '')).join(': ')) })
      last = null
      continue
    }
    const continued = continues(body, last)
    const isNext = last !== null && continued && parts.at(-1) === last
    const table: SheetTable = last && continued ? (isNext ? last : { ...last, rows: [] }) : tableWithHead(body)
    for (const row of continued ? body : body.slice(headLength(body))) table.rows.push(valuesIn(row, table.columns))
    if (!isNext) parts.push(table)
    last = table
  }
  return parts
}

/** Single cells above a table are notes, unless they stand over its columns. */
function withoutNotes(group: SheetRow[]): Group {
  const first = group.reduce(
    (least, row) => (row.length > 1 ? Math.min(least, row[0]?.column ?? 0) : least),
    Number.POSITIVE_INFINITY,
  )
  const start = group.findIndex((row) => row.length > 1 || (row[0]?.column ?? 0) > first)
  const notes = start === -1 ? group : group.slice(0, start)
  return { notes: notes.map(([cell]) => cell?.text ?? ''), body: start === -1 ? [] : group.slice(start) }
}

/** A head may be set off from its rows by an empty one. */
function headsJoined(groups: Group[]): Group[] {
  const joined: Group[] = []
  for (const group of groups) {
    const above = joined.at(-1)
    if (above && isHeadFor(above.body, group)) above.body.push(...group.body)
    else joined.push(group)
  }
  return joined
}

function isHeadFor(above: SheetRow[], { notes, body }: Group): boolean {
  const [first] = body
  if (notes.length > 0 || !first || !hasFigure(first)) return false
  if (above.length === 0 || above.length > maxHeadRows || above.some(hasFigure)) return false
  const columns = usedColumns(above)
  return usedColumns(body).every((column) => columns.includes(column))
}

/** Rows without a header continue the table above. */
function continues(body: SheetRow[], table: SheetTable | null): boolean {
  if (!table) return false
  const columns = usedColumns(body)
  if (!columns.every((column) => table.columns.includes(column))) return false
  const firstFigure = body.findIndex(hasFigure)
  return firstFigure === -1 ? !table.rows.some((row) => row.some(isFigure)) : firstFigure === 0
}

function tableWithHead(body: SheetRow[]): SheetTable {
  const columns = usedColumns(body)
  const above = body.slice(0, headLength(body)).map((row) => valuesIn(row, columns))
  const lines = above.map((row, index) => (index < above.length - 1 ? spread(row) : row))
  const head = columns.map((_, at) => [...new Set(lines.map((row) => row[at] ?? ''))].filter(Boolean).join(' '))
  return { columns, head, rows: [] }
}

/** A head has several rows if the first do not name all columns. */
function headLength(body: SheetRow[]): number {
  const withoutFigures = Math.min(body.findIndex(hasFigure), maxHeadRows)
  const columns = usedColumns(body).length
  for (let length = 1; length < withoutFigures; length++)
    if (usedColumns(body.slice(0, length)).length === columns) return length
  return Math.max(1, withoutFigures)
}

/** A title over several columns stands at the first or at the last of them. */
function spread([label = '', ...titles]: string[]): string[] {
  const filled = (row: string[]): string[] => {
    let title = ''
    return row.map((text) => {
      title = text || title
      return title
    })
  }
  return [label, ...(titles.at(-1) ? filled(titles.toReversed()).reverse() : filled(titles))]
}

function usedColumns(rows: SheetRow[]): number[] {
  const used = new Set<number>()
  for (const row of rows) for (const { column } of row) used.add(column)
  return [...used].sort((a, b) => a - b)
}

function valuesIn(row: SheetRow, columns: number[]): string[] {
  const texts = new Map(row.map(({ column, text }) => [column, text]))
  const values = columns.map((column) => texts.get(column) ?? '')
  return values.slice(0, values.findLastIndex((text) => text !== '') + 1)
}

const hasFigure = (row: SheetRow): boolean => row.some(({ text }) => isFigure(text))

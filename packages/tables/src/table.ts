import type { Cell, ColumnFormat, ColumnType } from './values.ts'

/** A column as it is stored with its table. */
export interface Column {
  /** The header of the document. */
  name: string
  /** The name in SQL. */
  sql_name: string
  type: ColumnType
  /** How the document writes the values, if there is more than one way to read them. */
  format?: ColumnFormat
  /** All values of a text column that has few. */
  values?: string[]
}

/** A table of a document. `start` and `end` are offsets into the text of the document. */
export interface Table {
  title: string
  /** The name in SQL. Two tables may have the same one: the caller makes it unique. */
  sqlName: string
  columns: Column[]
  rowCount: number
  /** The numbers of the rows that sum up others, from 1. */
  totalRows: number[]
  /** The first rows. */
  examples: Cell[][]
  start: number
  end: number
}

/** A row with its position in the text of the table. */
export interface Row {
  cells: Cell[]
  start: number
  end: number
}

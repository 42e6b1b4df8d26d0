type Row = Record<string, unknown>

/** Turns an encrypted value into another one, such as one under another key. */
type Change = (sealed: string, context: string) => string

/** The encrypted values in the rows of a table. */
export interface Sealed {
  table: string
  columns: string[]
  /** Returns the columns of a row that hold encrypted values, with all of them changed. */
  change(row: Row, change: Change): Row
}

/** A column that holds one encrypted value or null. */
export const sealedColumn = (table: string, column: string, context: (row: Row) => string): Sealed => ({
  table,
  columns: [column],
  change(row, change) {
    const sealed = row[column] as string | null
    return sealed === null ? {} : { [column]: change(sealed, context(row)) }
  },
})

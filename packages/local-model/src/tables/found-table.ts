/** A table as `find_tables` describes it. */
export interface FoundTable {
  /** The name in SQL. */
  table: string
  title: string
  row_count: number
  /** The numbers of the rows that sum up others. */
  total_rows?: number[]
  /** The name of the document. */
  document?: string
  columns: FoundColumn[]
}

export interface FoundColumn {
  /** The name in SQL. */
  column: string
  /** The header of the document. */
  name: string
  type: 'text' | 'number' | 'date' | 'boolean'
  /** All values of a text column that has few. */
  values?: string[]
}

/** The tables in the result of `find_tables`, or none if it is anything else. */
export function tablesIn(content: string): FoundTable[] {
  try {
    const { tables } = JSON.parse(content) as { tables?: unknown }
    return Array.isArray(tables) ? tables.filter(isTable) : []
  } catch {
    return []
  }
}

const isTable = (value: unknown): value is FoundTable => {
  const { table, title, columns } = (value ?? {}) as Partial<FoundTable>
  return typeof table === 'string' && typeof title === 'string' && Array.isArray(columns)
}

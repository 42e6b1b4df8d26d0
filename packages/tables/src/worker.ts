import { serve } from '@parley/threads'
import { LoadedTables, type QueryTable } from './query.ts'
import { readTables, type TableSource } from './read-tables.ts'
import { type Range, readPage } from './row-page.ts'
import { SqlError } from './sql/sql-error.ts'
import type { Column } from './table.ts'

let loaded: LoadedTables | undefined

const methods = {
  read: (source: TableSource) => readTables(source),
  page: (text: string, columns: Column[], range: Range) => readPage(text, columns, range),
  /** For the next query. */
  load(tables: QueryTable[]) {
    loaded?.close()
    loaded = new LoadedTables(tables)
    return withSqlError(() => loaded?.load())
  },
  query: (sql: string) =>
    withSqlError(() => {
      try {
        return loaded?.query(sql)
      } finally {
        loaded?.close()
        loaded = undefined
      }
    }),
}

/** Errors in SQL are results, so that the caller can tell them from others. */
function withSqlError<T>(work: () => T): { result: T; error?: never } | { error: string } {
  try {
    return { result: work() }
  } catch (error) {
    if (error instanceof SqlError) return { error: error.message }
    throw error
  }
}

export type TableMethods = typeof methods
void serve(methods)

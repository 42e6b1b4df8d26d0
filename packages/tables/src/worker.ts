import { serve } from '@parley/threads'
import { type QueryTable, runQuery } from './query.ts'
import { readTables, type TableSource } from './read-tables.ts'
import { type Range, readPage } from './row-page.ts'
import { SqlError } from './sql/sql-error.ts'
import type { Column } from './table.ts'

const methods = {
  read: (source: TableSource) => readTables(source),
  page: (text: string, columns: Column[], range: Range) => readPage(text, columns, range),
  query(tables: QueryTable[], sql: string) {
    try {
      return { result: runQuery(tables, sql) }
    } catch (error) {
      if (error instanceof SqlError) return { error: error.message }
      throw error
    }
  },
}

export type TableMethods = typeof methods
void serve(methods)

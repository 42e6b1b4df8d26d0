import { createThreadPool, ThreadError } from '@parley/threads'
import type { QueryResult, QueryTable } from './query.ts'
import { readTables, type TableSource } from './read-tables.ts'
import { type Range, type RowPage, readPage } from './row-page.ts'
import { SqlError } from './sql/sql-error.ts'
import type { Column, Table } from './table.ts'
import type { TableMethods } from './worker.ts'

const queryMs = 5000
const readSeconds = 60
const memoryMb = 768
const idleMs = 30_000
/** Shorter tables are read in a few milliseconds, so they need no process. */
const shortCharacters = 100_000

interface TaskOptions {
  signal?: AbortSignal
  /** The owner, such as a workspace, and after a slash a member of it. Owners take turns, and so do members. */
  key?: string
}

/** Reads tables and queries them, in processes: a thread inside SQLite can neither be stopped nor limited in its memory. */
export interface Tables {
  read(source: TableSource, options?: TaskOptions): Promise<Table[]>
  /** Throws a `SqlError` if the statement is wrong, takes too long (not counting the loading) or needs too much memory. */
  query(tables: QueryTable[], sql: string, options?: TaskOptions): Promise<QueryResult>
  /** The rows of a table from `offset` on: all, or those that contain `q`. `total` counts these. */
  page(table: PagedTable, range: Range, options?: TaskOptions): Promise<RowPage>
  close(): Promise<void>
}

interface PagedTable {
  columns: Column[]
  text: string
}

export function createTables(options: { queryMs?: number } = {}): Tables {
  const limitMs = options.queryMs ?? queryMs
  const pool = createThreadPool<TableMethods>(new URL('./worker.ts', import.meta.url), {
    name: 'table',
    size: 2,
    maxRunningPerKey: 1, // a member cannot occupy both with slow queries
    idleMs,
    maxIdleMemoryMb: 256,
    maxWaitingPerKey: 100,
    process: { memoryMb },
    isolated: true, // the environment may hold secrets
  })
  return {
    async read(source, task = {}) {
      const blocks = (source.blocks ?? []).filter(({ kind }) => kind === 'table')
      const tables = { ...source, blocks }
      if (blocks.reduce((sum, { start, end }) => sum + end - start, 0) <= shortCharacters) return readTables(tables)
      return pool.use((thread) => thread.call('read', [tables], { cpuSeconds: readSeconds, ...pickSignal(task) }), task)
    },
    async query(tables, sql, task = {}) {
      try {
        return await pool.use(async (thread) => {
          const loading = await thread.call('load', [tables], { cpuSeconds: readSeconds, ...pickSignal(task) })
          if (loading.error !== undefined) throw new SqlError(loading.error)
          const answer = await thread.call('query', [sql], { timeoutMs: limitMs, ...pickSignal(task) })
          if (answer.error !== undefined) throw new SqlError(answer.error)
          return answer.result as QueryResult
        }, task)
      } catch (error) {
        const code = error instanceof ThreadError ? error.code : null
        if (code === 'timeout')
          throw new SqlError(`The query took longer than ${limitMs / 1000} seconds and was stopped.`)
        if (code === 'memory') throw new SqlError('The query needs too much memory. Select fewer rows or columns.')
        throw error
      }
    },
    async page({ columns, text }, range, task = {}) {
      if (text.length <= shortCharacters) return readPage(text, columns, range)
      return pool.use(
        (thread) => thread.call('page', [text, columns, range], { cpuSeconds: readSeconds, ...pickSignal(task) }),
        task,
      )
    },
    close: () => pool.stop(),
  }
}

const pickSignal = ({ signal }: TaskOptions) => (signal ? { signal } : {})

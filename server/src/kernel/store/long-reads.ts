import { createThread } from '@parley/threads'
import type { CompiledQuery } from 'kysely'
import { type Db, rowsOf } from './database.ts'
import type { ReadMethods } from './read-worker.ts'
import { bindable } from './sqlite.ts'

/** Runs slow queries without blocking others. */
export interface LongReads {
  rows<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]>
  close(): Promise<void>
}

/** SQLite: a thread with its own connection. */
export function threadedReads(databaseFile: string): LongReads {
  const thread = createThread<ReadMethods>(new URL('./read-worker.ts', import.meta.url), {
    name: 'database reader',
    workerData: { databaseFile },
  })
  return {
    rows: async <Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
      (await thread.call('rows', [sql, parameters.map(bindable)])) as Row[],
    close: () => thread.close(),
  }
}

/** Postgres runs each connection in its own process. */
export const plainReads = (db: Db): LongReads => ({ rows: (query) => rowsOf(db, query), async close() {} })

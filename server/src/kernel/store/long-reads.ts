import { answeringThread } from '@parley/threads'
import type { CompiledQuery } from 'kysely'
import { type Db, rowsOf } from './database.ts'

/** The way of questions that take long to answer: nothing else waits for them. */
export interface LongReads {
  rows<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]>
  close(): Promise<void>
}

/** SQLite: a thread with a connection of its own. */
export function threadedReads(databaseFile: string): LongReads {
  const module = new URL('./read-worker.ts', import.meta.url)
  const thread = answeringThread(module, {
    workerData: { databaseFile },
    whenGone: 'The thread that reads the database has ended.',
  })
  return {
    rows: ({ sql, parameters }) => thread.ask({ sql, parameters: parameters.map(bindable) }),
    close: () => thread.end(),
  }
}

const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** Postgres does its reading in a process of its own anyway. */
export const plainReads = (db: Db): LongReads => ({ rows: (query) => rowsOf(db, query), async close() {} })

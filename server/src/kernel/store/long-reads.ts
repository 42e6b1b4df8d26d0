import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import { type Db, rowsOf } from './database.ts'

/** The way of questions that take long to answer: nothing else waits for them. */
export interface LongReads {
  rows<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]>
  close(): Promise<void>
}

interface Waiting {
  resolve(rows: unknown[]): void
  reject(error: Error): void
}

interface Answer {
  id: number
  rows?: unknown[]
  error?: string
}

/** SQLite: a thread with a connection of its own, begun when it is first needed. */
export function threadedReads(databaseFile: string): LongReads {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let asked = 0

  const fail = (error: Error) => {
    worker = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./read-worker.ts', import.meta.url), { workerData: { databaseFile } })
    started.unref()
    started.on('message', ({ id, rows, error }: Answer) => {
      const asker = waiting.get(id)
      waiting.delete(id)
      if (error === undefined) asker?.resolve(rows ?? [])
      else asker?.reject(new Error(error))
    })
    started.on('error', fail)
    started.on('exit', () => fail(new Error('The thread that reads the database has ended.')))
    return started
  }

  return {
    rows: <Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
      new Promise<Row[]>((resolve, reject) => {
        worker ??= start()
        const id = ++asked
        waiting.set(id, { resolve: (rows) => resolve(rows as Row[]), reject })
        worker.postMessage({ id, sql, parameters: parameters.map(bindable) })
      }),
    async close() {
      await worker?.terminate()
    },
  }
}

const bindable = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)

/** Postgres does its reading in a process of its own anyway. */
export const plainReads = (db: Db): LongReads => ({ rows: (query) => rowsOf(db, query), async close() {} })

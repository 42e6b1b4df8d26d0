import { createThread } from '@parley/threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Db, rowsOf, type Tables } from './database.ts'
import type { ReadMethods } from './read-worker.ts'
import { bindable } from './sqlite.ts'

/** Runs slow queries without blocking others. */
export interface LongReads {
  rows<Row>(query: Pick<CompiledQuery, 'sql' | 'parameters'>): Promise<Row[]>
  /** The same for queries that are built with it. */
  db: Db
  close(): Promise<void>
}

/** SQLite: a thread with its own connection. */
export function threadedReads(databaseFile: string): LongReads {
  const thread = createThread<ReadMethods>(new URL('./read-worker.ts', import.meta.url), {
    name: 'database reader',
    workerData: { databaseFile },
  })
  const rows = async <Row>({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>) =>
    (await thread.call('rows', [sql, parameters.map(bindable)])) as Row[]
  return { rows, db: readingDb(rows), close: () => thread.close() }
}

function readingDb(rows: LongReads['rows']): Db {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => ({ rows: await rows<Row>(query) }),
    // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams rows
    async *streamQuery() {
      throw new Error('Streaming rows is not supported.')
    },
  }
  class ReadingDriver extends DummyDriver {
    override acquireConnection = async () => connection
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ReadingDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

/** Postgres runs each connection in its own process. */
export const plainReads = (db: Db): LongReads => ({ rows: (query) => rowsOf(db, query), db, async close() {} })

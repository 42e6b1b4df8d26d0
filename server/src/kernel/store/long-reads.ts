import { createThread, type Thread } from '@parley/threads'
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
import { minute } from '../time.ts'
import type { Db, Tables } from './database.ts'
import type { ReadMethods } from './read-worker.ts'
import { bindable } from './sqlite.ts'

export type Reader = Thread<ReadMethods>

/** The thread that runs slow reads of SQLite. */
export const createReader = (): Reader =>
  createThread<ReadMethods>(new URL('./read-worker.ts', import.meta.url), { name: 'database reader', idleMs: minute })

/** SQLite with a connection of its own, in a thread: slow queries do not block the process. */
export function threadedReads(databaseFile: string, reader: Reader): Db {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      return { rows: (await reader.call('rows', [databaseFile, sql, parameters.map(bindable)])) as Row[] }
    },
    // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams rows
    async *streamQuery() {
      throw new Error('Streaming rows is not supported.')
    },
  }
  class ReadingDriver extends DummyDriver {
    override acquireConnection = async () => connection
    override async destroy() {
      if (reader.isRunning()) await reader.call('close', [databaseFile])
    }
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

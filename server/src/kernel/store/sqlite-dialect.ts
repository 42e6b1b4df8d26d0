import type BetterSqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { bindable } from './sqlite.ts'
import type { WriteLock } from './write-lock.ts'

const maxPreparedStatements = 1000

/**
 * SQLite for Kysely on two connections. Transactions and single writes take the write lock and use the first one; reads
 * outside of a transaction use the second one and never wait for a writer.
 */
export function sqliteDialect(
  writer: BetterSqlite.Database,
  reader: BetterSqlite.Database,
  lock: WriteLock,
  onWrite: () => void,
) {
  const connections: Connections = {
    write: withStatementCache(writer),
    read: withStatementCache(reader),
    lock,
    onWrite,
  }
  return new (class extends SqliteDialect {
    override createAdapter(): SqliteAdapter {
      return new (class extends SqliteAdapter {
        override get supportsMultipleConnections(): boolean {
          return true
        }

        // Kysely says otherwise, and would then migrate without a transaction.
        override get supportsTransactionalDdl(): boolean {
          return true
        }
      })()
    }

    override createDriver(): Driver {
      return new TwoConnectionDriver(connections, () => {
        reader.close()
        writer.close() // the last connection checkpoints the WAL, which a read-only one cannot
      })
    }
  })({ database: writer })
}

interface Connections {
  write: Prepare
  read: Prepare
  lock: WriteLock
  /** Called after every commit and every single write. */
  onWrite(): void
}

const isSelect = /^\s*select\b/i

type Prepare = (sql: string) => BetterSqlite.Statement

/** Preparing a statement costs more than running it, and there are few different ones. */
function withStatementCache(sqlite: BetterSqlite.Database): Prepare {
  const prepared = new LRUCache<string, BetterSqlite.Statement>({ max: maxPreparedStatements })
  return (sql) => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = sqlite.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
}

function run<Row>(statement: BetterSqlite.Statement, { parameters }: CompiledQuery): QueryResult<Row> {
  const bound = parameters.map(bindable)
  if (statement.reader) return { rows: statement.all(bound) as Row[] }
  const { changes } = statement.run(bound)
  return { rows: [], numAffectedRows: BigInt(changes) }
}

class SqliteConnection implements DatabaseConnection {
  readonly #connections: Connections
  /** Set while a transaction runs on this connection. */
  releaseLock: (() => void) | null = null

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { write, read, lock, onWrite } = this.#connections
    if (this.releaseLock) return run(write(query.sql), query)
    if (isSelect.test(query.sql)) return run(read(query.sql), query)
    const release = await lock.acquire()
    try {
      return run(write(query.sql), query)
    } finally {
      onWrite()
      release()
    }
  }

  // biome-ignore lint/correctness/useYield: required by the interface, and nothing here streams rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming rows is not supported.')
  }

  async begin(): Promise<void> {
    this.releaseLock = await this.#connections.lock.acquire()
    await this.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.executeQuery(CompiledQuery.raw(how))
    } finally {
      this.#connections.onWrite()
      this.releaseLock?.()
      this.releaseLock = null
    }
  }
}

class TwoConnectionDriver implements Driver {
  readonly #connections: Connections
  readonly #close: () => void

  constructor(connections: Connections, close: () => void) {
    this.#connections = connections
    this.#close = close
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#connections)
  }
  beginTransaction = (connection: DatabaseConnection): Promise<void> => (connection as SqliteConnection).begin()
  commitTransaction = (connection: DatabaseConnection): Promise<void> => (connection as SqliteConnection).end('commit')
  rollbackTransaction = (connection: DatabaseConnection): Promise<void> =>
    (connection as SqliteConnection).end('rollback')
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {
    this.#close()
  }
}

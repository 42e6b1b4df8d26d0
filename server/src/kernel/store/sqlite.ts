import type BetterSqlite from 'better-sqlite3'

/** The settings that every connection to the embedded database has. */
export function tuneSqlite(sqlite: BetterSqlite.Database): void {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL') // what was acknowledged survives a power cut
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('busy_timeout = 5000')
  sqlite.pragma('cache_size = -16384')
}

/** Tells of everything that may have written. Preparing a statement costs more than running it, and the statements of a service are few. */
export function withStatementCache(
  sqlite: BetterSqlite.Database,
  onWrite: (sql: string) => void = () => {},
  beforeUse: () => void = () => {},
) {
  const most = 1000
  const prepared = new Map<string, ReturnType<typeof adapt>>()
  const adapt = (sql: string) => {
    const statement = sqlite.prepare(sql)
    const bindable = (parameters: readonly unknown[]) =>
      parameters.map((value) => (typeof value === 'boolean' ? Number(value) : value))
    const writes = !/^\s*select\b/i.test(sql)
    const told = <T>(result: T): T => {
      if (writes) onWrite(sql)
      return result
    }
    return {
      reader: statement.reader,
      all: (parameters: readonly unknown[]) => told(statement.all(bindable(parameters))),
      run: (parameters: readonly unknown[]) => told(statement.run(bindable(parameters))),
      iterate: (parameters: readonly unknown[]) =>
        sqlite.prepare(sql).iterate(bindable(parameters)) as IterableIterator<unknown>,
    }
  }
  return {
    close: () => sqlite.close(),
    prepare(sql: string) {
      beforeUse()
      let statement = prepared.get(sql)
      if (!statement) {
        if (prepared.size >= most) prepared.clear()
        statement = adapt(sql)
        prepared.set(sql, statement)
      }
      return statement
    },
  }
}

import type BetterSqlite from 'better-sqlite3'
import { withStatementCache } from './sqlite.ts'

/**
 * Reads outside of transactions, on a connection of its own that never waits for a writer. Taking and giving back the
 * lock of a read costs more than most reads, so all reads of one turn of the event loop share one, until something is
 * written in between.
 */
export function createReader(sqlite: BetterSqlite.Database, changes: () => number) {
  const cached = withStatementCache(sqlite)
  const begin = sqlite.prepare('begin')
  const commit = sqlite.prepare('commit')
  let heldSince: number | null = null

  const release = (): void => {
    if (heldSince === null || !sqlite.open) return
    heldSince = null
    commit.run()
  }

  return (sql: string, parameters: readonly unknown[]): unknown[] => {
    if (heldSince !== changes()) {
      if (heldSince === null) setImmediate(release)
      else commit.run()
      begin.run()
      heldSince = changes()
    }
    return cached.prepare(sql).all(parameters)
  }
}

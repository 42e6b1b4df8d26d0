import BetterSqlite from 'better-sqlite3'
import type { Cell, Snapshot, Source } from './source.ts'

export function sqliteSource(file: string): Source {
  const sqlite = new BetterSqlite(file, { readonly: true })
  const statements = new Map<string, BetterSqlite.Statement>()
  const snapshot: Snapshot = {
    async rows(sql, parameters) {
      let statement = statements.get(sql)
      if (!statement) {
        statement = sqlite.prepare(sql).raw()
        statements.set(sql, statement)
      }
      return statement.all(parameters) as Cell[][]
    },
  }
  return {
    async read(work) {
      sqlite.exec('begin')
      try {
        return await work(snapshot)
      } finally {
        sqlite.exec('commit')
      }
    },
    close: async () => void sqlite.close(),
  }
}

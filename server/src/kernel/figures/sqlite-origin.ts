import BetterSqlite from 'better-sqlite3'
import type { Cell, Origin, Snapshot } from './origin.ts'

export function sqliteOrigin(file: string): Origin {
  const sqlite = new BetterSqlite(file, { readonly: true })
  const prepared = new Map<string, BetterSqlite.Statement>()
  const snapshot: Snapshot = {
    async rows(sql, parameters) {
      let statement = prepared.get(sql)
      if (!statement) {
        statement = sqlite.prepare(sql).raw()
        prepared.set(sql, statement)
      }
      return statement.all(parameters) as Cell[][]
    },
  }
  return {
    async reading(work) {
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

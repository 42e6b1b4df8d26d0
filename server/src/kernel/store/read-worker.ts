import { serve } from '@parley/threads'
import BetterSqlite from 'better-sqlite3'
import { addUnicodeLower } from './sqlite.ts'

const open = new Map<string, BetterSqlite.Database>()

function databaseAt(file: string): BetterSqlite.Database {
  let database = open.get(file)
  if (!database) {
    database = new BetterSqlite(file, { readonly: true })
    addUnicodeLower(database)
    open.set(file, database)
  }
  return database
}

function close(file: string): void {
  open.get(file)?.close()
  open.delete(file)
}

const methods = {
  rows: (file: string, sql: string, parameters: unknown[]): unknown[] => databaseAt(file).prepare(sql).all(parameters),
  close,
}
export type ReadMethods = typeof methods

void serve(methods, {
  close: () => {
    for (const file of open.keys()) close(file)
  },
})

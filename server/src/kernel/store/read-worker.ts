import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import BetterSqlite from 'better-sqlite3'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile, { readonly: true })

const methods = {
  rows: (sql: string, parameters: unknown[]): unknown[] => sqlite.prepare(sql).all(parameters),
}
export type ReadMethods = typeof methods

void serve(methods, { close: () => sqlite.close() })

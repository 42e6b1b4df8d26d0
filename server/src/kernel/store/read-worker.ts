import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import BetterSqlite from 'better-sqlite3'
import { addUnicodeLower } from './sqlite.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile, { readonly: true })
addUnicodeLower(sqlite)

const methods = {
  rows: (sql: string, parameters: unknown[]): unknown[] => sqlite.prepare(sql).all(parameters),
}
export type ReadMethods = typeof methods

void serve(methods, { close: () => sqlite.close() })

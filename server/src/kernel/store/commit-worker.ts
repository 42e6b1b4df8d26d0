import { workerData } from 'node:worker_threads'
import { serve } from '@parley/threads'
import BetterSqlite from 'better-sqlite3'
import { configureSqlite } from './sqlite.ts'
import type { Statement } from './statement.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile)
configureSqlite(sqlite)

const prepared = new Map<string, BetterSqlite.Statement>()

function prepare(sql: string): BetterSqlite.Statement {
  let statement = prepared.get(sql)
  if (!statement) {
    statement = sqlite.prepare(sql)
    prepared.set(sql, statement)
  }
  return statement
}

class Conflict extends Error {}

function run(statements: Statement[]): void {
  for (const { sql, parameters, changes } of statements) {
    const result = prepare(sql).run(parameters)
    if (changes !== undefined && result.changes !== changes)
      throw new Conflict('A row was changed by another transaction.')
  }
}

type Transactions = Statement[][]

/** Without savepoints, which copy every changed page: nearly always all transactions succeed. */
const runAll = sqlite.transaction((transactions: Transactions) => {
  for (const statements of transactions) run(statements)
})

/** Within a transaction this is a savepoint. */
const runOne = sqlite.transaction(run)

const runEach = sqlite.transaction((transactions: Transactions) =>
  transactions.map((statements) => {
    try {
      runOne(statements)
      return null
    } catch (error) {
      return { message: (error as Error).message, isConflict: error instanceof Conflict }
    }
  }),
)

interface CommitError {
  message: string
  isConflict: boolean
}

const methods = {
  /** Returns the error of each transaction, null for those that were committed. */
  commit(transactions: Transactions): (CommitError | null)[] {
    try {
      runAll.immediate(transactions)
      return transactions.map(() => null)
    } catch {
      return runEach.immediate(transactions)
    }
  },
}
export type CommitMethods = typeof methods

void serve(methods, { close: () => sqlite.close() })

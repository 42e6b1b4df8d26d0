import { serve } from '@parley/threads'
import BetterSqlite from 'better-sqlite3'
import { configureSqlite } from './sqlite.ts'
import type { Statement } from './statement.ts'

type Transactions = Statement[][]

interface CommitError {
  message: string
  isConflict: boolean
}

class Conflict extends Error {}

/** A database file with its prepared statements. */
class Database {
  readonly #sqlite: BetterSqlite.Database
  readonly #prepared = new Map<string, BetterSqlite.Statement>()
  readonly #runAll: BetterSqlite.Transaction<(transactions: Transactions) => void>
  readonly #runEach: BetterSqlite.Transaction<(transactions: Transactions) => (CommitError | null)[]>

  constructor(file: string) {
    this.#sqlite = new BetterSqlite(file)
    configureSqlite(this.#sqlite)
    // Without savepoints, which copy every changed page: nearly always all transactions succeed.
    this.#runAll = this.#sqlite.transaction((transactions: Transactions) => {
      for (const statements of transactions) this.#run(statements)
    })
    const runOne = this.#sqlite.transaction((statements: Statement[]) => this.#run(statements)) // a savepoint
    this.#runEach = this.#sqlite.transaction((transactions: Transactions) =>
      transactions.map((statements) => {
        try {
          runOne(statements)
          return null
        } catch (error) {
          return { message: (error as Error).message, isConflict: error instanceof Conflict }
        }
      }),
    )
  }

  commit(transactions: Transactions): (CommitError | null)[] {
    try {
      this.#runAll.immediate(transactions)
      return transactions.map(() => null)
    } catch {
      return this.#runEach.immediate(transactions)
    }
  }

  close(): void {
    this.#sqlite.close()
  }

  #run(statements: Statement[]): void {
    for (const { sql, parameters, changes } of statements) {
      const result = this.#prepare(sql).run(parameters)
      if (changes !== undefined && result.changes !== changes)
        throw new Conflict('A row was changed by another transaction.')
    }
  }

  #prepare(sql: string): BetterSqlite.Statement {
    let statement = this.#prepared.get(sql)
    if (!statement) {
      statement = this.#sqlite.prepare(sql)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}

const open = new Map<string, Database>()

function databaseAt(file: string): Database {
  const database = open.get(file) ?? new Database(file)
  open.set(file, database)
  return database
}

function close(file: string): void {
  open.get(file)?.close()
  open.delete(file)
}

const methods = {
  /** Returns the error of each transaction, null for those that were committed. */
  commit: (file: string, transactions: Transactions): (CommitError | null)[] => databaseAt(file).commit(transactions),
  close,
}
export type CommitMethods = typeof methods

void serve(methods, {
  close: () => {
    for (const file of open.keys()) close(file)
  },
})

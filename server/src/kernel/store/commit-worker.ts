import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { type Outcome, superseded } from './commit-outcome.ts'
import type { Statement } from './commits.ts'
import { tuneSqlite } from './sqlite.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile)
tuneSqlite(sqlite)

const prepared = new Map<string, BetterSqlite.Statement>()
const statement = (sql: string): BetterSqlite.Statement => {
  let known = prepared.get(sql)
  if (!known) {
    known = sqlite.prepare(sql)
    prepared.set(sql, known)
  }
  return known
}

/** Keeps a unit within the running transaction, or takes back all of it. */
function keep(unit: Statement[]): string | null {
  statement('savepoint unit').run()
  try {
    for (const { sql, parameters, changes } of unit) {
      const result = statement(sql).run(parameters)
      if (changes !== undefined && result.changes !== changes) throw new Error(superseded)
    }
    statement('release unit').run()
    return null
  } catch (error) {
    statement('rollback to unit').run()
    statement('release unit').run()
    return (error as Error).message
  }
}

parentPort?.on('message', (units: Statement[][]) => {
  let outcome: Outcome
  try {
    statement('begin immediate').run()
    const failures = units.map(keep)
    statement('commit').run()
    outcome = { failures }
  } catch (error) {
    if (sqlite.inTransaction) statement('rollback').run()
    outcome = { failures: units.map(() => (error as Error).message) }
  }
  parentPort?.postMessage(outcome)
})

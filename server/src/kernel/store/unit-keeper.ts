import type BetterSqlite from 'better-sqlite3'
import type { Outcome } from './packed-units.ts'

/** Keeps units of statements through one connection: all that come at once in one transaction. */
export function unitKeeper<Unit>(
  sqlite: BetterSqlite.Database,
  run: (unit: Unit) => void,
): (units: readonly Unit[]) => Outcome {
  const begin = sqlite.prepare('begin immediate')
  const commit = sqlite.prepare('commit')
  const rollback = sqlite.prepare('rollback')
  const beginUnit = sqlite.prepare('savepoint unit')
  const endUnit = sqlite.prepare('release unit')
  const rollbackUnit = sqlite.prepare('rollback to unit')

  /** Keeps a unit within the running transaction, or takes back all of it. */
  const keep = (unit: Unit): string | null => {
    beginUnit.run()
    try {
      run(unit)
      endUnit.run()
      return null
    } catch (error) {
      rollbackUnit.run()
      endUnit.run()
      return (error as Error).message
    }
  }

  const inTransaction = <T>(work: () => T): T => {
    begin.run()
    try {
      const result = work()
      commit.run()
      return result
    } catch (error) {
      if (sqlite.inTransaction) rollback.run()
      throw error
    }
  }

  /**
   * Nearly always all units can be kept, and then they need no savepoints, for which SQLite would copy every page before it
   * changes. Where one cannot, everything is done again, each unit by itself.
   */
  const keepAll = (units: readonly Unit[]): Outcome['failures'] => {
    try {
      return inTransaction(() => {
        for (const unit of units) run(unit)
        return units.map(() => null)
      })
    } catch {
      return inTransaction(() => units.map(keep))
    }
  }

  return (units) => {
    try {
      return { failures: keepAll(units) }
    } catch (error) {
      return { failures: units.map(() => (error as Error).message) }
    }
  }
}

import type BetterSqlite from 'better-sqlite3'
import type { Statement } from './commits.ts'
import { mostPagesOfLog, type Outcome, superseded } from './packed-units.ts'
import { unitKeeper } from './unit-keeper.ts'

/** Commits on the event loop: for a unit that comes alone, where the disk is quick, the way to a thread and back costs more. */
export interface DirectCommits {
  isWise(): boolean
  /** Opens a transaction with the first statements of a unit. */
  begin(first: Statement[]): void
  /** Takes back what was begun. */
  giveUp(): void
  keep(unit: Statement[]): Outcome
}

/** How long the event loop may be held up, in milliseconds. */
const longest = 1
const newest = 0.1
const fading = 0.99

export function directCommits(sqlite: BetterSqlite.Database): DirectCommits {
  sqlite.pragma(`wal_autocheckpoint = ${mostPagesOfLog}`)
  const prepared = new Map<string, BetterSqlite.Statement>()
  const statement = (sql: string): BetterSqlite.Statement => {
    let known = prepared.get(sql)
    if (!known) {
      known = sqlite.prepare(sql)
      prepared.set(sql, known)
    }
    return known
  }
  const run = (unit: readonly Statement[]): void => {
    for (const { sql, parameters, changes: expected } of unit) {
      const { changes } = statement(sql).run(parameters)
      if (expected !== undefined && expected !== changes) throw new Error(superseded)
    }
  }
  const keepAll = unitKeeper(sqlite, run)
  const begin = sqlite.prepare('begin immediate')
  const commit = sqlite.prepare('commit')
  const rollback = sqlite.prepare('rollback')
  let begun: readonly Statement[] | null = null
  const giveUp = (): void => {
    if (begun === null) return
    begun = null
    if (sqlite.inTransaction) rollback.run()
  }
  /** Null where it has to be done from the start. */
  const goOn = (unit: Statement[]): Outcome | null => {
    try {
      if (begun === null || begun.some((first, at) => first !== unit[at])) return null
      run(unit.slice(begun.length))
      commit.run()
      begun = null
      return { failures: [null] }
    } catch {
      return null
    } finally {
      giveUp()
    }
  }
  let expected = 0
  return {
    isWise() {
      if (expected <= longest) return true
      expected *= fading
      return false
    },
    begin(first) {
      giveUp()
      if (expected > longest) return
      begun = first
      try {
        begin.run()
        run(first)
      } catch {
        giveUp() // the whole unit will tell why
      }
    },
    giveUp,
    keep(unit) {
      const since = performance.now()
      const outcome = goOn(unit) ?? keepAll([unit])
      expected += (performance.now() - since - expected) * newest
      return outcome
    },
  }
}

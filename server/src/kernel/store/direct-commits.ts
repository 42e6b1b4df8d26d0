import type BetterSqlite from 'better-sqlite3'
import type { Statement } from './commits.ts'
import { type Outcome, superseded } from './packed-units.ts'
import { unitKeeper } from './unit-keeper.ts'

/** Commits on the event loop: for a unit that comes alone, where the disk is quick, the way to a thread and back costs more. */
export interface DirectCommits {
  isWise(): boolean
  keep(unit: Statement[]): Outcome
}

/** How long the event loop may be held up, in milliseconds. */
const longest = 1
const newest = 0.1
const fading = 0.99
/** After so many the thread gets one, because it is the thread that brings the log back into the database. */
const inARow = 32
/** So much more than the thread waits for that the event loop never does it while there are units. */
const pagesOfLog = 2500

export function directCommits(sqlite: BetterSqlite.Database): DirectCommits {
  sqlite.pragma(`wal_autocheckpoint = ${pagesOfLog}`)
  const prepared = new Map<string, BetterSqlite.Statement>()
  const statement = (sql: string): BetterSqlite.Statement => {
    let known = prepared.get(sql)
    if (!known) {
      known = sqlite.prepare(sql)
      prepared.set(sql, known)
    }
    return known
  }
  const keepAll = unitKeeper<Statement[]>(sqlite, (unit) => {
    for (const { sql, parameters, changes: expected } of unit) {
      const { changes } = statement(sql).run(parameters)
      if (expected !== undefined && expected !== changes) throw new Error(superseded)
    }
  })
  let expected = 0
  let done = 0
  return {
    isWise() {
      if (expected > longest) expected *= fading
      else if (++done % inARow !== 0) return true
      return false
    },
    keep(unit) {
      const since = performance.now()
      const outcome = keepAll([unit])
      expected += (performance.now() - since - expected) * newest
      return outcome
    },
  }
}

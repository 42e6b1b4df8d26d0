import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { anyNumber, type Outcome, type PackedUnits, superseded } from './packed-units.ts'
import { tuneSqlite } from './sqlite.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile)
tuneSqlite(sqlite)

const begin = sqlite.prepare('begin immediate')
const commit = sqlite.prepare('commit')
const rollback = sqlite.prepare('rollback')
const beginUnit = sqlite.prepare('savepoint unit')
const endUnit = sqlite.prepare('release unit')
const rollbackUnit = sqlite.prepare('rollback to unit')

const texts: string[] = []
/** Prepared when they are first needed, for the tables may be as young as the statement. */
const prepared: BetterSqlite.Statement[] = []
const statement = (number: number): BetterSqlite.Statement => {
  prepared[number] ??= sqlite.prepare(texts[number] as string)
  return prepared[number]
}

/** Keeps a unit within the running transaction, or takes back all of it. */
function keep(unit: PackedUnits['units'][number]): string | null {
  beginUnit.run()
  try {
    for (let at = 0; at < unit.length; at += 3) {
      const { changes } = statement(unit[at] as number).run(unit[at + 2])
      const expected = unit[at + 1]
      if (expected !== anyNumber && expected !== changes) throw new Error(superseded)
    }
    endUnit.run()
    return null
  } catch (error) {
    rollbackUnit.run()
    endUnit.run()
    return (error as Error).message
  }
}

parentPort?.on('message', ({ texts: further, units }: PackedUnits) => {
  texts.push(...further)
  let outcome: Outcome
  try {
    begin.run()
    const failures = units.map(keep)
    commit.run()
    outcome = { failures }
  } catch (error) {
    if (sqlite.inTransaction) rollback.run()
    outcome = { failures: units.map(() => (error as Error).message) }
  }
  parentPort?.postMessage(outcome)
})

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

type Unit = PackedUnits['units'][number]

function run(unit: Unit): void {
  for (let at = 0; at < unit.length; at += 3) {
    const { changes } = statement(unit[at] as number).run(unit[at + 2])
    const expected = unit[at + 1]
    if (expected !== anyNumber && expected !== changes) throw new Error(superseded)
  }
}

/** Keeps a unit within the running transaction, or takes back all of it. */
function keep(unit: Unit): string | null {
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

function inTransaction<T>(work: () => T): T {
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
function keepAll(units: Unit[]): Outcome['failures'] {
  try {
    return inTransaction(() => {
      for (const unit of units) run(unit)
      return units.map(() => null)
    })
  } catch {
    return inTransaction(() => units.map(keep))
  }
}

parentPort?.on('message', ({ texts: further, units }: PackedUnits) => {
  texts.push(...further)
  let failures: Outcome['failures']
  try {
    failures = keepAll(units)
  } catch (error) {
    failures = units.map(() => (error as Error).message)
  }
  parentPort?.postMessage({ failures } satisfies Outcome)
})

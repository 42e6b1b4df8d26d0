import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { anyNumber, type PackedUnits, superseded } from './packed-units.ts'
import { tuneSqlite } from './sqlite.ts'
import { unitKeeper } from './unit-keeper.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile)
tuneSqlite(sqlite)

const texts: string[] = []
/** Prepared when they are first needed, for the tables may be as young as the statement. */
const prepared: BetterSqlite.Statement[] = []
const statement = (number: number): BetterSqlite.Statement => {
  prepared[number] ??= sqlite.prepare(texts[number] as string)
  return prepared[number]
}

const keep = unitKeeper<PackedUnits['units'][number]>(sqlite, (unit) => {
  for (let at = 0; at < unit.length; at += 3) {
    const { changes } = statement(unit[at] as number).run(unit[at + 2])
    const expected = unit[at + 1]
    if (expected !== anyNumber && expected !== changes) throw new Error(superseded)
  }
})

parentPort?.on('message', ({ texts: further, units }: PackedUnits) => {
  texts.push(...further)
  parentPort?.postMessage(keep(units))
})

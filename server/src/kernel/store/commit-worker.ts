import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { anyNumber, bringBack, mostPagesOfLog, type PackedUnits, superseded } from './packed-units.ts'
import { tuneSqlite } from './sqlite.ts'
import { unitKeeper } from './unit-keeper.ts'

const { databaseFile } = workerData as { databaseFile: string }
const sqlite = new BetterSqlite(databaseFile)
tuneSqlite(sqlite)
sqlite.pragma(`wal_autocheckpoint = ${mostPagesOfLog}`)

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

/** Whoever writes meanwhile adds to the log, so there may be something left. */
const mostPasses = 3

/** Only a log of which nothing is left begins anew. */
function emptyLog(): void {
  for (let pass = 0; pass < mostPasses; pass++) {
    const [{ log, checkpointed }] = sqlite.pragma('wal_checkpoint(passive)') as [{ log: number; checkpointed: number }]
    if (log === checkpointed) return
  }
}

parentPort?.on('message', (message: PackedUnits | typeof bringBack) => {
  if (message === bringBack) {
    emptyLog()
    return
  }
  texts.push(...message.texts)
  parentPort?.postMessage(keep(message.units))
})

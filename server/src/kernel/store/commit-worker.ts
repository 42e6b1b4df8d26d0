import { parentPort, workerData } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { anyNumber, end, mostPagesOfLog, type PackedUnits, superseded, tendLog } from './packed-units.ts'
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

interface Log {
  log: number
  checkpointed: number
}
const lookIntoLog = sqlite.prepare<[], Log>('pragma wal_checkpoint(noop)')
const bringBack = sqlite.prepare<[], Log>('pragma wal_checkpoint(passive)')
const pagesIn = (log: Log | undefined) => (log ? log.log - log.checkpointed : 0)

/** So many pages of the log are worth the work. */
const enoughPages = 1000
/** Whoever writes meanwhile adds to the log, so there may be something left. */
const mostPasses = 3

/** Only a log of which nothing is left begins anew. What cannot be brought back, as where the disk is full, is safe in the log. */
function emptyLog(): void {
  try {
    if (pagesIn(lookIntoLog.get()) < enoughPages) return
    for (let pass = 0; pass < mostPasses; pass++) if (pagesIn(bringBack.get()) === 0) return
  } catch {}
}

parentPort?.on('message', (message: PackedUnits | typeof tendLog | typeof end) => {
  if (message === end) {
    sqlite.close()
    parentPort?.close()
    return
  }
  if (message !== tendLog) {
    texts.push(...message.texts)
    parentPort?.postMessage(keep(message.units))
  }
  emptyLog() // after units are answered for, so that none waits for it
})

import { startThread } from '@parley/threads'
import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import type { DirectCommits } from './direct-commits.ts'
import { end, type Outcome, packer, superseded, tendLog } from './packed-units.ts'

/** A statement that is ready to run. */
export interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** How many rows it must change; when it does not, nothing of its unit is kept. */
  changes?: number
}

/** What was expected to be there was not: somebody else came first. */
export class Superseded extends Error {}

/**
 * The way of the hottest writes. A unit is kept whole or not at all, and is on the disk when its promise resolves; units
 * that come at the same time share one transaction, and the waiting for the disk happens off the event loop.
 */
export interface Commits {
  /** Whose work is the only work going on says so: then nobody is held up when it is done without the thread. */
  commit(unit: Statement[], isAlone?: boolean): Promise<void>
  /**
   * Does the first statements of a unit while the others are not known yet, if that is wise. Nobody sees anything of it: it is
   * kept with the unit that begins with the same statements, and is as if it had never been done when anything else comes first.
   */
  begin(first: Statement[]): void
  /** For whoever began a unit that does not come. */
  giveUp(): void
  /** Holds back further units while somebody else writes; answers with the way to let them go on. */
  hold(): Promise<() => void>
  close(): Promise<void>
}

interface Waiting {
  unit: Statement[]
  resolve(): void
  reject(error: Error): void
}

/** After so many units that were committed without the thread it looks after the log. */
const directUnits = 32

/** SQLite: a thread with a connection of its own takes all that has gathered while it was busy, in one transaction. */
export function groupedCommits(databaseFile: string, onWrite: (sql: string) => void, direct?: DirectCommits): Commits {
  const worker = startThread(new URL('./commit-worker.ts', import.meta.url), {
    workerData: { databaseFile },
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  worker.unref()
  const pack = packer()
  let gathered: Waiting[] = []
  let running: Waiting[] = []
  let fatal: Error | null = null
  let held = false
  let withoutThread = 0
  let waitingToHold: (() => void) | null = null

  const send = () => {
    if (running.length > 0) return
    if (waitingToHold) {
      held = true
      waitingToHold()
      waitingToHold = null
    }
    if (held || gathered.length === 0) return
    running = gathered
    gathered = []
    worker.postMessage(pack(running.map(({ unit }) => unit)))
  }
  const answer = (answered: Waiting[], { failures }: Outcome) => {
    for (const { unit } of answered) for (const { sql } of unit) onWrite(sql)
    send()
    for (const [index, waiting] of answered.entries()) {
      const failure = failures[index] ?? null
      if (failure === null) waiting.resolve()
      else waiting.reject(failure === superseded ? new Superseded(failure) : new Error(failure))
    }
  }
  const keepDirectly = (waiting: Waiting, commits: DirectCommits) => {
    answer([waiting], commits.keep(waiting.unit))
    if (++withoutThread % directUnits === 0) worker.postMessage(tendLog)
  }
  worker.on('message', (outcome: Outcome) => {
    const answered = running
    running = []
    answer(answered, outcome)
  })
  const fail = (error: Error) => {
    fatal = error
    for (const { reject } of [...running, ...gathered]) reject(error)
    running = []
    gathered = []
  }
  worker.on('error', fail)
  const ended = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      fail(new Error('The thread that writes to the database has ended.'))
      resolve()
    })
  })

  return {
    commit: (unit, isAlone = false) =>
      new Promise((resolve, reject) => {
        if (fatal) return reject(fatal)
        const isFree = running.length === 0 && gathered.length === 0 && !held
        if (isAlone && isFree && direct?.isWise()) return keepDirectly({ unit, resolve, reject }, direct)
        direct?.giveUp()
        gathered.push({ unit, resolve, reject })
        send()
      }),
    begin(first) {
      if (running.length === 0 && gathered.length === 0 && !held) direct?.begin(first)
    },
    giveUp: () => direct?.giveUp(),
    async hold() {
      direct?.giveUp()
      if (running.length > 0) {
        await new Promise<void>((resolve) => {
          waitingToHold = resolve
        })
      }
      held = true
      return () => {
        held = false
        send()
      }
    },
    async close() {
      direct?.giveUp()
      while (running.length > 0 || gathered.length > 0) await new Promise((resolve) => setTimeout(resolve, 1))
      worker.ref()
      worker.postMessage(end)
      await ended
    },
  }
}

/** Postgres groups commits by itself. */
export function plainCommits(db: Db): Commits {
  return {
    commit: (unit) =>
      db.transaction().execute(async (tx) => {
        for (const { sql, parameters, changes } of unit) {
          const result = await tx.executeQuery(CompiledQuery.raw(sql, [...parameters]))
          if (changes !== undefined && Number(result.numAffectedRows ?? 0) !== changes) throw new Superseded(superseded)
        }
      }),
    begin() {},
    giveUp() {},
    hold: async () => () => {},
    async close() {},
  }
}

import { createThread } from '@parley/threads'
import { CompiledQuery } from 'kysely'
import type { CommitMethods } from './commit-worker.ts'
import { type Db, inTransaction } from './database.ts'
import { bindable } from './sqlite.ts'
import type { Statement } from './statement.ts'
import type { WriteLock } from './write-lock.ts'

export type { Statement } from './statement.ts'

/** A statement changed another number of rows than expected: another writer was first. */
export class Conflict extends Error {}

/** Commits short transactions of prepared statements. A transaction is durable when its promise resolves. */
export interface Commits {
  commit(statements: Statement[]): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  statements: Statement[]
  resolve(): void
  reject(error: Error): void
}

/** SQLite: a thread commits all transactions that arrived while it was busy together, with one fsync. */
export function groupedCommits(databaseFile: string, lock: WriteLock): Commits {
  const thread = createThread<CommitMethods>(new URL('./commit-worker.ts', import.meta.url), {
    name: 'database writer',
    workerData: { databaseFile },
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })
  let waiting: Waiting[] = []
  let sending: Promise<void> | null = null

  const sendBatch = async (): Promise<void> => {
    const release = await lock.acquire()
    const batch = waiting
    waiting = []
    try {
      const errors = await thread.call('commit', [batch.map(({ statements }) => statements)])
      for (const [index, { resolve, reject }] of batch.entries()) {
        const error = errors[index] ?? null
        if (error === null) resolve()
        else reject(error.isConflict ? new Conflict(error.message) : new Error(error.message))
      }
    } catch (error) {
      for (const { reject } of batch) reject(error as Error)
    } finally {
      release()
    }
  }
  const send = async (): Promise<void> => {
    while (waiting.length > 0) await sendBatch()
    sending = null
  }

  return {
    commit: (statements) =>
      new Promise((resolve, reject) => {
        const bound = statements.map((each) => ({ ...each, parameters: each.parameters.map(bindable) }))
        waiting.push({ statements: bound, resolve, reject })
        sending ??= send()
      }),
    async close() {
      await sending
      await thread.close()
    },
  }
}

/** Runs statements in a transaction of the caller. */
export async function runStatements(db: Db, statements: readonly Statement[]): Promise<void> {
  for (const { sql, parameters, changes } of statements) {
    const result = await db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    if (changes !== undefined && Number(result.numAffectedRows ?? 0) !== changes)
      throw new Conflict('A row was changed by another transaction.')
  }
}

/** Postgres groups commits itself. */
export function plainCommits(db: Db): Commits {
  // One statement is a transaction by itself, which saves two round trips.
  const isOne = (statements: Statement[]) => statements.length === 1 && statements[0]?.changes === undefined
  return {
    commit: (statements) =>
      isOne(statements) ? runStatements(db, statements) : inTransaction(db, (tx) => runStatements(tx, statements)),
    async close() {},
  }
}

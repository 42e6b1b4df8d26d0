import { createThread, type Thread } from '@parley/threads'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { CommitMethods } from './commit-worker.ts'
import { type Db, repeatAfterDeadlock } from './database.ts'
import { bindable } from './sqlite.ts'
import type { Statement } from './statement.ts'
import type { WriteLock } from './write-lock.ts'

export type { Statement } from './statement.ts'

/** A statement changed another number of rows than expected: another writer was first. */
export class Conflict extends Error {}

const conflict = () => new Conflict('A row was changed by another transaction.')

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

export type Writer = Thread<CommitMethods>

/** The thread that commits for SQLite. */
export const createWriter = (): Writer =>
  createThread<CommitMethods>(new URL('./commit-worker.ts', import.meta.url), {
    name: 'database writer',
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  })

/** SQLite: a thread commits all transactions that arrived while it was busy together, with one fsync. */
export function groupedCommits(databaseFile: string, lock: WriteLock, writer: Writer): Commits {
  let waiting: Waiting[] = []
  let sending: Promise<void> | null = null
  let isClosed = false

  const sendBatch = async (): Promise<void> => {
    const release = await lock.acquire()
    const batch = waiting
    waiting = []
    try {
      const errors = await writer.call('commit', [databaseFile, batch.map(({ statements }) => statements)])
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
        if (isClosed) return reject(new Error('The database is closed.'))
        const bound = statements.map((each) => ({ ...each, parameters: each.parameters.map(bindable) }))
        waiting.push({ statements: bound, resolve, reject })
        sending ??= send()
      }),
    async close() {
      isClosed = true
      await sending
      if (writer.isRunning()) await writer.call('close', [databaseFile])
    },
  }
}

/** Runs statements in a transaction of the caller. */
export async function runStatements(db: Db, statements: readonly Statement[]): Promise<void> {
  for (const { sql, parameters, changes } of statements) {
    const result = await db.executeQuery(CompiledQuery.raw(sql, [...parameters]))
    if (changes !== undefined && Number(result.numAffectedRows ?? 0) !== changes) throw conflict()
  }
}

/** Postgres groups commits itself. The connections send statements without waiting for the one before (`pipeline`). */
export function pipelinedCommits(pool: pg.Pool): Commits {
  return {
    async commit(statements) {
      const [only] = statements
      // One statement is a transaction by itself.
      if (statements.length === 1 && only && only.changes === undefined) await send(pool, only)
      else await repeatAfterDeadlock(() => commitTogether(pool, statements))
    },
    async close() {},
  }
}

const send = (connection: Pick<pg.ClientBase, 'query'>, { sql, parameters }: Statement) =>
  connection.query(sql, [...parameters])

async function commitTogether(pool: pg.Pool, statements: Statement[]): Promise<void> {
  const client = await pool.connect()
  let isUsable = true
  try {
    const sent = [client.query('begin'), ...statements.map((each) => send(client, each))]
    const [, ...results] = await Promise.allSettled(sent)
    // In their order, because a statement may fail only because one before it has changed no row.
    for (const [at, result] of results.entries()) {
      if (result.status === 'rejected') throw result.reason
      const { changes = result.value.rowCount } = statements[at] ?? {}
      if (result.value.rowCount !== changes) throw conflict()
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {
      isUsable = false
    })
    throw error
  } finally {
    client.release(!isUsable)
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { NewId } from '../ids.ts'
import { type Db, inTransaction } from '../store/database.ts'
import { type Clock, day, second } from '../time.ts'
import type { JobRow, JobStatus, JobView } from './table.ts'
import * as table from './table.ts'

/** Work that outlives a request. Declared beside the rules it serves; it may run more than once, so it must not mind. */
export interface JobDefinition {
  queue: string
  /** How many at once in one process. */
  concurrency?: number
  /** How often it is tried before it counts as failed. */
  attempts?: number
  /** Milliseconds before the second try; each further wait is twice the one before, up to an hour, with jitter. */
  retryDelay?: number
  /** Goes on where it was whenever it is run again, so that a process that stops need not wait for it. */
  resumable?: boolean
  /** Runs by itself, this many milliseconds after the last run, once in a cluster. */
  every?: number
  run(job: RunningJob): Promise<void>
}

export interface RunningJob {
  id: string
  workspace: string | null
  payload: unknown
  attempt: number
  /** Aborts when the job is cancelled or the process has to stop. */
  signal: AbortSignal
  /** Tells how far it is; anyone can read it while the job runs. */
  progress(value: unknown): Promise<void>
}

interface NewJob {
  workspace: string | null
  payload?: unknown
  /** While a job with this key waits or runs, a second one is not made. */
  key?: string
  /** Milliseconds to wait before it may run. */
  delay?: number
}

export interface Jobs {
  define(definition: JobDefinition): void
  /** Part of the caller's transaction: the job exists if and only if that commits. Answers with its id. */
  enqueue(tx: Db, queue: string, job: NewJob): Promise<string>
  cancel(workspace: string | null, id: string): Promise<boolean>
  get(workspace: string | null, id: string): Promise<JobView | undefined>
  counts(): Promise<{ queued: number; running: number; failed: number }>
  start(): Promise<void>
  /** Takes no more work, waits for what runs, then hands it back to be run again. */
  stop(patience: number): Promise<void>
}

/** What differs between the databases: how a waiting job finds a worker, and how a dead worker's job is found. */
export interface Dispatcher {
  /** Makes a stored job known to the workers, in the transaction that stores it. */
  dispatch(tx: Db, job: JobRow): Promise<void>
  start(definitions: JobDefinition[], run: (id: string) => Promise<void>): Promise<void>
  /** Takes no more work; what runs goes on. */
  pause(): Promise<void>
  close(): Promise<void>
}

export interface JobsSettings {
  db: Db
  now: Clock
  newId: NewId
  log: Logger
  dispatcher: Dispatcher
  heartbeat?: number
}

const longestWait = 3_600_000

export function createJobs(settings: JobsSettings): Jobs {
  const { db, now, newId, log, dispatcher, heartbeat = 2 * second } = settings
  const definitions = new Map<string, Required<Omit<JobDefinition, 'every'>> & Pick<JobDefinition, 'every'>>()
  const running = new Map<string, AbortController>()
  const resumable = new Set<AbortController>()
  let stopping = false

  const enqueue: Jobs['enqueue'] = async (tx, queue, job) => {
    if (!definitions.has(queue)) throw new Error(`No job is defined for the queue "${queue}".`)
    const row: JobRow = {
      id: newId('job'),
      workspace_id: job.workspace,
      queue,
      key: job.key ?? null,
      payload: JSON.stringify(job.payload ?? null),
      status: 'queued',
      attempt: 0,
      progress: 'null',
      error: null,
      run_at: now() + (job.delay ?? 0),
      heartbeat_at: null,
      created_at: now(),
      finished_at: null,
    }
    const existing = await table.insertUnlessKeyTaken(tx, row)
    if (existing) return existing
    await dispatcher.dispatch(tx, row)
    return row.id
  }

  /** The next turn of work that repeats. */
  const scheduleNext = (tx: Db, { queue, every }: { queue: string; every: number }, delay = every) =>
    enqueue(tx, queue, { workspace: null, key: `every ${queue}`, delay })

  const finish = (row: JobRow, status: JobStatus, error: string | null) =>
    inTransaction(db, async (tx) => {
      await table.finish(tx, row.id, { status, error, finished_at: now() })
      const { every } = definitions.get(row.queue) ?? {}
      if (every !== undefined) await scheduleNext(tx, { queue: row.queue, every })
    })

  const tryAgain = (row: JobRow, error: string | null, wait: number) =>
    inTransaction(db, async (tx) => {
      const again = await table.requeue(tx, row.id, { run_at: now() + wait, error })
      if (again) await dispatcher.dispatch(tx, again)
    })

  /** One try at a job, from claim to outcome. Never throws for what the job itself does wrong. */
  const run = async (id: string): Promise<void> => {
    if (running.has(id)) return
    const row = await table.begin(db, id, now())
    const definition = row && definitions.get(row.queue)
    if (!definition) return
    if (row.attempt > definition.attempts) {
      // Its worker died each time: that, too, counts as a try.
      return finish(row, 'failed', row.error ?? 'The process that ran it ended before it was done.')
    }
    const control = new AbortController()
    running.set(id, control)
    if (definition.resumable) resumable.add(control)
    const pulse = setInterval(() => {
      table.beat(db, id, now()).then(
        (alive) => alive || control.abort(new Error('The job was cancelled.')),
        (error) => log.warn({ job: id, error: reason(error) }, 'a heartbeat could not be written'),
      )
    }, heartbeat)
    try {
      await definition.run({
        id,
        workspace: row.workspace_id,
        payload: JSON.parse(row.payload),
        attempt: row.attempt,
        signal: control.signal,
        progress: (value) => table.setProgress(db, id, JSON.stringify(value)),
      })
      await finish(row, 'completed', null)
    } catch (error) {
      if (control.signal.aborted && stopping) return await tryAgain(row, null, 0)
      if (control.signal.aborted) return await finish(row, 'cancelled', null)
      log.warn({ job: id, queue: row.queue, attempt: row.attempt, error: reason(error) }, 'a job failed')
      if (row.attempt >= definition.attempts) return await finish(row, 'failed', reason(error))
      const wait = Math.min(longestWait, definition.retryDelay * 2 ** (row.attempt - 1))
      await tryAgain(row, reason(error), wait * (0.5 + Math.random()))
    } finally {
      clearInterval(pulse)
      running.delete(id)
      resumable.delete(control)
    }
  }

  return {
    enqueue,
    define(definition) {
      if (definitions.has(definition.queue)) throw new Error(`The queue "${definition.queue}" is defined twice.`)
      definitions.set(definition.queue, {
        concurrency: 2,
        attempts: 5,
        retryDelay: second,
        resumable: false,
        ...definition,
      })
    },
    async cancel(workspace, id) {
      const cancelled = await table.cancel(db, workspace, id, now())
      running.get(id)?.abort(new Error('The job was cancelled.'))
      return cancelled
    },
    get: (workspace, id) => table.view(db, workspace, id),
    counts: () => table.counts(db),
    async start() {
      this.define({
        queue: 'jobs.tidy',
        every: day / 24,
        run: () => table.tidy(db, { completedBefore: now() - day, failedBefore: now() - 30 * day }),
      })
      await dispatcher.start([...definitions.values()] as JobDefinition[], run)
      for (const { queue, every } of definitions.values()) {
        if (every !== undefined)
          await inTransaction(db, (tx) => scheduleNext(tx, { queue, every }, Math.min(every, second)))
      }
    },
    async stop(patience) {
      const idle = async () => {
        while (running.size > 0) await delay(10)
      }
      const end = (controls: Iterable<AbortController>) => {
        for (const control of controls) control.abort(new Error('The process is stopping.'))
      }
      await dispatcher.pause()
      stopping = true
      end(resumable)
      await Promise.race([idle(), delay(patience, undefined, { ref: false })])
      end(running.values())
      await Promise.race([idle(), delay(5 * second, undefined, { ref: false })])
      await dispatcher.close()
    },
  }
}

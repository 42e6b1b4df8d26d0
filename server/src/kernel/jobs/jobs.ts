import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { NewId } from '../ids.ts'
import { type Db, inTransaction } from '../store/database.ts'
import type { Nodes } from '../store/nodes.ts'
import { type Clock, day, hour, second } from '../time.ts'
import type { JobCounts, JobRow, JobStatus, JobView, RunningJobRow } from './table.ts'
import * as table from './table.ts'
import { takeOverJobs } from './take-over.ts'

/** Background work. It may run more than once, so it must be idempotent. */
export interface JobDefinition {
  queue: string
  /** The number of jobs that run in parallel in one process. */
  concurrency?: number
  /** How many jobs of one workspace may run in parallel, so that the others do not wait for it. */
  perWorkspace?: number
  /** The number of attempts before it counts as failed. */
  attempts?: number
  /** Milliseconds before the second attempt. Doubles with each attempt up to an hour, with jitter. */
  retryDelay?: number
  /** Continues where it stopped when it runs again, so that shutdown does not wait for it. */
  resumable?: boolean
  /** Repeats this many milliseconds after the last run, on one node of a cluster. */
  every?: number
  run(job: RunningJob): Promise<void>
}

export interface RunningJob {
  id: string
  workspace: string | null
  payload: unknown
  attempt: number
  /** Aborts when the job is cancelled or the process stops. */
  signal: AbortSignal
  /** Stores the progress, which can be read while the job runs. */
  progress(value: unknown): Promise<void>
}

interface NewJob {
  workspace: string | null
  payload?: unknown
  /** While a job with this key is queued or running, no second one is created. */
  key?: string
  /** Milliseconds before it may run. */
  delay?: number
}

export interface Jobs {
  define(definition: JobDefinition): void
  /** Creates a job in the caller's transaction and returns its ID. */
  enqueue(tx: Db, queue: string, job: NewJob): Promise<string>
  cancel(workspace: string | null, id: string): Promise<boolean>
  get(workspace: string | null, id: string): Promise<JobView | undefined>
  counts(): Promise<JobCounts>
  /** For every queue, the jobs that are due and wait for a worker. */
  waiting(): Promise<{ queue: string; depth: number; oldestSeconds: number }[]>
  /** Opens the queues: jobs can be created from then on. */
  open(): Promise<void>
  start(): Promise<void>
  /** Starts no more jobs, waits for running ones, then requeues those that are not done. */
  stop(timeout: number): Promise<void>
}

/** What differs between the databases: how a job gets to a worker, and how jobs of dead workers are found. */
export interface Dispatcher {
  /** Announces a job to the workers, in the transaction that stores it. */
  dispatch(tx: Db, job: JobRow): Promise<void>
  open(definitions: JobDefinition[]): Promise<void>
  start(definitions: JobDefinition[], run: (id: string) => Promise<void>): Promise<void>
  /** Delivers a job again whose worker has died. Only where other processes run jobs, too. */
  redeliver?(job: RunningJobRow): Promise<void>
  /** Starts no more jobs; running ones continue. */
  pause(): Promise<void>
  close(): Promise<void>
}

export interface JobsSettings {
  db: Db
  /** This process. */
  node: string
  nodes: Nodes
  now: Clock
  newId: NewId
  log: Logger
  dispatcher: Dispatcher
  heartbeat?: number
}

type Optional = 'every' | 'perWorkspace'
type Definition = Required<Omit<JobDefinition, Optional>> & Pick<JobDefinition, Optional>

const maxRetryDelay = hour

export function createJobs(settings: JobsSettings): Jobs {
  const { db, node, nodes, now, newId, log, dispatcher, heartbeat = 2 * second } = settings
  const definitions = new Map<string, Definition>()
  const running = new Map<string, AbortController>()
  const resumable = new Set<AbortController>()
  const takingOver = new AbortController()
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
      node: null,
      created_at: now(),
      finished_at: null,
    }
    const existing = await table.insertUnlessKeyTaken(tx, row)
    if (existing) return existing
    await dispatcher.dispatch(tx, row)
    return row.id
  }

  /** Enqueues the next run of a repeating job. */
  const scheduleNext = (tx: Db, { queue, every }: { queue: string; every: number }, delay = every) =>
    enqueue(tx, queue, { workspace: null, key: `every ${queue}`, delay })

  const finish = (row: JobRow, status: JobStatus, error: string | null) =>
    inTransaction(db, async (tx) => {
      await table.finish(tx, row.id, { status, error, finished_at: now() })
      const { every } = definitions.get(row.queue) ?? {}
      if (every !== undefined) await scheduleNext(tx, { queue: row.queue, every })
    })

  const retry = (row: JobRow, error: string | null, wait: number) =>
    inTransaction(db, async (tx) => {
      const requeued = await table.requeue(tx, row.id, { run_at: now() + wait, error })
      if (requeued) await dispatcher.dispatch(tx, requeued)
    })

  /** One attempt at a job, from claim to outcome. Does not throw if the job itself fails. */
  const run = async (id: string): Promise<void> => {
    if (running.has(id)) return
    const row = await table.claim(db, id, node, now())
    const definition = row && definitions.get(row.queue)
    if (!definition) return
    if (row.attempt > definition.attempts) {
      // Its worker died each time, which also counts as an attempt.
      return finish(row, 'failed', row.error ?? 'The process ended before the job was done.')
    }
    const controller = new AbortController()
    running.set(id, controller)
    if (definition.resumable) resumable.add(controller)
    const heartbeatTimer = setInterval(() => {
      table.heartbeat(db, id, now()).then(
        (alive) => alive || controller.abort(new Error('The job was cancelled.')),
        (error) => log.warn({ job: id, error: reason(error) }, 'could not write a job heartbeat'),
      )
    }, heartbeat)
    try {
      await definition.run({
        id,
        workspace: row.workspace_id,
        payload: JSON.parse(row.payload),
        attempt: row.attempt,
        signal: controller.signal,
        progress: (value) => table.setProgress(db, id, JSON.stringify(value)),
      })
      await finish(row, 'completed', null)
    } catch (error) {
      if (controller.signal.aborted && stopping) return await retry(row, null, 0)
      if (controller.signal.aborted) return await finish(row, 'cancelled', null)
      log.warn({ job: id, queue: row.queue, attempt: row.attempt, error: reason(error) }, 'job failed')
      if (row.attempt >= definition.attempts) return await finish(row, 'failed', reason(error))
      const delay = Math.min(maxRetryDelay, definition.retryDelay * 2 ** (row.attempt - 1))
      await retry(row, reason(error), delay * (0.5 + Math.random()))
    } finally {
      clearInterval(heartbeatTimer)
      running.delete(id)
      resumable.delete(controller)
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
    counts: () => table.counts(db, now()),
    async waiting() {
      const found = await table.waiting(db, now())
      return [...definitions.keys()].map((queue) => {
        const { count = 0, since = now() } = found.find((each) => each.queue === queue) ?? {}
        return { queue, depth: count, oldestSeconds: Math.max(0, now() - since) / second }
      })
    },
    async open() {
      this.define({
        queue: 'jobs.tidy',
        every: hour,
        run: () => table.tidy(db, { completedBefore: now() - day, failedBefore: now() - 30 * day }),
      })
      await dispatcher.open([...definitions.values()] as JobDefinition[])
    },
    async start() {
      await dispatcher.start([...definitions.values()] as JobDefinition[], run)
      const { redeliver } = dispatcher
      if (redeliver) void takeOverJobs({ db, node, nodes, log, redeliver, signal: takingOver.signal })
      for (const { queue, every } of definitions.values()) {
        if (every !== undefined)
          await inTransaction(db, (tx) => scheduleNext(tx, { queue, every }, Math.min(every, second)))
      }
    },
    async stop(timeout) {
      const idle = async () => {
        while (running.size > 0) await sleep(10)
      }
      const abort = (controllers: Iterable<AbortController>) => {
        for (const controller of controllers) controller.abort(new Error('The process is stopping.'))
      }
      takingOver.abort()
      await dispatcher.pause()
      stopping = true
      abort(resumable)
      await Promise.race([idle(), sleep(timeout, undefined, { ref: false })])
      abort(running.values())
      await Promise.race([idle(), sleep(5 * second, undefined, { ref: false })])
      await dispatcher.close()
    },
  }
}

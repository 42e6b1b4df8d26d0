import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { NewId } from '../ids.ts'
import { type Db, inTransaction } from '../store/database.ts'
import type { Nodes } from '../store/nodes.ts'
import { type Clock, day, hour, second } from '../time.ts'
import type { JobDefinition } from './definition.ts'
import { createRunner } from './runner.ts'
import type { JobCounts, JobRow, JobStatus, JobView } from './table.ts'
import * as table from './table.ts'
import { takeOverAll, takeOverJobs } from './take-over.ts'

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
  /** Starts to run jobs. They can be created before. */
  start(): Promise<void>
  /** Starts no more jobs, waits for running ones, then requeues those that are not done. */
  stop(timeout: number): Promise<void>
}

export interface JobsSettings {
  db: Db
  /** This process. */
  node: string
  nodes: Nodes
  now: Clock
  newId: NewId
  log: Logger
  /** Whether this process runs jobs, or only creates them. */
  runsJobs: boolean
  heartbeat?: number
}

type Optional = 'every' | 'perWorkspace'
type Definition = Required<Omit<JobDefinition, Optional>> & Pick<JobDefinition, Optional>

const maxRetryDelay = hour
/** The channel on which new jobs are announced, by the name of their queue. */
const channel = 'jobs'

export function createJobs(settings: JobsSettings): Jobs {
  const { db, node, nodes, now, newId, log, runsJobs, heartbeat = 2 * second } = settings
  const definitions = new Map<string, Definition>()
  const running = new Map<string, AbortController>()
  const resumable = new Set<AbortController>()
  const takingOver = new AbortController()
  let stopping = false
  let stopListening = () => {}

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
    await announce(tx, row)
    return row.id
  }

  /** Wakes the nodes that run jobs when the transaction commits. A delayed job is found by polling. */
  const announce = async (tx: Db, { queue, run_at }: JobRow): Promise<void> => {
    const wait = run_at - now()
    if (wait <= 0) await nodes.announce(tx, channel, queue)
    else if (wait < second) setTimeout(() => runner.wake(queue), wait).unref()
  }

  /** Enqueues the next run of a repeating job. */
  const scheduleNext = (tx: Db, { queue, every }: { queue: string; every: number }, delay = every) =>
    enqueue(tx, queue, { workspace: null, key: `every ${queue}`, delay })

  const finish = (row: JobRow, status: JobStatus, error: string | null) =>
    inTransaction(db, async (tx) => {
      await table.finish(tx, row, { status, error, finished_at: now() })
      const { every } = definitions.get(row.queue) ?? {}
      if (every !== undefined) await scheduleNext(tx, { queue: row.queue, every })
    })

  const retry = (row: JobRow, error: string | null, wait: number) =>
    inTransaction(db, async (tx) => {
      const requeued = await table.requeue(tx, row, { run_at: now() + wait, error })
      if (requeued) await announce(tx, requeued)
    })

  /** One attempt at a claimed job. Does not throw if the job itself fails. */
  const run = async (row: JobRow): Promise<void> => {
    const { id } = row
    const definition = definitions.get(row.queue)
    if (!definition) return
    if (row.attempt > definition.attempts) {
      // Its worker died each time, which also counts as an attempt.
      return finish(row, 'failed', row.error ?? 'The process ended before the job was done.')
    }
    const controller = new AbortController()
    running.set(id, controller)
    if (definition.resumable) resumable.add(controller)
    const heartbeatTimer = setInterval(() => {
      table.heartbeat(db, row, now()).then(
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
      await retry(row, reason(error), Math.round(delay * (0.5 + Math.random())))
    } finally {
      clearInterval(heartbeatTimer)
      running.delete(id)
      resumable.delete(controller)
    }
  }

  const runner = createRunner({ db, node, now, log, run })

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
      const queues = await table.waiting(db, now())
      return [...definitions.keys()].map((queue) => {
        const { count = 0, since = now() } = queues.find((each) => each.queue === queue) ?? {}
        return { queue, depth: count, oldestSeconds: Math.max(0, now() - since) / second }
      })
    },
    async start() {
      this.define({
        queue: 'jobs.tidy',
        every: hour,
        run: () => table.tidy(db, { completedBefore: now() - day, failedBefore: now() - 30 * day }),
      })
      if (!runsJobs) return
      if (nodes.isCluster) {
        const requeued = () => runner.wake()
        void takeOverJobs({ db, node, nodes, log, requeued, signal: takingOver.signal })
      } else await takeOverAll(db, node)
      stopListening = nodes.onAnnounced(channel, (queue) => runner.wake(queue))
      runner.start([...definitions.values()] as JobDefinition[])
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
      stopListening()
      await runner.pause()
      stopping = true
      abort(resumable)
      await Promise.race([idle(), sleep(timeout, undefined, { ref: false })])
      abort(running.values())
      await Promise.race([idle(), sleep(5 * second, undefined, { ref: false })])
    },
  }
}

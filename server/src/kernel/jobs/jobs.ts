import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { NewId } from '../ids.ts'
import { type Db, inTransaction } from '../store/database.ts'
import { isDiskFull, isUnavailable } from '../store/failures.ts'
import type { Nodes } from '../store/nodes.ts'
import { type Clock, day, hour, second } from '../time.ts'
import type { JobDefinition } from './definition.ts'
import { announcedAhead, createRunner } from './runner.ts'
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
  random(): number
  log: Logger
  /** Whether this process runs jobs, or only creates them. */
  runsJobs: boolean
  heartbeat?: number
}

type Optional = 'every' | 'perWorkspace'
type Definition = Required<Omit<JobDefinition, Optional>> & Pick<JobDefinition, Optional>

const maxRetryDelay = hour
/** The channel on which new jobs are announced: the name of their queue, and the time if they are delayed. */
const channel = 'jobs'

export function createJobs(settings: JobsSettings): Jobs {
  const { db, node, nodes, now, newId, random, log, runsJobs, heartbeat = 2 * second } = settings
  const definitions = new Map<string, Definition>()
  const running = new Map<string, AbortController>()
  const resumable = new Set<AbortController>()
  const unsubscribers: (() => void)[] = []
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
    await announce(tx, row)
    return row.id
  }

  /** Tells the nodes that run jobs when the transaction commits. They find a job that is delayed for long by themselves. */
  const announce = async (tx: Db, { queue, run_at }: JobRow): Promise<void> => {
    const wait = run_at - now()
    if (wait <= announcedAhead) await nodes.announce(tx, channel, wait <= 0 ? queue : `${queue} ${run_at}`)
  }
  const onAnnounced = (text: string): void => {
    const [queue = '', at = '0'] = text.split(' ')
    runner.wakeAt(queue, Number(at))
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

  /** Repeats what fails with the database until it is back: a job whose end is not stored would count as running. */
  const untilStored = async (job: string, store: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await store()
      } catch (error) {
        if (stopping || !(isUnavailable(error) || isDiskFull(error))) throw error
        log.warn({ job, error: reason(error) }, 'the end of a job is stored later')
        await sleep(second, undefined, { ref: false })
      }
    }
  }

  const endFailed = (row: JobRow, { attempts, retryDelay }: Definition, error: string): Promise<void> => {
    log.warn({ job: row.id, queue: row.queue, attempt: row.attempt, error }, 'job failed')
    if (row.attempt >= attempts) return finish(row, 'failed', error)
    const delay = Math.min(maxRetryDelay, retryDelay * 2 ** (row.attempt - 1))
    return retry(row, error, Math.round(delay * (0.5 + random())))
  }

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
      await untilStored(id, () => finish(row, 'completed', null))
    } catch (error) {
      await untilStored(id, () => {
        if (!controller.signal.aborted) return endFailed(row, definition, reason(error))
        return stopping ? retry(row, null, 0) : finish(row, 'cancelled', null)
      })
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
        concurrency: definition.every === undefined ? 2 : 1,
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
      if (nodes.isCluster)
        unsubscribers.push(takeOverJobs({ db, node, nodes, random, log, requeued: () => runner.wake() }))
      else await takeOverAll(db, node)
      unsubscribers.push(
        nodes.onAnnounced(channel, onAnnounced),
        nodes.onLoss(() => runner.wake()),
      )
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
      for (const unsubscribe of unsubscribers) unsubscribe()
      await runner.pause()
      stopping = true
      abort(resumable)
      await Promise.race([idle(), sleep(timeout, undefined, { ref: false })])
      abort(running.values())
      await Promise.race([idle(), sleep(5 * second, undefined, { ref: false })])
    },
  }
}

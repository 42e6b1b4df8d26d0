import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { Db } from '../store/database.ts'
import { type Clock, second } from '../time.ts'
import type { JobDefinition } from './definition.ts'
import { claimNext, dueTimes, type JobRow } from './table.ts'

/** The times of delayed jobs are compared with the clock this often, without a query. */
const tickInterval = second
/** The table is read this often, to find later jobs and those whose announcement was lost. */
const lookInterval = 30 * second
/** A job that becomes due within this time must be announced, because the next look may be too late for it. */
export const announcedAhead = lookInterval + 5 * second

interface RunnerSettings {
  db: Db
  node: string
  now: Clock
  log: Logger
  /** One attempt at a claimed job. */
  run(job: JobRow): Promise<void>
}

export interface Runner {
  start(definitions: JobDefinition[]): void
  /** Looks for jobs of a queue, by default of all. */
  wake(queue?: string): void
  /** Wakes a queue at a time. */
  wakeAt(queue: string, at: number): void
  /** Starts no more jobs; running ones continue. */
  pause(): Promise<void>
}

/**
 * Takes jobs from the job table, which is the queue: each is claimed by one statement, so that any number of processes can
 * share it. New jobs are announced to the runner (`wake`, `wakeAt`), so it reads the table rarely.
 */
export function createRunner({ db, node, now, log, run }: RunnerSettings): Runner {
  /** The running jobs of this process by queue. */
  const running = new Map<JobDefinition, Set<JobRow>>()
  /** Queues that were woken while all their places were taken. */
  const wokenWhileFull = new Set<JobDefinition>()
  const pending = new Set<string>()
  /** The times at which delayed jobs become due, by queue and time. */
  const delayed = new Map<string, { queue: string; at: number }>()
  let lookAtAll = false
  let lastLook = { clock: 0, steady: 0 }
  let timer: NodeJS.Timeout | undefined
  let active: Promise<void> | undefined
  let stopped = true

  const startJobs = async (definition: JobDefinition): Promise<void> => {
    const { queue, concurrency = 1, perWorkspace = concurrency, every } = definition
    const started = running.get(definition) as Set<JobRow>
    if (started.size >= concurrency) wokenWhileFull.add(definition)
    while (started.size < concurrency && !stopped) {
      // A job that is queued again, for a retry or by another node, waits until its last attempt has ended here.
      const ids = [...started].map(({ id }) => id)
      const without = { ids, workspaces: fullWorkspaces(started, perWorkspace) }
      const job = await claimNext(db, { queue, node, now: now(), without })
      if (!job) return
      started.add(job)
      const done = () => {
        started.delete(job)
        // The next run of a repeating job is delayed.
        if (wokenWhileFull.delete(definition) || every === undefined) wake(queue)
      }
      // Errors of a job are stored in its row. If that fails too, as on a full disk, the queue must not spin.
      run(job).then(done, (error) => {
        log.warn({ job: job.id, error: reason(error) }, 'could not run a job')
        setTimeout(done, second).unref()
      })
    }
  }

  const look = async (): Promise<void> => {
    lastLook = { clock: now(), steady: performance.now() }
    for (const { queue, at } of await dueTimes(db, { now: now(), until: now() + announcedAhead })) {
      if (at === 0) pending.add(queue)
      else wakeAt(queue, at)
    }
  }

  const poll = async (): Promise<void> => {
    while ((lookAtAll || pending.size > 0) && !stopped) {
      if (lookAtAll) {
        lookAtAll = false
        await look()
      }
      const queues = new Set(pending)
      pending.clear()
      for (const definition of running.keys()) if (queues.has(definition.queue)) await startJobs(definition)
    }
  }

  const resume = (): void => {
    if (stopped || (!lookAtAll && pending.size === 0)) return
    active ??= poll()
      .catch((error) => {
        lookAtAll = true // at the next tick
        log.error({ err: error }, 'could not read the job queue')
      })
      .finally(() => {
        active = undefined
      })
  }

  const wake = (queue?: string): void => {
    if (queue === undefined) lookAtAll = true
    else pending.add(queue)
    resume()
  }

  const wakeAt = (queue: string, at: number): void => {
    const wait = at - now()
    if (wait <= 0) wake(queue)
    // A timer can be early by a part of a millisecond, so the time is compared again.
    else if (wait < tickInterval) setTimeout(() => wakeAt(queue, at), wait).unref()
    else delayed.set(`${queue} ${at}`, { queue, at })
  }

  const tick = (): void => {
    const time = now()
    for (const [key, { queue, at }] of delayed) {
      if (at > time) continue
      delayed.delete(key)
      pending.add(queue)
    }
    // The clock may have been set forward.
    const sinceLook = Math.max(time - lastLook.clock, performance.now() - lastLook.steady)
    if (sinceLook >= lookInterval) lookAtAll = true
    resume()
  }

  return {
    start(definitions) {
      for (const definition of definitions) running.set(definition, new Set())
      stopped = false
      timer = setInterval(tick, tickInterval)
      wake()
    },
    wake,
    wakeAt,
    async pause() {
      stopped = true
      clearInterval(timer)
      await active
    },
  }
}

function fullWorkspaces(started: Iterable<JobRow>, perWorkspace: number): string[] {
  const counts = new Map<string, number>()
  for (const { workspace_id: workspace } of started) {
    if (workspace !== null) counts.set(workspace, (counts.get(workspace) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= perWorkspace).map(([workspace]) => workspace)
}

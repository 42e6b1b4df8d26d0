import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import type { Db } from '../store/database.ts'
import { type Clock, second } from '../time.ts'
import type { JobDefinition } from './definition.ts'
import { claimNext, dueQueues, type JobRow } from './table.ts'

/** Finds delayed jobs, and those whose announcement was lost. */
const pollInterval = second

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
  /** Starts no more jobs; running ones continue. */
  pause(): Promise<void>
}

/**
 * Takes jobs from the job table, which is the queue: each is claimed by one statement, so that any number of processes can
 * share it. A new job wakes the runner through `wake`.
 */
export function createRunner({ db, node, now, log, run }: RunnerSettings): Runner {
  /** The running jobs of this process by queue. */
  const running = new Map<JobDefinition, Set<JobRow>>()
  const pending = new Set<string>()
  let lookAtAll = false
  let timer: NodeJS.Timeout | undefined
  let active: Promise<void> | undefined
  let stopped = true

  const startJobs = async (definition: JobDefinition): Promise<void> => {
    const { queue, concurrency = 1, perWorkspace = concurrency } = definition
    const started = running.get(definition) as Set<JobRow>
    while (started.size < concurrency && !stopped) {
      // A job that is queued again, for a retry or by another node, waits until its last attempt has ended here.
      const ids = [...started].map(({ id }) => id)
      const without = { ids, workspaces: fullWorkspaces(started, perWorkspace) }
      const job = await claimNext(db, { queue, node, now: now(), without })
      if (!job) return
      started.add(job)
      const done = () => {
        started.delete(job)
        wake(queue)
      }
      // Errors of a job are stored in its row. If that fails too, as on a full disk, the queue must not spin.
      run(job).then(done, (error) => {
        log.warn({ job: job.id, error: reason(error) }, 'could not run a job')
        setTimeout(done, second).unref()
      })
    }
  }

  const poll = async (): Promise<void> => {
    while ((lookAtAll || pending.size > 0) && !stopped) {
      const queues = new Set(pending)
      pending.clear()
      if (lookAtAll) {
        lookAtAll = false
        for (const queue of await dueQueues(db, now())) queues.add(queue)
      }
      for (const definition of running.keys()) if (queues.has(definition.queue)) await startJobs(definition)
    }
  }

  const wake = (queue?: string): void => {
    if (queue === undefined) lookAtAll = true
    else pending.add(queue)
    if (stopped) return
    active ??= poll()
      .catch((error) => log.error({ err: error }, 'could not read the job queue')) // retried at the next interval
      .finally(() => {
        active = undefined
      })
  }

  return {
    start(definitions) {
      for (const definition of definitions) running.set(definition, new Set())
      stopped = false
      timer = setInterval(() => wake(), pollInterval)
      wake()
    },
    wake,
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

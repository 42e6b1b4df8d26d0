import type { Logger } from 'pino'
import type { Db } from '../store/database.ts'
import { type Clock, second } from '../time.ts'
import type { Dispatcher, JobDefinition } from './jobs.ts'
import { type DueJob, nextDue, requeueAll } from './table.ts'

/**
 * The queue of a single process: the job table itself. A new job wakes the loop at once; polling once a second finds
 * delayed jobs and those whose transaction was not yet committed.
 */
export function embeddedDispatcher(db: Db, now: Clock, log: Logger): Dispatcher {
  let timer: NodeJS.Timeout | undefined
  let wake: () => void = () => {}
  let stopped = false
  let polling: Promise<void> = Promise.resolve()

  return {
    async dispatch(_tx, job) {
      const wait = job.run_at - now()
      if (wait <= 0) setImmediate(() => wake())
      else if (wait < second) setTimeout(() => wake(), wait).unref()
    },

    async open() {},

    async start(definitions: JobDefinition[], run) {
      await requeueAll(db)
      /** The running jobs by queue. A job is due until its claim is written, so it must not be started twice. */
      const busy = new Map<string, Set<DueJob>>(definitions.map(({ queue }) => [queue, new Set()]))
      let wakePending = false
      let active = false

      const poll = async () => {
        for (const { queue, concurrency = 1, perWorkspace = concurrency } of definitions) {
          const started = busy.get(queue) as Set<DueJob>
          while (started.size < concurrency && !stopped) {
            const ids = [...started].map(({ id }) => id)
            const job = await nextDue(db, queue, now(), { ids, workspaces: fullWorkspaces(started, perWorkspace) })
            if (!job || stopped) break
            started.add(job)
            const done = () => {
              started.delete(job)
              wake()
            }
            // Errors of a job are stored in its row. If not even that works, as on a full disk, the queue must not spin.
            run(job.id).then(done, () => setTimeout(done, second).unref())
          }
        }
      }
      wake = () => {
        wakePending = true
        if (active || stopped) return
        active = true
        polling = (async () => {
          while (wakePending && !stopped) {
            wakePending = false
            await poll()
          }
        })()
          .catch((error) => log.error({ err: error }, 'could not read the job queue')) // retried at the next interval
          .finally(() => {
            active = false
          })
      }
      timer = setInterval(() => wake(), second)
      wake()
    },

    async pause() {
      stopped = true
      clearInterval(timer)
      await polling
    },

    async close() {},
  }
}

function fullWorkspaces(started: Iterable<DueJob>, perWorkspace: number): string[] {
  const counts = new Map<string, number>()
  for (const { workspace_id: workspace } of started) {
    if (workspace !== null) counts.set(workspace, (counts.get(workspace) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= perWorkspace).map(([workspace]) => workspace)
}

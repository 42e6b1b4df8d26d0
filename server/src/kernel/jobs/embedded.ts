import type { Logger } from 'pino'
import type { Db } from '../store/database.ts'
import { type Clock, second } from '../time.ts'
import type { Dispatcher, JobDefinition } from './jobs.ts'
import { due, release } from './table.ts'

/**
 * The queue of a single process: the job table itself. A new job wakes the loop at once (its statement waits for
 * the transaction that makes the job, as there is one connection), and a slow beat finds the ones that were put off.
 */
export function embeddedDispatcher(db: Db, now: Clock, log: Logger): Dispatcher {
  let timer: NodeJS.Timeout | undefined
  let wake: () => void = () => {}
  let stopped = false
  let looking: Promise<void> = Promise.resolve()

  return {
    async dispatch(_tx, job) {
      const wait = job.run_at - now()
      if (wait <= 0) setImmediate(() => wake())
      else if (wait < second) setTimeout(() => wake(), wait).unref()
    },

    async start(definitions: JobDefinition[], run) {
      await release(db)
      /** The jobs that run, by queue. A job is due until its claim is written, so it must not be started twice. */
      const busy = new Map<string, Set<string>>(definitions.map(({ queue }) => [queue, new Set()]))
      let again = false
      let active = false

      const look = async () => {
        for (const { queue, concurrency = 1 } of definitions) {
          const started = busy.get(queue) as Set<string>
          if (started.size >= concurrency || stopped) continue
          const ids = (await due(db, queue, now(), concurrency)).filter((id) => !started.has(id))
          for (const id of ids.slice(0, concurrency - started.size)) {
            if (stopped) return
            started.add(id)
            const done = () => {
              started.delete(id)
              wake()
            }
            run(id).then(done, done) // what went wrong with it is in its row and in the log
          }
        }
      }
      wake = () => {
        again = true
        if (active || stopped) return
        active = true
        looking = (async () => {
          while (again && !stopped) {
            again = false
            await look()
          }
        })()
          .catch((error) => log.error({ err: error }, 'the job queue could not be read')) // the next beat tries again
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
      await looking
    },

    async close() {},
  }
}

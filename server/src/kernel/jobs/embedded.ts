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
      const busy = new Map<string, number>()
      let again = false
      let active = false

      const look = async () => {
        for (const { queue, concurrency = 1 } of definitions) {
          const free = concurrency - (busy.get(queue) ?? 0)
          if (free <= 0 || stopped) continue
          for (const id of await due(db, queue, now(), free)) {
            if (stopped) return
            busy.set(queue, (busy.get(queue) ?? 0) + 1)
            const done = () => {
              busy.set(queue, (busy.get(queue) ?? 1) - 1)
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

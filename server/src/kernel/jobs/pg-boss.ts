import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import { day, second } from '../time.ts'
import type { Dispatcher, JobDefinition } from './jobs.ts'

/** Seconds without a sign of life after which a worker counts as dead; pg-boss takes no less than ten. */
const heartbeatSeconds = 10
const neverGiveUp = 1_000_000
const queueSettings = {
  notify: true,
  heartbeatSeconds,
  retryLimit: neverGiveUp,
  expireInSeconds: (day / second) * 0.9,
  deleteAfterSeconds: 3600,
}
const polling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 }

/**
 * The queue of a cluster: pg-boss brings each job to one worker on some node, at once by LISTEN/NOTIFY, and to
 * another when that one dies. Tries and waits between them are counted in our own table, the same as embedded.
 */
export async function pgBossDispatcher(databaseUrl: string, log: Logger, takesWork: boolean): Promise<Dispatcher> {
  const { fromKysely, PgBoss } = await import('pg-boss') // only a cluster pays for loading it
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: 'parley-jobs',
    max: 5,
    useListenNotify: takesWork,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    supervise: takesWork,
  })
  const queues: string[] = []
  boss.on('error', (error) => log.warn({ error: reason(error) }, 'the job queue had a problem'))

  const work = async (queue: string, run: (id: string) => Promise<void>) => {
    const worker = await boss.work<{ id: string }>(queue, polling, async (jobs) => {
      boss.notifyWorker(worker) // look for the next one as soon as this one is done
      for (const job of jobs) await run(job.data.id)
    })
  }

  return {
    async dispatch(tx, job) {
      await boss.send(job.queue, { id: job.id }, { db: fromKysely(tx), startAfter: new Date(job.run_at) })
    },

    async start(definitions: JobDefinition[], run) {
      await boss.start()
      const there = new Set((await boss.getQueues()).map(({ name }) => name))
      for (const { queue, concurrency = 1 } of definitions) {
        if (!there.has(queue)) await boss.createQueue(queue, queueSettings)
        if (!takesWork) continue
        queues.push(queue)
        for (let n = 0; n < concurrency; n++) await work(queue, run)
      }
    },

    async pause() {
      for (const queue of queues) await boss.offWork(queue, { wait: false })
    },

    async close() {
      await boss.stop({ graceful: false })
    },
  }
}

import type { Logger } from 'pino'
import { reason } from '../errors.ts'
import { closed, postgresOptions } from '../store/postgres.ts'
import { day, second } from '../time.ts'
import type { Dispatcher, JobDefinition } from './jobs.ts'

/** A worker without a heartbeat for this long counts as dead. The minimum of pg-boss is 10. */
const heartbeatSeconds = 10
const unlimitedRetries = 1_000_000
const queueSettings = {
  notify: true,
  heartbeatSeconds,
  retryLimit: unlimitedRetries,
  expireInSeconds: (day / second) * 0.9,
  deleteAfterSeconds: 3600,
}
const polling = { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 }

/**
 * The queue of a cluster: pg-boss delivers each job to one worker, immediately by LISTEN/NOTIFY, and to another one if
 * that dies. Attempts and retry delays are in our own table, as with the embedded queue.
 */
export async function pgBossDispatcher(databaseUrl: string, log: Logger, runsJobs: boolean): Promise<Dispatcher> {
  const { fromKysely, PgBoss } = await import('pg-boss') // loaded only in a cluster
  const boss = new PgBoss({
    ...postgresOptions(databaseUrl),
    application_name: 'parley-jobs',
    max: 5,
    useListenNotify: runsJobs,
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    supervise: runsJobs,
  })
  const queues: string[] = []
  boss.on('error', (error) => log.warn({ error: reason(error) }, 'job queue error'))

  const work = async (queue: string, limits: object, run: (id: string) => Promise<void>) => {
    const worker = await boss.work<{ id: string }>(queue, { ...polling, ...limits }, async (jobs) => {
      boss.notifyWorker(worker) // fetch the next job right after this one instead of at the next poll
      for (const job of jobs) await run(job.data.id)
    })
  }

  const redeliver: Dispatcher['redeliver'] = async ({ id, queue }) => {
    const deliveries = await boss.findJobs(queue, { data: { id } })
    const active = deliveries.filter(({ state }) => state === 'active')
    // Only this delivery, not a later one, which a living worker may have got meanwhile.
    if (active.length > 0) await boss.fail(queue, active, { message: 'The worker has died.' })
  }

  return {
    ...(runsJobs && { redeliver }),

    async dispatch(tx, job) {
      const group = job.workspace_id === null ? {} : { group: { id: job.workspace_id } }
      const options = { db: fromKysely(tx), startAfter: new Date(job.run_at), ...group }
      await boss.send(job.queue, { id: job.id }, options)
    },

    async open(definitions: JobDefinition[]) {
      await boss.start()
      const existing = new Set((await boss.getQueues()).map(({ name }) => name))
      for (const { queue } of definitions) if (!existing.has(queue)) await boss.createQueue(queue, queueSettings)
    },

    async start(definitions: JobDefinition[], run) {
      if (!runsJobs) return
      for (const { queue, concurrency = 1, perWorkspace } of definitions) {
        queues.push(queue)
        if (perWorkspace === undefined) for (let n = 0; n < concurrency; n++) await work(queue, {}, run)
        else await work(queue, { localConcurrency: concurrency, localGroupConcurrency: perWorkspace }, run)
      }
    },

    async pause() {
      for (const queue of queues) await boss.offWork(queue, { wait: false })
    },

    async close() {
      await closed(boss.stop({ graceful: false }))
    },
  }
}

import { Gauge, type Registry } from 'prom-client'
import type { Jobs } from '../jobs/jobs.ts'
import { second } from '../time.ts'
import { within } from '../within.ts'

/** How long a scrape waits for the database. */
const timeout = second

/** Gauges of the jobs in the database. While it is away, they keep the figures of the last scrape. */
export function registerJobGauges(registry: Registry, jobs: Pick<Jobs, 'counts' | 'waiting'>): void {
  let reading: Promise<void> | null = null
  const gauge = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      // All gauges are collected at once, so one reading serves them all.
      collect: () => {
        reading ??= read().finally(() => {
          reading = null
        })
        return reading
      },
    })
  const up = gauge('parley_database_up', '1 if the database responds, otherwise 0.', [])
  const counts = gauge('parley_jobs', 'Background jobs by status. The due ones are part of the queued ones.', [
    'status',
  ])
  const depths = gauge('parley_job_queue_depth', 'Jobs that are due and wait for a worker.', ['queue'])
  const waits = gauge('parley_job_queue_oldest_seconds', 'How long the oldest of these jobs has waited.', ['queue'])

  async function read(): Promise<void> {
    try {
      const [byStatus, queues] = await within(timeout, Promise.all([jobs.counts(), jobs.waiting()]))
      for (const [status, count] of Object.entries(byStatus)) counts.set({ status }, count)
      for (const { queue, depth, oldestSeconds } of queues) {
        depths.set({ queue }, depth)
        waits.set({ queue }, oldestSeconds)
      }
      up.set(1)
    } catch {
      up.set(0)
    }
  }
}

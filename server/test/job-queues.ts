import type { JobDefinition } from '../src/kernel/jobs/definition.ts'
import { type Service, until } from './harness.ts'

export const withJobs = (...definitions: JobDefinition[]) => [
  { name: 'test', jobs: (ctx: Service['ctx']) => definitions.map((definition) => ctx.jobs.define(definition)) },
]

export const enqueue = ({ ctx }: Service, queue: string, more: object = {}) =>
  ctx.db.transaction().execute((tx) => ctx.jobs.enqueue(tx, queue, { workspace: null, ...more }))

export const ended = ({ ctx }: Service, id: string) =>
  until(async () => {
    const job = await ctx.jobs.get(null, id)
    return job && !['queued', 'running'].includes(job.status) && job
  })

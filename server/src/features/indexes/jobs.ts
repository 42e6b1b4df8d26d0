import type { Context } from '../../kernel/context.ts'
import { minute, second } from '../../kernel/time.ts'
import { buildIndex, failBuild } from './building/build.ts'
import { cleanUpIndexes } from './building/cleanup.ts'
import { embedIndex } from './building/embed.ts'
import { queues } from './queue.ts'

const buildAttempts = 5

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: queues.build,
    concurrency: 2,
    perWorkspace: 1,
    attempts: buildAttempts,
    resumable: true,
    async run({ workspace, payload, signal, attempt }) {
      const { index } = payload as { index: string }
      try {
        await buildIndex(ctx, workspace ?? '', index, signal)
      } catch (error) {
        if (!signal.aborted && attempt >= buildAttempts) await failBuild(ctx, workspace ?? '', index, error)
        throw error
      }
    },
  })
  ctx.jobs.define({
    queue: queues.embed,
    // Their batches take turns, so most of them only wait.
    concurrency: 8,
    perWorkspace: 6,
    attempts: 6,
    resumable: true,
    retryDelay: 2 * second,
    run: ({ workspace, payload, signal }) =>
      embedIndex(ctx, workspace ?? '', (payload as { index: string }).index, signal),
  })
  ctx.jobs.define({ queue: queues.cleanup, every: 10 * minute, run: () => cleanUpIndexes(ctx) })
}

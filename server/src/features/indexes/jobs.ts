import type { Context } from '../../kernel/context.ts'
import { minute, second } from '../../kernel/time.ts'
import { build, failBuild } from './building.ts'
import { queues } from './queues.ts'
import { refine } from './refining.ts'
import { tidy } from './tidying.ts'

const buildAttempts = 5

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: queues.build,
    concurrency: 1,
    attempts: buildAttempts,
    resumable: true,
    async run({ workspace, payload, signal, attempt }) {
      const { index } = payload as { index: string }
      try {
        await build(ctx, workspace ?? '', index, signal)
      } catch (error) {
        if (!signal.aborted && attempt >= buildAttempts) await failBuild(ctx, workspace ?? '', index, error)
        throw error
      }
    },
  })
  ctx.jobs.define({
    queue: queues.refine,
    concurrency: 2,
    attempts: 6,
    resumable: true,
    retryDelay: 2 * second,
    run: ({ workspace, payload, signal }) => refine(ctx, workspace ?? '', (payload as { index: string }).index, signal),
  })
  ctx.jobs.define({ queue: queues.tidy, every: 10 * minute, run: () => tidy(ctx) })
}

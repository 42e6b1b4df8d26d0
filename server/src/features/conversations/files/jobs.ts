import type { Context } from '../../../kernel/context.ts'
import { day, hour, timestamp } from '../../../kernel/time.ts'
import { type Deleted, deletionQueue } from './deletion.ts'
import { removeContent, removeUnused, sweepContent } from './store.ts'

export function defineFileJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: deletionQueue,
    attempts: 20,
    async run({ payload }) {
      const { workspace, ids } = payload as Deleted
      await removeContent(ctx, workspace, ids)
    },
  })
  // Uses the clock that all nodes share. A clock that is ahead would delete a file that a message is about to use.
  ctx.jobs.define({
    queue: 'conversations.files',
    every: hour,
    async run() {
      await removeUnused(ctx, timestamp(ctx.now() - day))
      await sweepContent(ctx, ctx.now() - hour)
    },
  })
}

import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { day, hour, timestamp } from '../../../kernel/time.ts'
import { removeContent, removeUnused, sweepContent } from './store.ts'

const deletionQueue = 'conversations.delete-files'

/** The workspace is in the payload: as the job's own, its deletion would delete the job. */
interface Deleted {
  workspace: string
  ids: string[]
}

/** Removes the content of deleted files once the transaction is committed. */
export async function removeContentLater(ctx: Context, tx: Db, workspace: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const payload: Deleted = { workspace, ids }
  await ctx.jobs.enqueue(tx, deletionQueue, { workspace: null, payload })
}

export function defineFileJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: deletionQueue,
    attempts: 20,
    async run({ payload }) {
      const { workspace, ids } = payload as Deleted
      await removeContent(ctx, workspace, ids)
    },
  })
  // By the clock of all nodes: with a clock that is ahead, a file would be lost that a message is about to use.
  ctx.jobs.define({
    queue: 'conversations.files',
    every: hour,
    async run() {
      await removeUnused(ctx, timestamp(ctx.now() - day))
      await sweepContent(ctx, ctx.now() - hour)
    },
  })
}

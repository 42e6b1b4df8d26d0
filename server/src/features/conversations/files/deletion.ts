import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'

export const deletionQueue = 'conversations.delete-files'

/** The workspace is in the payload, because a job that belongs to a workspace is deleted with it. */
export interface Deleted {
  workspace: string
  ids: string[]
}

/** Removes the content of deleted files once the transaction is committed. */
export async function removeContentLater(ctx: Context, tx: Db, workspace: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const payload: Deleted = { workspace, ids }
  await ctx.jobs.enqueue(tx, deletionQueue, { workspace: null, payload })
}

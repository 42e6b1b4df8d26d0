import type { Context } from '../../kernel/context.ts'
import { reason } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { second } from '../../kernel/time.ts'

export const forgetQueue = 'knowledge-sources.forget'

/** What has gone from the database and must go from files and indexes: a whole source, or one document of it. */
export interface Forgotten {
  source: string
  document?: string
}

const later = (ctx: Context, tx: Db, workspace: string, payload: Forgotten, delay = 0) =>
  // The workspace stands in the payload: were it the job's own, the job would go with the workspace.
  ctx.jobs.enqueue(tx, forgetQueue, { workspace: null, payload: { workspace, ...payload }, delay })

/**
 * In the transaction that removes it, so that a crash leaves no trace behind. It waits a little, so that a sync that
 * was just putting something in has ended.
 */
export async function forgetSourceLater(ctx: Context, tx: Db, workspace: string, source: string): Promise<void> {
  await later(ctx, tx, workspace, { source }, 10 * second)
}

export const forgetDocumentLater = async (
  ctx: Context,
  tx: Db,
  workspace: string,
  source: string,
  document: string,
): Promise<void> => {
  await later(ctx, tx, workspace, { source, document })
}

/** Removes every trace. It is done at once and again by the job, and minds neither. */
async function forget(ctx: Context, workspace: string, { source, document }: Forgotten): Promise<void> {
  if (document === undefined) {
    await ctx.files.remove([workspace, source])
    await ctx.state['knowledge-sources'].indexer.drop(ctx, workspace, source)
    return
  }
  for (const name of await ctx.files.names([workspace, source])) {
    if (name.startsWith(`${document}.`)) await ctx.files.remove([workspace, source, name])
  }
  await ctx.state['knowledge-sources'].indexer.remove(ctx, workspace, source, [document])
}

/** For the answer to the caller: what cannot be done now is done by the job. */
export async function forgetNow(ctx: Context, workspace: string, forgotten: Forgotten): Promise<void> {
  await forget(ctx, workspace, forgotten).catch((error) =>
    ctx.log.warn({ error: reason(error), ...forgotten }, 'what was deleted could not be removed at once'),
  )
}

/** A sync that was just at it may have put something back, so the job comes after it. */
export async function forgetInJob(ctx: Context, payload: Forgotten & { workspace: string }): Promise<void> {
  const { workspace, ...forgotten } = payload
  const syncing = await ctx.db
    .selectFrom('knowledge_sync')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', forgotten.source)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (syncing) await inTransaction(ctx.db, (tx) => later(ctx, tx, workspace, forgotten, 5 * second))
  else await forget(ctx, workspace, forgotten)
}

import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { second } from '../../../kernel/time.ts'
import { indexerOf } from '../indexer.ts'

export const deletionQueue = 'knowledge-sources.forget'

/** A source or a document that is deleted from the database and must be removed from files and indexes. */
export interface Deleted {
  source: string
  document?: string
  /** The attachments of the document, if it is a mail. */
  attachments?: string[]
}

/** The workspace is in the payload, because a job that belongs to a workspace is deleted with it. */
export type DeletionPayload = Deleted & { workspace: string }

const enqueue = (ctx: Context, tx: Db, payload: DeletionPayload, delay: number) =>
  ctx.jobs.enqueue(tx, deletionQueue, { workspace: null, payload, delay })

/**
 * Enqueues the removal in the transaction of the deletion, so that it survives a crash. The job of a source waits until a
 * sync that is just indexing a document has noticed the deletion.
 */
export async function removeLater(ctx: Context, tx: Db, workspace: string, deleted: Deleted): Promise<void> {
  await enqueue(ctx, tx, { workspace, ...deleted }, deleted.document === undefined ? 10 * second : 0)
}

/** Idempotent: it runs once at the request and again in the job. */
async function removeTraces(ctx: Context, workspace: string, deleted: Deleted): Promise<void> {
  const { source, document, attachments = [] } = deleted
  if (document === undefined) {
    await ctx.files.removeAll([workspace, source])
    await indexerOf(ctx).drop(ctx, workspace, source)
    return
  }
  for await (const { path } of ctx.files.list([workspace, source], `${document}.`)) await ctx.files.remove(path)
  // A running sync may have added attachments.
  const rows = ctx.db.deleteFrom('knowledge_document').where('workspace_id', '=', workspace)
  const ids = [...new Set([document, ...attachments, ...(await findAttachments(ctx.db, workspace, document))])]
  await indexerOf(ctx).remove(ctx, workspace, source, ids, () => [statement(rows.where('parent_id', '=', document))])
}

export async function findAttachments(db: Db, workspace: string, document: string): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_document')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('parent_id', '=', document)
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes files and passages before the request is answered. If that fails, the job does it. */
export async function removeNow(ctx: Context, workspace: string, deleted: Deleted): Promise<void> {
  await removeTraces(ctx, workspace, deleted).catch((error) =>
    ctx.log.warn({ error: reason(error), ...deleted }, 'deleted knowledge could not be removed at once'),
  )
}

/** A running sync may put a deleted document back, so the job waits for its end. */
export async function removeInJob(ctx: Context, payload: DeletionPayload): Promise<void> {
  const { workspace, ...deleted } = payload
  const syncing = await ctx.db
    .selectFrom('knowledge_sync')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', deleted.source)
    .where('status', '=', 'running')
    .executeTakeFirst()
  if (syncing) await inTransaction(ctx.db, (tx) => enqueue(ctx, tx, payload, 5 * second))
  else await removeTraces(ctx, workspace, deleted)
}

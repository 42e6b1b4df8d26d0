import type { Context } from '../../../kernel/context.ts'
import { reason } from '../../../kernel/errors.ts'
import type { FilePath } from '../../../kernel/files/files.ts'
import type { Db } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { second } from '../../../kernel/time.ts'
import { getIndexer } from '../indexer.ts'
import { runningSync } from '../running-sync.ts'
import { uploadPath } from './stored-files.ts'

export const cleanUpQueue = 'knowledge-sources.clean-up'

/** The workspace is in the payload because a job with a workspace of its own would be deleted with it. */
export interface CleanUp {
  workspace: string
  source: string
}

const batchSize = 200

export interface DeletedDocument {
  id: string
  sha256: string | null
}

/** Waits until a sync that is just indexing a document has noticed the deletion of its source. */
const afterSource = 10 * second

/** Enqueues the removal in the transaction of the deletion, so that it survives a crash. */
export const removeSourceLater = (ctx: Context, tx: Db, workspace: string, source: string): Promise<string> =>
  ctx.jobs.enqueue(tx, cleanUpQueue, { workspace: null, payload: { workspace, source }, delay: afterSource })

/** Removes files and passages before the request is answered. If that fails, the job does it. */
export const removeSourceNow = (ctx: Context, workspace: string, source: string): Promise<void> =>
  removeSource(ctx, workspace, source).catch(warn(ctx, source))

async function removeSource(ctx: Context, workspace: string, source: string): Promise<void> {
  await ctx.files.removeAll([workspace, source])
  await getIndexer(ctx).drop(ctx, workspace, source)
}

const warn = (ctx: Context, source: string) => (error: unknown) =>
  ctx.log.warn({ error: reason(error), source }, 'deleted knowledge could not be removed at once')

/** Records deleted documents in the transaction of the deletion, so that their clean-up survives a crash. */
export async function recordDeletions(
  tx: Db,
  { workspace, source }: CleanUp,
  documents: readonly string[],
): Promise<void> {
  const rows = documents.map((id) => ({ workspace_id: workspace, knowledge_source_id: source, document_id: id }))
  await tx.insertInto('knowledge_deletion').values(rows).execute()
}

/**
 * Removes files and passages of deleted documents before the request is answered. A sync that was running may put them
 * back, so then their records stay until it has ended.
 */
export async function removeDocumentsNow(
  ctx: Context,
  of: CleanUp,
  documents: readonly DeletedDocument[],
  isSyncing: boolean,
): Promise<void> {
  const files = documents.map(({ id, sha256 }) => uploadPath(of.workspace, of.source, id, sha256 ?? ''))
  const ids = documents.map(({ id }) => id)
  await removeDocuments(ctx, of, ids, files, !isSyncing).catch(warn(ctx, of.source))
}

/** Idempotent. With `isFinal` the records of the deletions are deleted too. */
async function removeDocuments(
  ctx: Context,
  { workspace, source }: CleanUp,
  documents: readonly string[],
  files: readonly FilePath[],
  isFinal: boolean,
): Promise<void> {
  await ctx.files.remove(...files)
  // A running sync may have added attachments.
  const attached = (await listAttachments(ctx.db, workspace, documents)).map(({ id }) => id)
  const ids = [...new Set([...documents, ...attached])]
  const attachments = ctx.db.deleteFrom('knowledge_document').where('workspace_id', '=', workspace)
  const records = ctx.db.deleteFrom('knowledge_deletion').where('workspace_id', '=', workspace)
  await getIndexer(ctx).remove(ctx, workspace, source, ids, () => [
    statement(attachments.where('parent_id', 'in', documents)),
    ...(isFinal ? [statement(records.where('document_id', 'in', documents))] : []),
  ])
}

export const listAttachments = (db: Db, workspace: string, documents: readonly string[]): Promise<DeletedDocument[]> =>
  db
    .selectFrom('knowledge_document')
    .select(['id', 'sha256'])
    .where('workspace_id', '=', workspace)
    .where('parent_id', 'in', documents)
    .execute()

/** The files of some documents, whatever their content. The folder is read once for all of them. */
async function listFiles(
  ctx: Context,
  { workspace, source }: CleanUp,
  documents: readonly string[],
): Promise<FilePath[]> {
  const [first = '', last = ''] = [documents[0], documents.at(-1)]
  const common = [...first].findIndex((character, at) => character !== last[at])
  const deleted = new Set(documents)
  const paths: FilePath[] = []
  for await (const { path } of ctx.files.list([workspace, source], common < 0 ? first : first.slice(0, common)))
    if (deleted.has(path.at(-1)?.split('.', 1)[0] ?? '')) paths.push(path)
  return paths
}

const listDeletions = (db: Db, { workspace, source }: CleanUp) =>
  db
    .selectFrom('knowledge_deletion')
    .select('document_id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', source)
    .orderBy('document_id')
    .limit(batchSize)
    .execute()

/** Enqueues one job for all documents that were deleted during a sync, in the transaction that ends it. */
export async function cleanUpAfterSync(ctx: Context, tx: Db, payload: CleanUp): Promise<void> {
  if ((await listDeletions(tx, payload)).length > 0)
    await ctx.jobs.enqueue(tx, cleanUpQueue, { workspace: null, payload })
}

/**
 * Removes the traces of a deleted source, or of the deleted documents of a source. The records are read before the sync is
 * looked for: a sync that starts in between does not know those documents. If one is running, its end enqueues the job again.
 */
export async function cleanUp(ctx: Context, of: CleanUp): Promise<void> {
  const { workspace, source } = of
  const exists = ctx.db.selectFrom('knowledge_source').select('id').where('workspace_id', '=', workspace)
  if (!(await exists.where('id', '=', source).executeTakeFirst())) return removeSource(ctx, workspace, source)
  for (;;) {
    const documents = (await listDeletions(ctx.db, of)).map(({ document_id }) => document_id)
    if (documents.length === 0 || (await runningSync(ctx.db, workspace, source))) return
    await removeDocuments(ctx, of, documents, await listFiles(ctx, of, documents), true)
  }
}

/** Cleans up after requests that a crash has interrupted. */
export async function cleanUpAll(ctx: Context): Promise<void> {
  const rows = await ctx.db
    .selectFrom('knowledge_deletion')
    .select(['workspace_id as workspace', 'knowledge_source_id as source'])
    .distinct()
    .execute()
  for (const each of rows) await cleanUp(ctx, each)
}

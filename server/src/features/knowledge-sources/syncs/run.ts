import type { Context } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import { applyRules } from '../access/apply.ts'
import { getIndexer } from '../indexer.ts'
import { readDirectory } from '../readers/directory.ts'
import { readUploads } from '../readers/file.ts'
import type { Item, KnownDocument, Reader } from '../readers/reader.ts'
import { readTexts } from '../readers/text.ts'
import { readSite } from '../readers/web.ts'
import type { Reading, SourceType } from '../schema.ts'
import { sources } from '../sources.ts'
import { type SourceRow, type SyncRow, syncs } from '../store.ts'
import { DocumentSync } from './documents.ts'
import { inParallel } from './parallel.ts'
import { finishSync, type SyncPayload } from './service.ts'

const readers: Record<SourceType, Reader> = {
  file: readUploads,
  text: readTexts,
  web: readSite,
  directory: readDirectory,
}

const concurrency = 8
const progressInterval = second / 2
/** While a long document is read, one small write in this time. */
const readingInterval = second

/** Syncs the documents of a source. After a crash it resumes where it was. */
export async function runSync(ctx: Context, workspace: string, ids: SyncPayload, signal: AbortSignal): Promise<void> {
  for (let done = false; !done; ) {
    const source = await sources.find(ctx.db, { workspace }, ids.source)
    if (!source) return getIndexer(ctx).drop(ctx, workspace, ids.source)
    const sync = await syncs.find(ctx.db, workspace, ids.sync)
    if (sync?.status !== 'running') return
    const kept = await syncOnce(ctx, workspace, source, sync, signal)
    done = await finishSync(ctx, workspace, sync.id, null, kept)
  }
}

/** Returns how many documents were kept without being looked at. */
async function syncOnce(
  ctx: Context,
  workspace: string,
  source: SourceRow,
  sync: SyncRow,
  signal: AbortSignal,
): Promise<number> {
  const known = await knownDocuments(ctx, workspace, source.id)
  const reading = new Map<string, Reading>()
  const onReading = (documentId: string, progress: Reading | null) => {
    if (progress) reading.set(documentId, progress)
    else reading.delete(documentId)
    // If it cannot be stored, the sync itself fails soon.
    if (progress && performance.now() - reportedAt > readingInterval) void reportProgress(total()).catch(() => {})
  }
  const documents = new DocumentSync(ctx, { workspace, source, sync, known, signal, onReading })
  const { seen } = documents
  const total = () => Math.max(known.size, seen.size)
  let reportedAt = 0
  const reportProgress = async (count: number) => {
    reportedAt = performance.now()
    const counts = {
      documents_total: count,
      documents_unchanged: documents.unchanged,
      reading: JSON.stringify([...reading.values()]),
      updated_at: timestamp(ctx.now()),
    }
    const update = ctx.db.updateTable('knowledge_sync').set(counts).where('id', '=', sync.id)
    await ctx.commits.commit([statement(update.where('workspace_id', '=', workspace))])
  }
  await reportProgress(known.size)
  const items = readers[source.type]({ ctx, workspace, source, known, signal })
  const result = await inParallel(items, concurrency, async (item: Item, leave) => {
    signal.throwIfAborted()
    await documents.sync(item, leave)
    if (performance.now() - reportedAt > progressInterval) await reportProgress(total())
  })
  signal.throwIfAborted()
  const unseen = [...known.values()].filter(({ key }) => !seen.has(key))
  const seenIds = new Set([...known.values()].filter(({ key }) => seen.has(key)).map(({ id }) => id))
  // The attachments of a mail that was read are complete.
  const isGone = ({ parent_id }: KnownDocument) => !result?.incomplete || (parent_id !== null && seenIds.has(parent_id))
  const gone = unseen.filter(isGone)
  await documents.remove(gone)
  await settleAccess(ctx, workspace, source.id, documents.hasAttachments)
  const kept = unseen.filter((document) => !isGone(document) && document.sync_id !== sync.id).length
  documents.unchanged += kept
  await reportProgress(known.size - gone.length + [...seen].filter((key) => !known.has(key)).length)
  return kept
}

/** Applies rules that were changed, and access that was set, while documents were read. */
async function settleAccess(ctx: Context, workspace: string, sourceId: string, hasAttachments: boolean): Promise<void> {
  const { access_rules = [] } = (await sources.find(ctx.db, { workspace }, sourceId)) ?? {}
  if (access_rules.length === 0 && !hasAttachments) return
  await inTransaction(ctx.db, async (tx) => {
    const source = await sources.table.lock(tx, workspace, sourceId)
    if (source) await applyRules(tx, workspace, sourceId, source.access_rules)
  })
}

async function knownDocuments(ctx: Context, workspace: string, sourceId: string): Promise<Map<string, KnownDocument>> {
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'key', 'name', 'media_type', 'size', 'sha256', 'status', 'error', 'given_metadata'])
    .select(['stamp', 'version', 'indexed_version', 'sync_id', 'parent_id'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .orderBy('id')
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

import { maySee } from '../../../kernel/access.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { requireMatch } from '../../../kernel/store/collection.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import { visibleDocuments } from '../access/visible.ts'
import { readParsed } from '../contents.ts'
import { listAttachments, recordDeletions, removeDocumentsNow } from '../files/deletion.ts'
import { getIndexer } from '../indexer.ts'
import { runningSync } from '../running-sync.ts'
import { sources } from '../sources.ts'
import { type DocumentRow, documents } from '../store.ts'
import { removeText } from '../texts.ts'
import type { DocumentChunk, DocumentContent } from './schema.ts'

export async function listDocuments(
  ctx: Context,
  who: Caller,
  sourceId: string,
  query: ListQuery,
): Promise<Page<DocumentRow>> {
  await sources.get(ctx, who, sourceId)
  const seen = await visibleDocuments(ctx, who, [sourceId])
  return documents.list(ctx.longReads, who.workspace, query, (rows) => {
    const inSource = rows.where('knowledge_source_id', '=', sourceId)
    return seen?.(inSource) ?? inSource
  })
}

export async function getDocument(ctx: Context, who: Caller, sourceId: string, id: string): Promise<DocumentRow> {
  await sources.get(ctx, who, sourceId)
  const document = await documents.find(ctx.db, who.workspace, id)
  const isSeen = document?.knowledge_source_id === sourceId && maySee(who, document.access ?? null)
  return isSeen ? document : notFound('document', id)
}

/** Deletes a document with its file, text, passages and attachments. A `text` source loses it from its configuration as well. */
export async function removeDocument(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  ifMatch?: string,
): Promise<void> {
  const { workspace } = who
  const of = { workspace, source: sourceId }
  const { deleted, isSyncing } = await inTransaction(ctx.db, async (tx) => {
    const source = (await sources.table.lock(tx, workspace, sourceId)) ?? notFound(sources.kind, sourceId)
    const document = await documents.lock(tx, workspace, id)
    if (document?.knowledge_source_id !== sourceId) notFound('document', id)
    requireMatch('document', document, ifMatch)
    if (source.type === 'text') await removeText(tx, workspace, source, document.key)
    const deleted = [document, ...(await listAttachments(tx, workspace, [id]))]
    for (const each of deleted) await documents.remove(tx, workspace, each.id)
    const ids = deleted.map((each) => each.id)
    await recordDeletions(tx, of, ids)
    await ctx.audit.record(tx, who, { action: 'delete document', kind: sources.kind, id: sourceId, part: id })
    return { deleted, isSyncing: (await runningSync(tx, workspace, sourceId)) !== undefined }
  })
  await removeDocumentsNow(ctx, of, deleted, isSyncing)
}

/** The passages of a document in the default index of its source. */
export async function pageOfChunks(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  { page, limit }: { page: number; limit: number },
): Promise<Page<DocumentChunk>> {
  const { created_at, updated_at } = await getDocument(ctx, who, sourceId, id)
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
  const { rows, total } = await getIndexer(ctx).passages(ctx, who.workspace, { id, sourceId }, { offset, limit })
  return {
    rows: rows.map(({ text, page: onPage, ...passage }, at) => ({
      ...passage,
      position: offset + at + 1,
      content: text,
      page: onPage ?? 1,
      created_at,
      updated_at,
    })),
    total,
  }
}

/** A range of the parsed text, with the pages and headings in it. */
export async function readContent(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  range: { start?: number; end?: number },
): Promise<DocumentContent> {
  await getDocument(ctx, who, sourceId, id)
  const { text, pages, headings, label, warnings } = await readParsed(ctx, who.workspace, id)
  const start = Math.min(range.start ?? 0, text.length)
  const end = Math.min(Math.max(range.end ?? text.length, start), text.length)
  return {
    document_id: id,
    name: label,
    start,
    end,
    length: text.length,
    text: text.slice(start, end),
    pages: pages.filter((page) => page.end > start && page.start < end),
    headings: headings.filter((heading) => heading.start >= start && heading.start < end),
    warnings,
  }
}

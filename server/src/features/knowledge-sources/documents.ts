import type { Caller, Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { refuseChanged } from '../../kernel/store/collection.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import type { ListQuery, Page } from '../../kernel/store/list.ts'
import { forgetDocumentLater, forgetNow } from './forget.ts'
import { readParsed } from './parsed-text.ts'
import { keyed } from './readers/text.ts'
import type { DocumentChunk, DocumentContent } from './schema.ts'
import { sources } from './sources.ts'
import { type DocumentRow, documents } from './store.ts'

export async function listDocuments(
  ctx: Context,
  who: Caller,
  sourceId: string,
  query: ListQuery,
): Promise<Page<DocumentRow>> {
  await sources.get(ctx, who, sourceId)
  return documents.list(ctx.db, who.workspace, query, (rows) => rows.where('knowledge_source_id', '=', sourceId))
}

export async function getDocument(ctx: Context, who: Caller, sourceId: string, id: string): Promise<DocumentRow> {
  await sources.get(ctx, who, sourceId)
  const document = await documents.find(ctx.db, who.workspace, id)
  return document?.knowledge_source_id === sourceId ? document : notFound('document', id)
}

/** Removes a document and every trace of it. One of a `text` source goes from its configuration as well. */
export async function removeDocument(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  ifMatch?: string,
): Promise<void> {
  const { workspace } = who
  await inTransaction(ctx.db, async (tx) => {
    const source = (await sources.table.lock(tx, workspace, sourceId)) ?? notFound(sources.kind, sourceId)
    const document = await documents.lock(tx, workspace, id)
    if (document?.knowledge_source_id !== sourceId) notFound('document', id)
    refuseChanged('document', document, ifMatch)
    if (source.type === 'text') {
      const texts = [...keyed(source.configuration.documents ?? [])]
      const left = texts.filter(([key]) => key !== document.key).map(([, text]) => text)
      const configuration = { ...source.configuration, documents: left }
      await sources.table.update(tx, workspace, sourceId, { configuration, revision: source.revision + 1 })
    }
    await documents.remove(tx, workspace, id)
    await forgetDocumentLater(ctx, tx, workspace, sourceId, id)
  })
  await forgetNow(ctx, workspace, { source: sourceId, document: id })
}

/** How the text was cut: its passages, as the source's default index holds them. */
export async function chunksOf(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  { page, limit }: { page: number; limit: number },
): Promise<Page<DocumentChunk>> {
  await getDocument(ctx, who, sourceId, id)
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
  const { rows, total } = await ctx.state['knowledge-sources'].indexer.passages(
    ctx,
    who.workspace,
    { id, sourceId },
    { offset, limit },
  )
  return {
    rows: rows.map(({ text, page: onPage, ...passage }, at) => ({
      ...passage,
      position: offset + at + 1,
      content: text,
      page: onPage ?? 1,
    })),
    total,
  }
}

/** A part of the text as it was read, with what it takes to show a citation in its place. */
export async function contentOf(
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

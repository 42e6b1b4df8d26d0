import { unpackDocument } from '@parley/documents'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { ParsedDocument } from './indexer.ts'

const selection = (ctx: Context, workspace: string) =>
  ctx.db
    .selectFrom('knowledge_text')
    .innerJoin('knowledge_document', 'knowledge_document.id', 'knowledge_text.document_id')
    .select(['knowledge_document.id', 'knowledge_source_id', 'name', 'metadata', 'body'])
    .where('knowledge_text.workspace_id', '=', workspace)
    .where('knowledge_document.workspace_id', '=', workspace)

type Selected = Awaited<ReturnType<ReturnType<typeof selection>['execute']>>[number]

const unpack = async (row: Selected): Promise<ParsedDocument> => ({
  ...(await unpackDocument(row.body)),
  id: row.id,
  sourceId: row.knowledge_source_id,
  label: row.name,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
})

/** A document as it was last read; the same that is searchable. */
export async function readParsed(ctx: Context, workspace: string, documentId: string): Promise<ParsedDocument> {
  const row = await selection(ctx, workspace).where('document_id', '=', documentId).executeTakeFirst()
  return row ? unpack(row) : notFound('text of the document', documentId)
}

const documentsAtOnce = 20

/** Every document of a source that was read, in the order of their ids. What comes or goes meanwhile may be missed. */
export async function* parsedDocumentsOf(
  ctx: Context,
  workspace: string,
  sourceId: string,
): AsyncGenerator<ParsedDocument> {
  for (let after = ''; ; ) {
    const rows = await selection(ctx, workspace)
      .where('knowledge_source_id', '=', sourceId)
      .where('knowledge_document.id', '>', after)
      .orderBy('knowledge_document.id')
      .limit(documentsAtOnce)
      .execute()
    for (const row of rows) yield await unpack(row)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

import { unpackDocument } from '@parley/documents'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { ParsedDocument } from '../indexer.ts'

const selectTexts = (ctx: Context, workspace: string) =>
  ctx.db
    .selectFrom('knowledge_text')
    .innerJoin('knowledge_document', 'knowledge_document.id', 'knowledge_text.document_id')
    .select(['knowledge_document.id', 'knowledge_source_id', 'name', 'metadata', 'body', 'indexed_version as version'])
    .where('knowledge_text.workspace_id', '=', workspace)
    .where('knowledge_document.workspace_id', '=', workspace)

type TextRow = Awaited<ReturnType<ReturnType<typeof selectTexts>['execute']>>[number]

/** A document as it is stored, with the version of its text. */
export interface StoredDocument extends ParsedDocument {
  version: string | null
}

const unpack = async (row: TextRow): Promise<StoredDocument> => ({
  ...(await unpackDocument(row.body)),
  id: row.id,
  sourceId: row.knowledge_source_id,
  label: row.name,
  version: row.version,
  metadata: JSON.parse(row.metadata) as Record<string, unknown>,
})

/** The parsed text of a document, as it is searchable. */
export async function readParsed(ctx: Context, workspace: string, documentId: string): Promise<ParsedDocument> {
  const row = await selectTexts(ctx, workspace).where('document_id', '=', documentId).executeTakeFirst()
  return row ? unpack(row) : notFound('text of the document', documentId)
}

const batchSize = 20

/** The parsed documents of a source, ordered by id. Documents that are added or deleted meanwhile may be missed. */
export async function* parsedDocumentsOf(
  ctx: Context,
  workspace: string,
  sourceId: string,
): AsyncGenerator<StoredDocument> {
  for (let after = ''; ; ) {
    const rows = await selectTexts(ctx, workspace)
      .where('knowledge_source_id', '=', sourceId)
      .where('knowledge_document.id', '>', after)
      .orderBy('knowledge_document.id')
      .limit(batchSize)
      .execute()
    for (const row of rows) yield await unpack(row)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

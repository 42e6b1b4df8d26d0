import { unpackDocument } from '@parley/documents'
import { type Expression, expressionBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db, Tables } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import type { ParsedDocument } from './indexer.ts'

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
export async function* readParsedDocuments(
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

/** The status of each source; deleted ones are left out. */
export async function sourceStatuses(db: Db, workspace: string, sources: readonly string[]): Promise<string[]> {
  if (sources.length === 0) return []
  const rows = await db
    .selectFrom('knowledge_source')
    .select('status')
    .where('workspace_id', '=', workspace)
    .where('id', 'in', sources)
    .execute()
  return rows.map(({ status }) => status)
}

export async function findDocumentIds(db: Db, workspace: string, sources: readonly string[]): Promise<Set<string>> {
  if (sources.length === 0) return new Set()
  const rows = await db
    .selectFrom('knowledge_document')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', 'in', sources)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Fails with a `Conflict` if the document has another text by now. */
export const requireVersion = (ctx: Context, workspace: string, { id, version }: StoredDocument): Statement => {
  const change = ctx.db
    .updateTable('knowledge_document')
    .set({ indexed_version: version })
    .where((is) => is.and({ id, workspace_id: workspace, indexed_version: version }))
  return statement(change, 1)
}

const { exists, selectFrom } = expressionBuilder<Tables>()

/** Whether a source in a query has this status. */
export const isSource = (id: Expression<string>, status: Tables['knowledge_source']['status']) =>
  exists(selectFrom('knowledge_source').select('id').where('id', '=', id).where('status', '=', sql.lit(status)))

/** The newest searchable document of a source in a query. */
export const newestDocument = (id: Expression<string>) =>
  selectFrom('knowledge_document')
    .select(({ fn }) => fn.max<string | null>('id').as('id'))
    .where('knowledge_source_id', '=', id)
    .where('indexed_version', 'is not', null)
    .$asScalar()

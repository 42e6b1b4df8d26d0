import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { Table } from '@parley/tables'
import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ParsedDocument } from '../indexer.ts'
import { tables } from '../store.ts'

const compress = promisify(deflateRaw)
const suffixLength = 8

/** The statements that replace the tables of a document. A table keeps its id as long as its title stays the same. */
export async function prepareTables(
  ctx: Context,
  workspace: string,
  document: ParsedDocument,
  signal: AbortSignal,
): Promise<Statement[]> {
  const { id: documentId, sourceId, label, text } = document
  const hasTables = document.blocks?.some(({ kind }) => kind === 'table') ?? false
  const found = hasTables
    ? await ctx.tables.read({ ...toSource(document), name: label }, { signal, key: workspace })
    : []
  const known = await ctx.db
    .selectFrom('knowledge_table')
    .select(['id', 'title', 'created_at'])
    .where('workspace_id', '=', workspace)
    .where('document_id', '=', documentId)
    .execute()
  const statements: Statement[] = []
  if (known.length > 0) {
    const old = ctx.db.deleteFrom('knowledge_table').where('workspace_id', '=', workspace)
    statements.push(statement(old.where('document_id', '=', documentId)))
  }
  const now = timestamp(ctx.now())
  for (const table of found) {
    const { id, created_at } = known.find(({ title }) => title === table.title) ?? {
      id: ctx.newId('tbl'),
      created_at: now,
    }
    const { title, columns, examples, rowCount, totalRows, start, end } = table
    const row = {
      ...{ id, title, columns, knowledge_source_id: sourceId, document_id: documentId, start, end },
      ...{ rows: examples, row_count: rowCount, total_rows: totalRows, page: pageAt(document, start), revision: 1 },
      ...{ sql_name: uniqueName(table, id), created_at, updated_at: now },
    }
    const body = await compress(text.slice(start, end), { level: 1 })
    const content = ctx.db.insertInto('knowledge_table_text').values({ table_id: id, workspace_id: workspace, body })
    statements.push(tables.insertStatement(ctx.db, workspace, row), statement(content))
  }
  return statements
}

const toSource = ({ text, headings, blocks }: ParsedDocument) => ({ text, headings, ...(blocks && { blocks }) })

/** The end of its id makes the name of a table unique, and tells nothing about others of the same title. */
const uniqueName = ({ sqlName }: Table, id: string): string => `${sqlName}_${id.slice(-suffixLength)}`

const pageAt = ({ pages }: ParsedDocument, position: number): number =>
  pages.find(({ start, end }) => start <= position && position < end)?.number ?? 1

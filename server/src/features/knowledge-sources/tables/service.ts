import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import type { Column } from '@parley/tables'
import { turnKey } from '../../../kernel/caller.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { ListQuery, Page } from '../../../kernel/store/list.ts'
import type { Narrow } from '../../../kernel/store/table.ts'
import { visibleDocuments } from '../access/visible.ts'
import { sources } from '../sources.ts'
import { type TableRow, tables } from '../store.ts'
import type { TablePage } from './schema.ts'

const decompress = promisify(inflateRaw)

/** The tables of some sources, of the documents that a caller may see. */
async function visible(ctx: Context, who: Caller, sourceIds: readonly string[]): Promise<Narrow> {
  const seen = await visibleDocuments(ctx, who, sourceIds)
  return (rows) => {
    const inSources = rows.where('knowledge_source_id', 'in', sourceIds.concat(''))
    if (!seen) return inSources
    const documents = ctx.db.selectFrom('knowledge_document').select('id').where('workspace_id', '=', who.workspace)
    return inSources.where('document_id', 'in', seen(documents as never) as never)
  }
}

export async function listTables(
  ctx: Context,
  who: Caller,
  sourceId: string,
  query: ListQuery,
): Promise<Page<TableRow>> {
  await sources.get(ctx, who, sourceId)
  return tables.list(ctx.db, who.workspace, query, await visible(ctx, who, [sourceId]))
}

/** A table with a page of its rows, of those that contain `q`. */
export async function pageOfTable(
  ctx: Context,
  who: Caller,
  sourceId: string,
  id: string,
  { page, limit, q }: { page: number; limit: number; q?: string },
): Promise<TablePage> {
  await sources.get(ctx, who, sourceId)
  const [table] = await readTables(ctx, who, [sourceId], { id })
  if (!table) return notFound('table', id)
  const offset = Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER)
  const text = await readText(ctx, who.workspace, id)
  const { rows, total } = await ctx.tables.page(
    { ...table, text },
    { offset, limit, ...(q && { q }) },
    taskOptions(who),
  )
  const positions = rows.map(({ row, start, end }) => ({ row, start: table.start + start, end: table.start + end }))
  return { ...table, rows: rows.map(({ cells }) => cells), positions, matching_rows: total }
}

/** A table with its document. */
export interface SourceTable extends TableRow {
  document_name: string
  /** JSON of the document's metadata. */
  document_metadata: string
}

const batchSize = 500

interface Wanted {
  id?: string
  /** Names in SQL. */
  names?: readonly string[]
  isMatch?: (table: SourceTable) => boolean
}

/** The visible tables of some sources: the one with an id, those with these names, or all. */
export async function readTables(
  ctx: Context,
  who: Caller,
  sourceIds: readonly string[],
  wanted: Wanted = {},
): Promise<SourceTable[]> {
  const found: SourceTable[] = []
  for await (const batch of tableBatches(ctx, who, sourceIds, wanted)) found.push(...batch)
  return found
}

/** The same in batches, the newest first, because a workspace may have more tables than fit into memory. */
export async function* tableBatches(
  ctx: Context,
  who: Caller,
  sourceIds: readonly string[],
  { isMatch = () => true, ...wanted }: Wanted = {},
): AsyncGenerator<SourceTable[]> {
  if (sourceIds.length === 0 || wanted.names?.length === 0) return
  const seen = await visibleDocuments(ctx, who, sourceIds)
  let last: SourceTable | undefined
  do {
    const batch = await readBatch(ctx, who, sourceIds, wanted, seen, last)
    last = batch.length < batchSize ? undefined : batch.at(-1)
    yield batch.filter(isMatch)
  } while (last)
}

async function readBatch(
  ctx: Context,
  who: Caller,
  sourceIds: readonly string[],
  { id, names }: Wanted,
  seen: Awaited<ReturnType<typeof visibleDocuments>>,
  after: SourceTable | undefined,
): Promise<SourceTable[]> {
  const documents = ctx.db.selectFrom('knowledge_document').select('id').where('workspace_id', '=', who.workspace)
  const rows = await ctx.db
    .selectFrom('knowledge_table')
    .innerJoin('knowledge_document', 'knowledge_document.id', 'knowledge_table.document_id')
    .selectAll('knowledge_table')
    .select(['knowledge_document.name as document_name', 'knowledge_document.metadata as document_metadata'])
    .where('knowledge_table.workspace_id', '=', who.workspace)
    .where('knowledge_table.knowledge_source_id', 'in', [...sourceIds])
    .$if(id !== undefined, (query) => query.where('knowledge_table.id', '=', id ?? ''))
    .$if(names !== undefined, (query) => query.where('knowledge_table.sql_name', 'in', [...(names ?? [])]))
    .$if(seen !== undefined, (query) =>
      query.where('knowledge_table.document_id', 'in', seen?.(documents as never) as never),
    )
    .$if(after !== undefined, (query) =>
      query.where((is) =>
        is(
          is.refTuple('knowledge_table.created_at', 'knowledge_table.id'),
          '<',
          is.tuple(after?.created_at ?? '', after?.id ?? ''),
        ),
      ),
    )
    .orderBy('knowledge_table.created_at', 'desc')
    .orderBy('knowledge_table.id', 'desc')
    .limit(batchSize)
    .execute()
  return rows.map(({ workspace_id: _, ...row }) => ({
    ...row,
    columns: JSON.parse(row.columns) as Column[],
    rows: JSON.parse(row.rows) as TableRow['rows'],
    total_rows: JSON.parse(row.total_rows) as number[],
  }))
}

/** The text of a table as its document has it. */
export async function readText(ctx: Context, workspace: string, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('knowledge_table_text')
    .select('body')
    .where('workspace_id', '=', workspace)
    .where('table_id', '=', id)
    .executeTakeFirst()
  return row ? (await decompress(row.body)).toString('utf8') : notFound('table', id)
}

const taskOptions = (who: Caller) => ({ key: turnKey(who) })

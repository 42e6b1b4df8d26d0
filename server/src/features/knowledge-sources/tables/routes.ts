import type { Context } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/http/app.ts'
import { ById, Listed, listed, Paged } from '../../../kernel/http/envelope.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../../kernel/store/list.ts'
import { ByTable, KnowledgeTable, RowsQuery, TablePage } from './schema.ts'
import { listTables, pageOfTable } from './service.ts'

const tags = ['Knowledge sources']
const path = '/knowledge-sources/:id/tables'

export function tableRoutes(app: App, ctx: Context): void {
  app.get(
    path,
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: 'List the tables of a source',
        description:
          'Sheets, CSV files and tables in documents, as the last sync found them. Each shows its first three rows.',
        params: ById,
        querystring: listParameters(KnowledgeTable, ['knowledge_source_id']),
        response: { 200: Listed(KnowledgeTable) },
      },
    },
    async (request) => {
      const query = toListQuery(request.query as RawListQuery)
      return listed(await listTables(ctx, request.caller, request.params.id, query), query)
    },
  )

  app.get(
    `${path}/:table`,
    {
      config: { may: 'read-configuration' },
      schema: {
        tags,
        summary: 'Get a table with a page of its rows',
        description: '`pagination` counts the rows, or those that contain `q`.',
        params: ByTable,
        querystring: RowsQuery,
        response: { 200: Paged(TablePage) },
      },
    },
    async (request) => {
      const { id, table: which } = request.params
      const table = await pageOfTable(ctx, request.caller, id, which, request.query)
      return { ...listed({ rows: [], total: table.matching_rows }, request.query), data: table }
    },
  )
}

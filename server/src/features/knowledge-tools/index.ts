import type { TObject } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { modelErrors } from '../../kernel/errors.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { App } from '../../kernel/http/app.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { unlisted } from '../indexes/schema.ts'
import { knowledgeToolMigration } from './migrations.ts'
import {
  QueryBody,
  QueryResult,
  RagTool,
  RetrievalTool,
  SearchAnswer,
  SearchBody,
  TableQueryBody,
  TableQueryResult,
} from './schema.ts'
import * as service from './service.ts'
import { queryTables } from './tables/query.ts'
import { knowledgeToolbox } from './toolbox.ts'
import { type KnowledgeTools, ragTools, retrievalTools } from './tools.ts'

export * from './agent-tool.ts'
export * from './hidden.ts'
export * from './service.ts'

export const knowledgeTools: Feature = {
  name: 'knowledge-tools',
  needsSearch: true,
  migrations: [knowledgeToolMigration],
  resources: [ragTools, retrievalTools],
  toolboxes: [knowledgeToolbox(ragTools), knowledgeToolbox(retrievalTools)],
  routes(app, ctx) {
    toolRoutes(app, ctx, ragTools, {
      path: '/rag-tools',
      title: 'RagTool',
      tag: 'RAG tools',
      shape: RagTool,
      example: {
        name: 'Handbook',
        description: 'The employee handbook.',
        knowledge_source_id: 'src_01k9z8q4m6e3v7t2w5x8y1a4bc',
        embedding_model: 'all-MiniLM-L6-v2',
        chunk_size: 400,
        chunk_overlap: 60,
        top_k: 5,
      },
      change: { top_k: 8 },
    })
    queryRoute(app, ctx)
    toolRoutes(app, ctx, retrievalTools, {
      path: '/retrieval-tools',
      title: 'RetrievalTool',
      tag: 'Retrieval tools',
      shape: RetrievalTool,
      example: {
        name: 'All documents',
        knowledge_source_ids: ['src_01k9z8q4m6e3v7t2w5x8y1a4bc'],
        search_mode: 'hybrid',
        top_k: 10,
        rerank: 'mmr',
      },
      change: { weights: { vector: 0.4, keyword: 0.6 } },
    })
    searchRoute(app, ctx, {
      path: '/retrieval-tools/:id/search',
      tag: 'Retrieval tools',
      summary: 'Search with a retrieval tool',
      search: service.search,
    })
    searchRoute(app, ctx, {
      path: '/knowledge-sources/:id/search',
      tag: 'Knowledge sources',
      summary: 'Search a knowledge source',
      description: 'Needs no tool: it finds what a retrieval tool with default settings would find.',
      search: service.searchSource,
    })
    tableQueryRoute(app, ctx)
  },
}

interface KindOfTool {
  path: string
  title: string
  tag: string
  shape: TObject
  example: object
  change: object
}

const toolRoutes = (app: App, ctx: Context, tools: KnowledgeTools, kind: KindOfTool): void =>
  resourceRoutes(app, ctx, {
    ...kind,
    service: tools,
    computed: unlisted,
    read: 'read-configuration',
    write: 'write-configuration',
    createErrors: ['unknown_reference'],
  })

function queryRoute(app: App, ctx: Context): void {
  app.post(
    '/rag-tools/:id/query',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: ['RAG tools'],
        summary: 'Query a RAG tool',
        description:
          'Finds passages and answers from them. Every `[n]` in the answer has a citation with a literal quote from the result.',
        params: ById,
        body: QueryBody,
        response: { 200: Ok(QueryResult) },
        errors: modelErrors,
      },
    },
    async (request, reply) =>
      ok(await service.query(ctx, request.caller, request.params.id, request.body, disconnectSignal(reply))),
  )
}

interface SearchRoute {
  path: string
  tag: string
  summary: string
  description?: string
  search: typeof service.search | typeof service.searchSource
}

const searchRoute = (app: App, ctx: Context, { path, tag, search, ...texts }: SearchRoute) =>
  app.post(
    path,
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: [tag],
        ...texts,
        params: ById,
        body: SearchBody,
        response: { 200: Ok(SearchAnswer) },
        errors: modelErrors,
      },
    },
    async (request, reply) =>
      ok(await search(ctx, request.caller, request.params.id, request.body, disconnectSignal(reply))),
  )

function tableQueryRoute(app: App, ctx: Context): void {
  app.post(
    '/retrieval-tools/:id/tables/query',
    {
      config: { may: 'write-configuration' },
      schema: {
        tags: ['Retrieval tools'],
        summary: 'Query tables with SQL',
        description:
          "One reading statement on the tables of the tool's sources, as agents run it. It takes at most 5 seconds and returns at most 1,000 rows. A result cites the rows of the tables in its outermost FROM clause, in groups all rows of a group; of tables that are read in another place, all rows.",
        params: ById,
        body: TableQueryBody,
        response: { 200: Ok(TableQueryResult) },
        errors: ['invalid_sql', 'overloaded'],
      },
    },
    async (request, reply) => {
      const tool = await service.retrievalTools.getRow(ctx, request.caller, request.params.id)
      return ok(await queryTables(ctx, request.caller, tool, request.body.sql, disconnectSignal(reply)))
    },
  )
}

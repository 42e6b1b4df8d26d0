import type { Feature } from '../../kernel/feature.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { unlisted } from '../indexes/schema.ts'
import { ragToolMigration } from './migrations.ts'
import { QueryBody, QueryResult, RagTool } from './schema.ts'
import * as service from './service.ts'

export * from './service.ts'

export const ragTools: Feature = {
  name: 'rag-tools',
  needsSearch: true,
  migrations: [ragToolMigration],
  resources: [service.ragTools],
  toolbox: service.toolbox,
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/rag-tools',
      title: 'RagTool',
      tag: 'RAG tools',
      shape: RagTool,
      computed: unlisted,
      service: service.ragTools,
      read: 'read-configuration',
      write: 'write-configuration',
      createErrors: ['unknown_reference'],
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
          errors: ['budget_exceeded', 'provider_error', 'provider_timeout'],
        },
      },
      async (request, reply) => {
        const signal = disconnectSignal(reply)
        return ok(await service.query(ctx, request.caller, request.params.id, request.body, signal))
      },
    )
  },
}

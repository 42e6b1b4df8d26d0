import type { Feature } from '../../kernel/feature.ts'
import { disconnectSignal } from '../../kernel/http/disconnect-signal.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { unlisted } from '../indexes/schema.ts'
import { retrievalToolMigration } from './migrations.ts'
import { RetrievalTool, SearchAnswer, SearchBody } from './schema.ts'
import * as service from './service.ts'

export * from './service.ts'

export const retrievalTools: Feature = {
  name: 'retrieval-tools',
  needsSearch: true,
  migrations: [retrievalToolMigration],
  resources: [service.retrievalTools],
  toolbox: service.toolbox,
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/retrieval-tools',
      title: 'RetrievalTool',
      tag: 'Retrieval tools',
      shape: RetrievalTool,
      computed: unlisted,
      service: service.retrievalTools,
      read: 'read-configuration',
      write: 'write-configuration',
      createErrors: ['unknown_reference'],
      example: {
        name: 'All documents',
        knowledge_source_ids: ['src_01k9z8q4m6e3v7t2w5x8y1a4bc'],
        search_mode: 'hybrid',
        top_k: 10,
        rerank: 'mmr',
      },
      change: { weights: { vector: 0.4, keyword: 0.6 } },
    })

    app.post(
      '/retrieval-tools/:id/search',
      {
        config: { may: 'write-configuration' },
        schema: {
          tags: ['Retrieval tools'],
          summary: 'Search with a retrieval tool',
          params: ById,
          body: SearchBody,
          response: { 200: Ok(SearchAnswer) },
          errors: ['budget_exceeded', 'provider_error', 'provider_timeout'],
        },
      },
      async (request, reply) => {
        const signal = disconnectSignal(reply)
        return ok(await service.search(ctx, request.caller, request.params.id, request.body, signal))
      },
    )
  },
}

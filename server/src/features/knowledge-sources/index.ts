import type { Feature } from '../../kernel/feature.ts'
import { mebibyte } from '../../kernel/http/app.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { knowledgeDocumentMigration, knowledgeSourceMigration, knowledgeSyncMigration } from './migrations.ts'
import { KnowledgeSource, KnowledgeSourceListItem } from './schema.ts'
import * as service from './service.ts'

export const knowledgeSources: Feature = {
  name: 'knowledge-sources',
  migrations: [knowledgeSourceMigration, knowledgeDocumentMigration, knowledgeSyncMigration],
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/knowledge-sources',
      title: 'KnowledgeSource',
      tag: 'Knowledge sources',
      shape: KnowledgeSource,
      listShape: KnowledgeSourceListItem,
      service: service.sources,
      read: 'read-configuration',
      write: 'write-configuration',
      createErrors: ['egress_blocked'],
      bodyLimit: 16 * mebibyte,
      example: {
        name: 'Handbook',
        type: 'file',
        configuration: { file_types: ['pdf', 'txt', 'md'], max_file_size: 10 * mebibyte },
      },
    })
  },
}

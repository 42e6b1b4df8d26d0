import { LRUCache } from 'lru-cache'
import { type Access, withoutAccess } from '../../kernel/access.ts'
import type { Feature } from '../../kernel/feature.ts'
import { mebibyte } from '../../kernel/http/app.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { accessOfPerson } from './access/erase.ts'
import { documentRoutes } from './documents/routes.ts'
import { sweepFiles } from './files/stored-files.ts'
import { type Indexer, noIndexer } from './indexer.ts'
import { defineJobs, stopSyncs } from './jobs.ts'
import { knowledgeMigration, tableNamesMigration, totalRowsMigration } from './migrations.ts'
import { KnowledgeSourceListItem, KnowledgeSourceView } from './schema.ts'
import * as service from './service.ts'
import { sources } from './sources.ts'
import { syncRoutes } from './syncs/routes.ts'
import { tableRoutes } from './tables/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'

export * from './access/visible.ts'
export * from './contents.ts'
export * from './files/stored-files.ts'
export * from './indexer.ts'
export * from './schema.ts'
export * from './service.ts'
export * from './syncs/service.ts'
export * from './tables/service.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    'knowledge-sources': {
      stop: AbortController
      indexer: Indexer
      /** Accesses by their key, which is a hash. */
      accesses: LRUCache<string, Access>
    }
  }
}

export const knowledgeSources: Feature = {
  name: 'knowledge-sources',
  needsSearch: true,
  migrations: [knowledgeMigration, totalRowsMigration, tableNamesMigration],
  resources: [sources],
  personalData: [accessOfPerson],
  state: () => ({ stop: new AbortController(), indexer: noIndexer, accesses: new LRUCache({ max: 10_000 }) }),
  jobs: defineJobs,
  async prepare(ctx) {
    // No other process uses an embedded database, so interrupted uploads are lost.
    if (ctx.engine === 'sqlite') await sweepFiles(ctx, Number.POSITIVE_INFINITY)
  },
  async close(ctx) {
    stopSyncs(ctx)
  },

  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/knowledge-sources',
      title: 'KnowledgeSource',
      tag: 'Knowledge sources',
      shape: KnowledgeSourceView,
      listShape: KnowledgeSourceListItem,
      service: service.knowledgeSources,
      present: withoutAccess,
      computed: ['index', 'coverage'],
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
    uploadRoutes(app, ctx)
    documentRoutes(app, ctx)
    syncRoutes(app, ctx)
    tableRoutes(app, ctx)
  },
}

import type { Feature } from '../../kernel/feature.ts'
import { enterIndexer } from '../knowledge-sources/indexer.ts'
import { indexes as indexer } from './indexing.ts'
import { defineJobs } from './jobs.ts'
import { indexMigration } from './migrations.ts'
import { loadRecent } from './searching.ts'

enterIndexer(indexer)

/** What the search holds: indexes over knowledge sources, built and kept up in the background. */
export const indexes: Feature = {
  name: 'indexes',
  migrations: [indexMigration],
  busyTables: ['search_index', 'search_index_source', 'search_index_use'],
  jobs: defineJobs,
  async prepare(ctx) {
    void loadRecent(ctx).catch((error) => ctx.log.warn({ err: error }, 'an index could not be loaded'))
  },
}

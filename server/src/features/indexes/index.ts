import type { Feature } from '../../kernel/feature.ts'
import { indexes as indexer } from './indexing.ts'
import { defineJobs } from './jobs.ts'
import { indexMigration } from './migrations.ts'
import { rebuildLost } from './recovery.ts'
import { loadRecent } from './searching.ts'
import { createState, type IndexesState } from './state.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    indexes: IndexesState
  }
}

/** What the search holds: indexes over knowledge sources, built and kept up in the background. */
export const indexes: Feature = {
  name: 'indexes',
  migrations: [indexMigration],
  state(ctx) {
    ctx.state['knowledge-sources'].indexer = indexer
    return createState()
  },
  jobs: defineJobs,
  async prepare(ctx) {
    const warn = (error: unknown) => ctx.log.warn({ err: error }, 'an index could not be loaded')
    // In a cluster the nodes share the word of an index, but not the file that holds it.
    if (ctx.engine === 'sqlite') await rebuildLost(ctx).catch(warn)
    void loadRecent(ctx).catch(warn)
  },
}

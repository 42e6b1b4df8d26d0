import type { Feature } from '../../kernel/feature.ts'
import { indexer } from './building/indexer.ts'
import { rebuildLostIndexes } from './building/recovery.ts'
import { defineJobs } from './jobs.ts'
import { indexMigration } from './migrations.ts'
import { loadRecentIndexes } from './search.ts'
import { createState, type IndexesState } from './state.ts'

export * from './embedding.ts'
export * from './schema.ts'
export * from './search.ts'
export * from './service.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    indexes: IndexesState
  }
}

/** Search indexes over knowledge sources, built and updated in the background. */
export const indexes: Feature = {
  name: 'indexes',
  migrations: [indexMigration],
  state(ctx) {
    ctx.state['knowledge-sources'].indexer = indexer
    return createState(ctx)
  },
  jobs: defineJobs,
  async prepare(ctx) {
    const warn = (error: unknown) => ctx.log.warn({ err: error }, 'an index could not be loaded')
    if (ctx.search.problem !== null) return
    await rebuildLostIndexes(ctx).catch(warn)
    void loadRecentIndexes(ctx).catch(warn)
  },
}

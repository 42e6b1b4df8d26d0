import type { Thread } from '@parley/threads'
import type { Feature } from '../../kernel/feature.ts'
import { evaluationMigration, restsOnMigration, unpricedResultsMigration } from './migrations.ts'
import { testCasesOfPerson } from './personal-data.ts'
import { routes } from './routes.ts'
import { defineJobs, drain } from './runs/jobs.ts'
import { createMatcher } from './scorers/regex.ts'
import type { RegexMethods } from './scorers/regex-worker.ts'
import { evaluations as service } from './service.ts'

export * from './cases/from-message.ts'
export * from './runs/service.ts'
export * from './schema.ts'
export * from './scorers/apply.ts'
export * from './scorers/json-schema.ts'
export * from './scorers/scorer.ts'
export * from './scorers/scorers.ts'
export * from './service.ts'
export * from './statistics.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    evaluations: {
      /** The run jobs of this process. */
      running: Set<Promise<void>>
      /** Whether the service is closing, so that no further case may start. */
      draining: boolean
      matcher: Thread<RegexMethods>
    }
  }
}

export const evaluations: Feature = {
  name: 'evaluations',
  migrations: [evaluationMigration, restsOnMigration, unpricedResultsMigration],
  resources: [service],
  personalData: [{ table: 'evaluation_run', person: 'started_by', identity: true, erased: {} }, testCasesOfPerson],
  state: () => ({ running: new Set(), draining: false, matcher: createMatcher() }),
  jobs: defineJobs,
  async close(ctx, timeout) {
    await drain(ctx, timeout)
    await ctx.state.evaluations.matcher.stop()
  },
  routes,
}

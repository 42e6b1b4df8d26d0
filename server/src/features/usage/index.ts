import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { billLostCalls } from './calls-under-way.ts'
import { defineJobs, releaseLost, startBeating } from './jobs.ts'
import type { UsageRow } from './ledger.ts'
import { sendUnsent } from './meter.ts'
import { cacheMigration, unpricedMigration, usageMigration } from './migrations.ts'
import { usageOfPerson } from './personal-data.ts'
import type { RollupRow } from './rollup.ts'
import { CostsQuery, UsageCosts, UsageQuery, UsageStats, UsageThreshold } from './schema.ts'
import { costs, stats } from './service.ts'
import { createState, type UsageState } from './state.ts'
import { computed, thresholds } from './thresholds.ts'

export * from './allowance.ts'
export * from './budget.ts'
export * from './calls-under-way.ts'
export * from './cost.ts'
export * from './ledger.ts'
export * from './meter.ts'
export * from './rollup.ts'
export * from './schema.ts'
export * from './unpriced.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    usage_record: UsageRow
    usage_rollup: RollupRow
  }
}

declare module '../../kernel/context.ts' {
  interface FeatureState {
    usage: UsageState
  }
}

const config = { may: 'read-configuration' } as const
const tags = ['Usage and analytics']

export const usage: Feature = {
  name: 'usage',
  migrations: [usageMigration, cacheMigration, unpricedMigration],
  resources: [thresholds],
  personalData: [usageOfPerson],
  state: createState,
  jobs: defineJobs,
  async prepare(ctx) {
    await billLostCalls(ctx, 'ledger')
    // No other process uses an embedded database, so all reservations are left over.
    if (ctx.engine === 'sqlite') await releaseLost(ctx, Number.MAX_SAFE_INTEGER)
    startBeating(ctx)
  },
  async close(ctx) {
    ctx.state.usage.stopBeating()
    await sendUnsent(ctx).catch((error) => ctx.log.warn({ err: error }, 'model calls are billed by the next start'))
  },

  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/usage/thresholds',
      title: 'UsageThreshold',
      tag: 'Usage and analytics',
      shape: UsageThreshold,
      computed,
      service: thresholds,
      read: 'read-configuration',
      write: 'administer',
      createErrors: ['unknown_reference'],
      example: { name: 'No more than $50 a month', metric: 'cost', limit: 50, window: 'month', action: 'block' },
      change: { limit: 80 },
    })

    app.get(
      '/usage/stats',
      {
        config,
        schema: {
          tags,
          summary: 'Tokens and cost by model and by what used them',
          querystring: UsageQuery,
          response: { 200: Ok(UsageStats) },
        },
      },
      async (request) => ok(await stats(ctx, request.caller, request.query)),
    )
    app.get(
      '/usage/costs',
      {
        config,
        schema: {
          tags,
          summary: 'Cost in total, by model, by what caused it and by day',
          querystring: CostsQuery,
          response: { 200: Ok(UsageCosts) },
        },
      },
      async (request) => ok(await costs(ctx, request.caller, request.query)),
    )
  },
}

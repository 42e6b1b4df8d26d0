import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import type { UsageRow } from './ledger.ts'
import { usageMigration } from './migrations.ts'
import { UsageCosts, UsageQuery, UsageStats } from './schema.ts'
import { costs, stats } from './service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    usage_record: UsageRow
  }
}

const config = { may: 'read-configuration' } as const
const tags = ['Usage and analytics']

export const usage: Feature = {
  name: 'usage',
  migrations: [usageMigration],
  routes(app, ctx) {
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
          querystring: UsageQuery,
          response: { 200: Ok(UsageCosts) },
        },
      },
      async (request) => ok(await costs(ctx, request.caller, request.query)),
    )
  },
}

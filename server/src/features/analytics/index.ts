import type { Feature } from '../../kernel/feature.ts'
import { Ok, ok } from '../../kernel/http/envelope.ts'
import { minute } from '../../kernel/time.ts'
import { assignTopics } from '../conversations/statistics/topics.ts'
import { AnalyticsQuery, ConversationAnalytics } from './schema.ts'
import { analyse } from './service.ts'

export * from './period.ts'

const maxTopicsPerRun = 10_000

export const analytics: Feature = {
  name: 'analytics',
  jobs(ctx) {
    ctx.jobs.define({
      queue: 'analytics.topics',
      every: minute,
      run: async () => void (await assignTopics(ctx, maxTopicsPerRun)),
    })
  },
  routes(app, ctx) {
    app.get(
      '/analytics/conversations',
      {
        config: { may: 'read-configuration' },
        schema: {
          tags: ['Usage and analytics'],
          summary: 'What happened in the conversations of a period',
          description:
            'Tokens, cost, errors and feedback count every reply, also one that was regenerated; messages count what the conversations show. A reply counts once it has ended.',
          querystring: AnalyticsQuery,
          response: { 200: Ok(ConversationAnalytics) },
        },
      },
      async (request) => ok(await analyse(ctx, request.caller, request.query)),
    )
  },
}

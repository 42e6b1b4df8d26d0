import { Type } from 'typebox'
import type { Feature } from '../../kernel/feature.ts'
import { ById, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readShape } from '../../kernel/schema.ts'
import { second } from '../../kernel/time.ts'
import { reviewMigration } from './migrations.ts'
import { onFeedback, queueFailures } from './queue.ts'
import { exchangeFields, Review, ReviewVerdict } from './schema.ts'
import { reviews as service } from './service.ts'

export * from './queue.ts'
export * from './service.ts'

const tag = 'Reviews'
const example = { message_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc' }

/** A queue of replies that people look at. */
export const reviews: Feature = {
  name: 'reviews',
  migrations: [reviewMigration],
  personalData: [
    {
      table: 'review',
      person: 'assigned_to',
      erased: { changedAt: 'updated_at' },
      counted: 'reviews',
    },
    {
      table: 'review',
      person: 'reviewed_by',
      exported: {
        file: 'reviews.jsonl',
        columns: ['id', 'conversation_id', 'message_id', 'verdict', 'expected_output', 'comment', 'reviewed_at'],
      },
      erased: { emptied: ['comment'], changedAt: 'updated_at' },
      counted: 'reviews',
    },
    { table: 'review', person: 'reviewed_by', identity: true, erased: {} },
  ],
  jobs(ctx) {
    ctx.state.conversations.onFeedback = (row, rating) => onFeedback(ctx, row, rating)
    ctx.jobs.define({ queue: 'reviews.failures', every: 30 * second, run: ({ signal }) => queueFailures(ctx, signal) })
  },

  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/reviews',
      title: 'Review',
      tag,
      shape: Review,
      service,
      computed: exchangeFields,
      read: 'read-configuration',
      write: 'write-configuration',
      createErrors: ['unknown_reference'],
      example,
      change: { assigned_to: 'ada' },
    })

    app.post(
      '/reviews/:id',
      {
        config: { may: 'write-configuration' },
        schema: {
          tags: [tag],
          summary: 'Review a reply',
          description: 'Stores the verdict and ends the review. Sent again, it replaces the verdict.',
          params: ById,
          body: ReviewVerdict,
          response: { 200: Ok(Type.Unsafe<object>({ ...readShape(Review), examples: [example] })) },
          errors: ['unknown_reference'],
        },
      },
      async (request) => ok(await service.decide(ctx, request.caller, request.params.id, request.body)),
    )
  },
}

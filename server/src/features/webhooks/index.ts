import { Type } from 'typebox'
import type { Feature } from '../../kernel/feature.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readShape } from '../../kernel/schema.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { defineJobs, lanesFor, takeUpAgain } from './jobs.ts'
import type { Lanes } from './lanes.ts'
import { previousSecretsMigration, webhookMigration } from './migrations.ts'
import { ByDelivery, Delivery, Webhook, WebhookWithSecret } from './schema.ts'
import * as service from './service.ts'
import { removeDeliveries } from './store.ts'

declare module '../../kernel/context.ts' {
  interface FeatureState {
    webhooks: { lanes: Lanes }
  }
}

const tags = ['Webhooks']

export const webhooks: Feature = {
  name: 'webhooks',
  migrations: [webhookMigration, previousSecretsMigration],
  resources: [service.webhooks],
  retention: [{ what: 'webhook deliveries', remove: removeDeliveries }],
  events: service.queueDeliveries,
  state: (ctx) => ({ lanes: lanesFor(ctx) }),
  jobs: defineJobs,
  prepare: takeUpAgain,
  close: (ctx, patience) => ctx.state.webhooks.lanes.close(patience),
  routes(app, ctx) {
    resourceRoutes(app, ctx, {
      path: '/webhooks',
      title: 'Webhook',
      tag: 'Webhooks',
      shape: Webhook,
      createdShape: WebhookWithSecret,
      service: service.webhooks,
      read: 'read-configuration',
      write: 'administer',
      createErrors: ['egress_blocked'],
      example: {
        url: 'https://example.com/hooks/parley',
        events: ['conversation.completed'],
        description: 'To the CRM',
      },
      change: { enabled: false },
    })

    app.post(
      '/webhooks/:id/rotate-secret',
      {
        config: { may: 'administer' },
        schema: {
          tags,
          summary: 'Give a webhook a new secret',
          description:
            'The new secret is in this answer only. For 24 hours deliveries are signed with the old one as well.',
          params: ById,
          response: { 200: Ok(Type.Unsafe<object>(readShape(WebhookWithSecret))) },
        },
      },
      async (request) => ok(await service.rotateSecret(ctx, request.caller, request.params.id)),
    )

    app.post(
      '/webhooks/:id/test',
      {
        config: { may: 'administer' },
        schema: {
          tags,
          summary: 'Send a test event',
          description: 'Sends `webhook.test` at once, whatever the webhook listens to, and tells what came of it.',
          params: ById,
          response: { 200: Ok(Delivery) },
        },
      },
      async (request) => ok(await service.sendTest(ctx, request.caller, request.params.id)),
    )

    app.get(
      '/webhooks/:id/deliveries',
      {
        config: { may: 'read-configuration' },
        schema: {
          tags,
          summary: 'List the deliveries of a webhook',
          params: ById,
          querystring: listParameters(Delivery, ['webhook_id', 'request_body', 'response_body']),
          response: { 200: Listed(Delivery) },
        },
      },
      async (request) => {
        const query = toListQuery(request.query as RawListQuery)
        return listed(await service.listDeliveries(ctx, request.caller, request.params.id, query), query)
      },
    )

    app.post(
      '/webhooks/:id/deliveries/:delivery/redeliver',
      {
        config: { may: 'administer' },
        schema: {
          tags,
          summary: 'Send an event once more',
          description: 'Under the same `webhook-id`, at once and then on the usual schedule.',
          params: ByDelivery,
          response: { 200: Ok(Delivery) },
        },
      },
      async (request) => {
        const { id, delivery } = request.params
        return ok(await service.redeliver(ctx, request.caller, id, delivery))
      },
    )
  },
}

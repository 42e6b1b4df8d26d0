import { Type } from 'typebox'
import type { Context } from '../../kernel/context.ts'
import type { App } from '../../kernel/http/app.ts'
import { ById, Listed, listed, Ok, ok } from '../../kernel/http/envelope.ts'
import { resourceRoutes } from '../../kernel/http/resource-routes.ts'
import { readShape } from '../../kernel/schema.ts'
import { listParameters, type RawListQuery, toListQuery } from '../../kernel/store/list.ts'
import { ByDelivery, Delivery, Webhook, WebhookWithSecret } from './schema.ts'
import * as service from './service.ts'

const tags = ['Webhooks']

export function routes(app: App, ctx: Context): void {
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
        summary: 'Rotate the secret of a webhook',
        description:
          'Only this response contains the new secret. Deliveries are also signed with the old one for 24 hours.',
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
        description: 'Sends `webhook.test` immediately, whatever events the webhook has, and returns the delivery.',
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
        summary: 'Redeliver an event',
        description: 'Sends it immediately with the same `webhook-id`, then retries on the usual schedule.',
        params: ByDelivery,
        response: { 200: Ok(Delivery) },
      },
    },
    async (request) => {
      const { id, delivery } = request.params
      return ok(await service.redeliver(ctx, request.caller, id, delivery))
    },
  )
}

import { type Static, Type } from 'typebox'
import { eventTypes } from '../../kernel/events.ts'
import {
  Choice,
  Description,
  identity,
  Nullable,
  ReadOnly,
  Timestamp,
  timestamps,
  WriteOnly,
} from '../../kernel/schema.ts'

const Secret = Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'] })

export const Webhook = Type.Object(
  {
    ...identity('whk'),
    url: Type.String({ minLength: 1, maxLength: 2000, description: 'Events are sent here by POST.' }),
    events: Type.Array(Choice(['*', ...eventTypes]), {
      minItems: 1,
      maxItems: eventTypes.length + 1,
      uniqueItems: true,
      description: 'The events to send; `*` for all.',
    }),
    description: Description,
    enabled: Type.Boolean({ default: true, description: 'Events that occur while it is false are not sent later.' }),
    disabled_reason: ReadOnly(Nullable(Type.String({ description: 'Why the service disabled it.' }))),
    failing_since: ReadOnly(Nullable(Timestamp)),
    // Only create and rotate return it. It is ignored on write.
    secret: ReadOnly(WriteOnly(Secret)),
    ...timestamps,
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const WebhookWithSecret = Type.Object(
  { ...Webhook.properties, secret: { ...Secret, description: 'Signs every delivery. It is not shown again.' } },
  {
    title: 'WebhookWithSecret',
    examples: [{ url: 'https://example.com/hooks/parley', events: ['conversation.completed'] }],
  },
)

const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

export const Delivery = Type.Object(
  {
    ...identity('dlv'),
    webhook_id: Type.String(),
    event_id: Type.String({ description: 'The `webhook-id` header, the same in every attempt.' }),
    event: Choice(eventTypes),
    status: Choice(deliveryStatuses),
    attempts: Type.Integer({ description: 'How many times it was sent.' }),
    next_attempt_at: Nullable(Timestamp),
    last_attempt_at: Nullable(Timestamp),
    delivered_at: Nullable(Timestamp),
    request_body: Nullable(
      Type.String({ description: 'The exact body. Null for viewers, who may not see all that events are about.' }),
    ),
    response_status: Nullable(Type.Integer()),
    response_body: Nullable(Type.String({ description: 'The start of the last response. Null for viewers.' })),
    error: Nullable(Type.String({ description: 'Why the last attempt failed.' })),
    latency_ms: Nullable(Type.Integer()),
    ...timestamps,
  },
  {
    title: 'WebhookDelivery',
    examples: [
      {
        event: 'webhook.test',
        request_body: '{"type":"webhook.test","timestamp":"2026-01-31T12:00:00Z","data":{}}',
        status: 'delivered',
        last_attempt_at: '2026-01-31T12:00:00Z',
        delivered_at: '2026-01-31T12:00:00Z',
        response_status: 204,
        latency_ms: 120,
      },
    ],
  },
)
export type Delivery = Static<typeof Delivery>

export const ByDelivery = Type.Object({ id: Type.String(), delivery: Type.String() })

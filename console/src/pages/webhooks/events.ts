import type { Schemas } from '@parley/client'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']
export type EventName = Webhook['events'][number]

/** What can be heard of, in words. */
export const events: { value: Exclude<EventName, '*' | 'webhook.test'>; label: string }[] = [
  { value: 'conversation.completed', label: 'A conversation was completed' },
  { value: 'evaluation.finished', label: 'An evaluation has run' },
  { value: 'usage.threshold_exceeded', label: 'A budget was reached' },
  { value: 'knowledge_source.synced', label: 'A knowledge source was read again' },
]

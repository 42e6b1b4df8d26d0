import type { Schemas } from '@parley/client'

export type Webhook = Schemas['Webhook']
export type Delivery = Schemas['WebhookDelivery']
export type EventName = Webhook['events'][number]

/** The events a webhook can subscribe to. */
export const events: { value: Exclude<EventName, '*' | 'webhook.test'>; label: string }[] = [
  { value: 'approval.required', label: 'Approval required' },
  { value: 'connection.required', label: 'Account required' },
  { value: 'input.required', label: 'Answer required' },
  { value: 'conversation.completed', label: 'Conversation completed' },
  { value: 'evaluation.finished', label: 'Evaluation finished' },
  { value: 'usage.threshold_exceeded', label: 'Budget reached' },
  { value: 'knowledge_source.synced', label: 'Knowledge source synced' },
  { value: 'monitor.alert', label: 'Monitor alert' },
  { value: 'schedule.run_finished', label: 'Run of a schedule finished' },
  { value: 'schedule.paused', label: 'Schedule paused' },
  { value: 'trigger.run_finished', label: 'Run of a trigger finished' },
]

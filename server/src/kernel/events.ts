import type { Db } from './store/database.ts'

/** The domain events that webhooks can subscribe to. */
export const eventTypes = [
  'approval.required',
  'connection.required',
  'input.required',
  'conversation.completed',
  'evaluation.finished',
  'usage.threshold_exceeded',
  'knowledge_source.synced',
  'monitor.alert',
  'schedule.run_finished',
  'schedule.paused',
  'trigger.run_finished',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

export interface DomainEvent {
  workspace: string
  type: EventType
  data: Record<string, unknown>
}

export interface Events {
  /** Passes an event to every feature that receives events, in the transaction that causes it. */
  publish(tx: Db, event: DomainEvent): Promise<void>
}

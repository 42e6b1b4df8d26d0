import type { Context } from './context.ts'
import type { Db } from './store/database.ts'

/** What happens in the service that others may want to hear of. */
export const eventTypes = [
  'conversation.completed',
  'evaluation.finished',
  'usage.threshold_exceeded',
  'knowledge_source.synced',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

export interface DomainEvent {
  workspace: string
  type: EventType
  data: Record<string, unknown>
}

/** Takes an event down in the transaction that causes it, so that none is lost in a crash and none is told that did not happen. */
export type EventSink = (ctx: Context, tx: Db, event: DomainEvent) => Promise<void>

export interface Events {
  /** Passes an event to every feature that receives events, in the transaction that causes it. */
  publish(tx: Db, event: DomainEvent): Promise<void>
}

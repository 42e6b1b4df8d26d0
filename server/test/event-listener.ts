import type { DomainEvent } from '../src/kernel/events.ts'
import type { Feature } from '../src/kernel/feature.ts'

/** A feature that records domain events. */
export function eventListener(): { feature: Feature; events: DomainEvent[] } {
  const events: DomainEvent[] = []
  return { feature: { name: 'event-listener', events: async (_ctx, _tx, event) => void events.push(event) }, events }
}

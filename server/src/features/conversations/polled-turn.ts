import type { Context } from '../../kernel/context.ts'
import { second } from '../../kernel/time.ts'
import type { MessageRow } from './message-row.ts'
import { findMessage } from './store.ts'
import { type EventSource, endEvent, type Item, isOver, itemEvent, itemsOf, startedEvent } from './turn-events.ts'

const lookEvery = second / 5

/** A turn that runs on another node: what that node has written down of it, as it grows. */
export function followElsewhere(ctx: Context, first: MessageRow): EventSource {
  let row = first
  let items: Item[] = itemsOf(first)
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    const found = await findMessage(ctx.db, first.workspace_id, first.conversation_id, first.id).catch(() => row)
    row = found ?? { ...row, status: 'cancelled' } // its conversation was deleted
    items = itemsOf(row)
    for (const listener of listeners) listener()
    if (row.status === 'running' && listeners.size > 0) timer = setTimeout(look, lookEvery)
  }
  return {
    get length() {
      return items.length + (isOver(row) ? 2 : 1)
    },
    get ended() {
      return row.status !== 'running'
    },
    at(sequence) {
      if (sequence === 1) return startedEvent(row)
      const item = items[sequence - 2]
      return item === undefined ? endEvent(row) : itemEvent(item, row.tool_calls)
    },
    subscribe(listener) {
      listeners.add(listener)
      timer ??= setTimeout(look, lookEvery)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}

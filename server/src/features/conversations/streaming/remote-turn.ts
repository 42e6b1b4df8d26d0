import type { Context } from '../../../kernel/context.ts'
import { second } from '../../../kernel/time.ts'
import type { MessageRow } from '../message-row.ts'
import { findMessage } from '../store.ts'
import { type EventSource, eventAt, eventCount, isOver, itemsOf } from './events.ts'

const pollEvery = second / 5

/** Follows a turn that runs on another node, by reading what that node has stored of it. */
export function followRemoteTurn(ctx: Context, first: MessageRow): EventSource {
  let row = first
  let items = itemsOf(first)
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const poll = async () => {
    const found = await findMessage(ctx.db, first.workspace_id, first.conversation_id, first.id).catch(() => row)
    row = found ?? { ...row, status: 'cancelled' } // its conversation was deleted
    items = itemsOf(row)
    for (const listener of listeners) listener()
    if (row.status === 'running' && listeners.size > 0) timer = setTimeout(poll, pollEvery)
  }
  return {
    get length() {
      return eventCount(items, isOver(row))
    },
    get ended() {
      return row.status !== 'running'
    },
    at: (sequence) => eventAt(row, items, sequence),
    subscribe(listener) {
      listeners.add(listener)
      timer ??= setTimeout(poll, pollEvery)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) clearTimeout(timer)
      }
    },
  }
}

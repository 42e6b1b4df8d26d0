import type { Context } from '../../kernel/context.ts'
import type { ConversationCompleted } from '../../kernel/event-payloads.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { readLater } from './memory/queue.ts'
import { conversationTotals } from './totals.ts'

interface Which {
  workspace: string
  id: string
  reason: ConversationCompleted['reason']
  /** Only if there was no activity since then (milliseconds). */
  idleSince?: number
}

/** Completes a conversation without a running reply, and publishes the event. Returns false when there was nothing to do. */
export async function completeNow(ctx: Context, tx: Db, { workspace, id, reason, idleSince }: Which): Promise<boolean> {
  const completed_at = timestamp(ctx.now())
  let open = tx
    .updateTable('conversation')
    .set((is) => ({ status: 'completed' as const, updated_at: completed_at, revision: is('revision', '+', 1) }))
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('running_message_id', 'is', null)
  if (idleSince !== undefined) open = open.where('active_at', '<', idleSince)
  const row = await open
    .returning(['agent_id', 'user_id', 'title', 'metadata', 'created_at'])
    .returning(['memory', 'parent_message_id', 'evaluation_id', 'version_agent_id', 'agent_version'])
    .executeTakeFirst()
  if (!row) return false
  await readLater(ctx, tx, { ...row, id, workspace })
  const { agent_id, user_id, title, created_at } = row
  const metadata = JSON.parse(row.metadata as unknown as string) as Record<string, string>
  const totals = await conversationTotals(tx, workspace, id)
  const about = { conversation_id: id, agent_id, user_id, title, reason }
  const data: ConversationCompleted = { ...about, ...totals, metadata, created_at, completed_at }
  await ctx.events.publish(tx, { workspace, type: 'conversation.completed', data })
  return true
}

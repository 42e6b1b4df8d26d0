import type { Context } from '../../kernel/context.ts'
import { minute, second, timestamp } from '../../kernel/time.ts'
import { turnsOf } from './turns.ts'

const deadAfter = 30 * second

/** A turn whose process is gone keeps what was written down of it, and its conversation is free again. */
export async function recoverTurns(ctx: Context, silentSince: number): Promise<void> {
  const lost = await ctx.db
    .selectFrom('message')
    .select(['id', 'conversation_id', 'workspace_id'])
    .where('status', '=', 'running')
    .where('alive_at', '<=', silentSince)
    .execute()
  for (const { id, conversation_id, workspace_id } of lost) {
    if (turnsOf(ctx).find(id)) continue
    const gone = {
      status: 'interrupted',
      finish_reason: 'interrupted',
      error: 'The service stopped while it was answering.',
    }
    await ctx.commits.commit([
      ctx.statements.update('message', gone, { id, workspace_id, status: 'running' }),
      ctx.statements.update(
        'conversation',
        { running_message_id: null, last_message_id: id },
        { id: conversation_id, workspace_id, running_message_id: id },
      ),
    ])
  }
}

/** Conversations that nobody has spoken in for long are completed. */
async function completeIdle(ctx: Context): Promise<void> {
  const { now, config } = ctx
  await ctx.db
    .updateTable('conversation')
    .set((is) => ({ status: 'completed' as const, updated_at: timestamp(now()), revision: is('revision', '+', 1) }))
    .where('status', '=', 'active')
    .where('running_message_id', 'is', null)
    .where('active_at', '<', now() - config.conversationIdleMinutes * minute)
    .execute()
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({ queue: 'conversations.complete-idle', every: 30 * second, run: () => completeIdle(ctx) })
  ctx.jobs.define({
    queue: 'conversations.recover',
    every: 15 * second,
    run: () => recoverTurns(ctx, ctx.now() - deadAfter),
  })
}

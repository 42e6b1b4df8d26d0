import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { hour, minute } from '../../kernel/time.ts'
import { removeWaitingIn } from '../runs/waiting.ts'
import { expireApprovals } from './approvals/expiry.ts'
import { expireNeeds } from './approvals/needs.ts'
import { completeNow } from './completion.ts'
import { defineFileJobs } from './files/jobs.ts'
import { readingQueue } from './memory/queue.ts'
import { readConversation } from './memory/read-conversation.ts'
import { indexMessages } from './search/index-messages.ts'

/** The number of conversations completed in one transaction. It is small because other writers wait meanwhile. */
const completedAtOnce = 50
const removedAtOnce = 100

/** Completes conversations that have been idle for long. */
async function completeIdle(ctx: Context): Promise<void> {
  const idleSince = ctx.now() - ctx.config.conversationIdleMinutes * minute
  for (;;) {
    const idle = await ctx.db
      .selectFrom('conversation')
      .select(['id', 'workspace_id'])
      .where('status', '=', 'active')
      .where('running_message_id', 'is', null)
      .where('evaluation_id', 'is', null)
      .where('active_at', '<', idleSince)
      .limit(completedAtOnce)
      .execute()
    if (idle.length === 0) return
    await inTransaction(ctx.db, async (tx) => {
      for (const { id, workspace_id } of idle)
        await completeNow(ctx, tx, { workspace: workspace_id, id, reason: 'idle', idleSince })
    })
  }
}

/** Removes conversations without activity since `before`, with their messages. Returns how many there were. */
export async function removeOldConversations(ctx: Context, before: number): Promise<number> {
  const old = await ctx.db
    .selectFrom('conversation')
    .select('id')
    .where('active_at', '<', before)
    .limit(removedAtOnce)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return 0
  await inTransaction(ctx.db, async (tx) => {
    await removeWaitingIn(tx, ids)
    await tx.deleteFrom('conversation').where('id', 'in', ids).where('active_at', '<', before).execute()
  })
  for (const id of ids) ctx.state.conversations.histories.invalidate(id)
  return ids.length
}

export function defineJobs(ctx: Context): void {
  defineFileJobs(ctx)
  ctx.jobs.define({
    queue: readingQueue,
    attempts: 3,
    retryDelay: hour,
    run: (job) => readConversation(ctx, job),
  })
  ctx.jobs.define({ queue: 'conversations.complete-idle', every: minute, run: () => completeIdle(ctx) })
  ctx.jobs.define({ queue: 'conversations.expire-approvals', every: minute, run: () => expireApprovals(ctx) })
  ctx.jobs.define({ queue: 'conversations.expire-needs', every: minute, run: () => expireNeeds(ctx) })
  ctx.jobs.define({ queue: 'conversations.index', every: minute, run: ({ signal }) => indexMessages(ctx, { signal }) })
}

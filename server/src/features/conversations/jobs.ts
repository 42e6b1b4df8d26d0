import type { ExpressionBuilder } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { inTransaction, isPostgres, type Tables } from '../../kernel/store/database.ts'
import { hour, minute } from '../../kernel/time.ts'
import { expireApprovals } from './approvals/expiry.ts'
import { expireNeeds } from './approvals/needs.ts'
import { completeNow } from './completion.ts'
import { defineFileJobs } from './files/jobs.ts'
import { readingQueue } from './memory/queue.ts'
import { readConversation } from './memory/read-conversation.ts'
import { removeConversations } from './removal.ts'
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

/** No reply asks for it. The conversations of asked agents go with the one that asked. */
const isRoot = (is: ExpressionBuilder<Tables, 'conversation'>) =>
  is.not(
    is.exists(
      is.selectFrom('message').select('message.id').whereRef('message.id', '=', 'conversation.parent_message_id'),
    ),
  )

/** Removes conversations without activity since `before`. Returns how many there were. */
export const removeOldConversations = (ctx: Context, before: number): Promise<number> =>
  inTransaction(ctx.db, async (tx) => {
    const old = tx
      .selectFrom('conversation')
      .select(['id', 'workspace_id'])
      .where('active_at', '<', before)
      .where(isRoot)
      .limit(removedAtOnce)
    const found = await (isPostgres(tx) ? old.forUpdate().skipLocked() : old).execute()
    let removed = 0
    for (const [workspace, rows] of Map.groupBy(found, ({ workspace_id }) => workspace_id)) {
      const ids = rows.map(({ id }) => id)
      removed += (await removeConversations(ctx, tx, workspace, ids)).conversations
    }
    return removed
  })

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

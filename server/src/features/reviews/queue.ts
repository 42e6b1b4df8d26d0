import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { Db } from '../../kernel/store/database.ts'
import { statement } from '../../kernel/store/statement.ts'
import { day, timestamp } from '../../kernel/time.ts'
import { failedReplies, type ReplyFacts } from '../conversations/scored-replies.ts'
import type { MessageRow } from '../runs/reply.ts'
import type { ReviewReason, StoredReview } from './schema.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    review: Omit<StoredReview, 'tags'> & { workspace_id: string; tags: string }
  }
}

export type Reviewed = Pick<ReplyFacts, 'id' | 'workspace_id' | 'conversation_id' | 'agent_id' | 'agent_version'>

/** A reply is in the queue once. */
const insertion = (ctx: Context, db: Db, reply: Reviewed, reason: ReviewReason, assigned_to: string | null = null) => {
  const now = timestamp(ctx.now())
  return db.insertInto('review').values({
    id: ctx.newId('rev'),
    workspace_id: reply.workspace_id,
    message_id: reply.id,
    conversation_id: reply.conversation_id,
    agent_id: reply.agent_id,
    agent_version: reply.agent_version,
    reason,
    status: 'open',
    assigned_to,
    verdict: null,
    expected_output: null,
    comment: null,
    tags: '[]',
    evaluation_id: null,
    reviewed_by: null,
    reviewed_at: null,
    revision: 1,
    created_at: now,
    updated_at: now,
  })
}

/** Returns whether the reply was not in the queue yet. */
export async function queueReview(
  ctx: Context,
  tx: Db,
  reply: Reviewed,
  reason: ReviewReason,
  assigned_to?: string | null,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await insertion(ctx, tx, reply, reason, assigned_to)
    .onConflict((on) => on.column('message_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** A thumbs down is the strongest reason to look, and one that was taken back is none. */
export function onFeedback(ctx: Context, row: MessageRow, rating: 'up' | 'down'): Statement[] {
  if (row.evaluation_id !== null) return []
  if (rating === 'down') {
    const raised = insertion(ctx, ctx.db, row, 'feedback').onConflict((on) =>
      on
        .column('message_id')
        .doUpdateSet({ reason: 'feedback', updated_at: timestamp(ctx.now()) })
        .where('review.status', '=', 'open'),
    )
    return [statement(raised)]
  }
  const withdrawn = ctx.db
    .deleteFrom('review')
    .where('workspace_id', '=', row.workspace_id)
    .where('message_id', '=', row.id)
    .where('reason', '=', 'feedback')
    .where('status', '=', 'open')
  return row.feedback?.rating === 'down' ? [statement(withdrawn)] : []
}

const batchSize = 500
/** A reply may wait for approval for a day before it goes on and fails. */
const lookBack = 2 * day

/** Queues the replies that failed. */
export async function queueFailures(ctx: Context, signal: AbortSignal): Promise<void> {
  const since = ctx.now() - lookBack
  for (let after = ''; ; ) {
    const failed = await failedReplies(ctx.db, since, after, batchSize)
    const known = await queued(
      ctx.db,
      failed.map(({ id }) => id),
    )
    for (const reply of failed) if (!known.has(reply.id)) await queueReview(ctx, ctx.db, reply, 'failed')
    if (failed.length < batchSize) return
    after = failed.at(-1)?.id ?? after
    signal.throwIfAborted()
  }
}

async function queued(db: Db, messages: string[]): Promise<Set<string>> {
  if (messages.length === 0) return new Set()
  const rows = await db.selectFrom('review').select('message_id').where('message_id', 'in', messages).execute()
  return new Set(rows.map(({ message_id }) => message_id))
}

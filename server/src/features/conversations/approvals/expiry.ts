import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'
import { endingFor } from '../../runs/ending.ts'
import { conversations } from '../conversations.ts'
import type { ConversationRow } from '../store.ts'
import { cancelWaiting } from '../waiting/waiting-replies.ts'
import { decide } from './decide.ts'

const expiredAtOnce = 100

interface Expired {
  id: string
  workspace_id: string
  conversation_id: string
  message_id: string
  tool_call_id: string
}

/** Refuses the calls that nobody decided about in time, and resumes their turns on this node. */
export async function expireApprovals(ctx: Context): Promise<void> {
  for (let after = ''; ; ) {
    const expired = await ctx.db
      .selectFrom('approval')
      .select(['id', 'workspace_id', 'conversation_id', 'message_id', 'tool_call_id'])
      .where('status', '=', 'pending')
      .where('expires_at', '<=', timestamp(ctx.now()))
      .where('id', '>', after)
      .orderBy('id')
      .limit(expiredAtOnce)
      .execute()
    for (const each of expired)
      await settleForService(ctx, each, (who, conversation) =>
        decide(ctx, { who, expires: true }, conversation, each.message_id, {
          tool_call_id: each.tool_call_id,
          approved: false,
        }),
      )
    const last = expired.at(-1)
    if (!last || expired.length < expiredAtOnce) return
    after = last.id
  }
}

/** Settles a call that waits, in the name of the service. If its reply cannot go on, the reply fails. */
export async function settleForService(
  ctx: Context,
  { workspace_id, conversation_id, message_id }: Pick<Expired, 'workspace_id' | 'conversation_id' | 'message_id'>,
  settle: (who: Caller, conversation: ConversationRow) => Promise<unknown>,
): Promise<void> {
  const who = timeoutCaller(ctx, workspace_id)
  try {
    const conversation = await conversations.table.find(ctx.db, workspace_id, conversation_id)
    if (conversation) await settle(who, conversation)
  } catch (error) {
    ctx.log.warn({ err: error, message: message_id }, 'a reply that waited could not go on')
    if (!(error instanceof Problem) || isConflict(error)) return
    // Its agent or its models were deleted.
    await cancelWaiting(ctx, who, conversation_id, message_id, { ending: endingFor(error), hasExpired: true })
  }
}

/** Somebody decided, or cancelled the reply, at the same moment. */
const isConflict = ({ code }: Problem): boolean =>
  code === 'already_running' || code === 'conversation_busy' || code === 'invalid_request'

/** The service decides in its own name, which the audit log shows. */
const timeoutCaller = (ctx: Context, workspace: string): Caller => ({
  workspace,
  role: 'owner',
  token: 'system',
  name: 'Approval timeout',
  userId: null,
  groups: [],
  rateLimit: null,
  requestId: ctx.newId('req'),
})

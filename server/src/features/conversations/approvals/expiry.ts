import type { Caller, Context } from '../../../kernel/context.ts'
import { Problem } from '../../../kernel/errors.ts'
import { timestamp } from '../../../kernel/time.ts'
import { conversations } from '../conversations.ts'
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
    for (const each of expired) {
      await expire(ctx, each).catch((error) =>
        ctx.log.warn({ err: error, approval: each.id }, 'an approval could not be expired'),
      )
    }
    const last = expired.at(-1)
    if (!last || expired.length < expiredAtOnce) return
    after = last.id
  }
}

async function expire(ctx: Context, { id, workspace_id, conversation_id, message_id, tool_call_id }: Expired) {
  const who = timeoutCaller(ctx, workspace_id)
  const conversation = await conversations.table.find(ctx.db, workspace_id, conversation_id)
  if (!conversation) return
  try {
    await decide(ctx, { who, expires: true }, conversation, message_id, { tool_call_id, approved: false })
  } catch (error) {
    if (!(error instanceof Problem) || goesOnElsewhere(error)) throw error
    // The turn cannot be resumed: its agent or its models were deleted.
    const { code, message } = error
    ctx.log.info({ approval: id, code }, 'a reply could not go on after its approval expired')
    const ending = { status: 'failed', finish_reason: 'error', code, error: message, expires: true } as const
    await cancelWaiting(ctx, who, conversation_id, message_id, ending)
  }
}

/** Somebody decided, or cancelled the reply, at the same moment. */
const goesOnElsewhere = ({ code }: Problem): boolean =>
  code === 'already_running' || code === 'conversation_busy' || code === 'invalid_request'

/** The service decides in its own name, which the audit log shows. */
export const timeoutCaller = (ctx: Context, workspace: string): Caller => ({
  workspace,
  role: 'owner',
  token: 'system',
  name: 'Approval timeout',
  userId: null,
  groups: [],
  rateLimit: null,
  requestId: ctx.newId('req'),
})

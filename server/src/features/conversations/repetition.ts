import type { Caller, Context } from '../../kernel/context.ts'
import { type ErrorCode, errorCatalogue } from '../../kernel/errors.ts'
import { inProgress, isTemporary } from '../../kernel/http/idempotency.ts'
import type { IdempotencyKey } from '../../kernel/http/idempotency-store.ts'
import type { MessageRow } from '../runs/reply.ts'
import { withVersions } from './branches.ts'
import { findMessage } from './store.ts'

/** The reply that an earlier request with the same idempotency key has started and that has ended since. */
export async function earlierReply(
  ctx: Context,
  who: Caller,
  conversation: string,
  key: IdempotencyKey | null,
): Promise<MessageRow | undefined> {
  if (!key?.startedBefore) return undefined
  const row = await findMessage(ctx.db, who.workspace, conversation, key.startedBefore)
  if (row?.status === 'running') throw inProgress()
  return row && (await withVersions(ctx.db, [row]))[0]
}

/** Whether a repetition of the request gets another reply to the same question, because this one was cut off. */
export const canBeRepeated = ({ status, code }: Pick<MessageRow, 'status' | 'code'>): boolean =>
  status === 'interrupted' ||
  (status === 'failed' && isTemporary(errorCatalogue[(code ?? 'internal_error') as ErrorCode][0]))

/** The conversation in which an earlier request with the same idempotency key has started a reply. */
export async function earlierConversation(
  { db }: Context,
  who: Caller,
  key: IdempotencyKey | null,
): Promise<string | undefined> {
  if (!key?.startedBefore) return undefined
  const found = await db
    .selectFrom('message')
    .select('conversation_id')
    .where('workspace_id', '=', who.workspace)
    .where('id', '=', key.startedBefore)
    .executeTakeFirst()
  return found?.conversation_id
}

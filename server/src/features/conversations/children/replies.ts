import type { Context } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { MessageRow } from '../../runs/reply.ts'
import { decode } from '../message-row.ts'

/** The statuses of replies by their ids. */
export async function replyStatuses(db: Db, workspace: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('message')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** A reply with the replies of all agents that it has asked, and that these have asked. */
export async function withChildReplies(ctx: Context, reply: MessageRow): Promise<MessageRow[]> {
  const all = [reply]
  for (let last = [reply]; ; ) {
    const asked = last.flatMap(({ tool_calls }) => tool_calls.flatMap(({ conversation_id }) => conversation_id ?? []))
    if (asked.length === 0) return all
    const cells = await ctx.db
      .selectFrom('message')
      .selectAll()
      .where('workspace_id', '=', reply.workspace_id)
      .where('conversation_id', 'in', asked)
      .where('role', '=', 'assistant')
      .where('superseded', '=', false)
      .execute()
    last = cells.map(decode)
    all.push(...last)
  }
}

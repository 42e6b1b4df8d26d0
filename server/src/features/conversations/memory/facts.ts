import { isBound } from '../../../kernel/access.ts'
import type { Caller, Context } from '../../../kernel/context.ts'
import { readContents } from '../../memories/recall.ts'
import type { MessageRow } from '../../runs/reply.ts'
import type { ConversationRow } from '../store.ts'

/**
 * Messages with the memories that were recalled and written for them, as they are now. Readers of a shared conversation do
 * not see what is known of its user.
 */
export async function withFacts<Row extends MessageRow>(
  ctx: Context,
  who: Caller,
  { user_id }: Pick<ConversationRow, 'user_id'>,
  rows: Row[],
): Promise<Row[]> {
  const ids = rows.flatMap(({ memories }) => [...(memories?.recalled ?? []), ...(memories?.written ?? [])])
  if (ids.length === 0 || !seesFacts(who, user_id)) return rows
  const facts = await readContents(ctx, who.workspace, [...new Set(ids)])
  return rows.map((row) => (row.memories ? { ...row, facts } : row))
}

/** Whether a reader sees what was condensed or remembered of a conversation: its user, and roles that see everything. */
export const seesFacts = (who: Caller, userId: string | null): boolean =>
  !isBound(who) || (userId !== null && (who.seenAs ?? who).userId === userId)

import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Db, Tables } from '../../../kernel/store/database.ts'
import type { Summary } from '../schema.ts'

interface Key {
  workspace_id: string
  conversation_id: string
}

/**
 * Raises the revision of a conversation before the text of a message is deleted, and deletes the summary if that covers the
 * message. The raised revision tells every node that its cached history is out of date, and that a summary which is being
 * made may have the text.
 */
export async function forgetText(tx: Db, key: Key, messageId: string): Promise<void> {
  const row = await own(tx.updateTable('conversation'), key)
    .set((is) => ({ revision: is('revision', '+', 1) }))
    .returning('summary')
    .executeTakeFirst()
  const summary = row ? (JSON.parse(row.summary) as Summary | null) : null
  if (summary && summary.up_to_message_id >= messageId)
    await own(tx.updateTable('conversation'), key).set({ summary: 'null' }).execute()
}

/** Stores a summary, unless the conversation has changed since its messages were read. Returns whether it did. */
export async function storeSummary(ctx: Context, key: Key, revision: number, summary: Summary): Promise<boolean> {
  const { numUpdatedRows } = await own(ctx.db.updateTable('conversation'), key)
    .set({ summary: JSON.stringify(summary) })
    .where('revision', '=', revision)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

const own = (query: UpdateQueryBuilder<Tables, 'conversation', 'conversation', UpdateResult>, key: Key) =>
  query.where('workspace_id', '=', key.workspace_id).where('id', '=', key.conversation_id)

import type { Context } from '../../../kernel/context.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import type { Summary } from '../schema.ts'

interface Key {
  workspace_id: string
  conversation_id: string
}

/** Deletes the summary of a conversation if it covers a message whose text is deleted. */
export async function dropSummary(tx: Db, key: Key, messageId: string): Promise<void> {
  const { summary } = (await find(tx, key)) ?? {}
  const stored = summary === undefined ? null : (JSON.parse(summary) as Summary | null)
  if (stored && stored.up_to_message_id >= messageId) await change(tx, key, null)
}

/** Stores a summary, unless the text of one of its messages was deleted meanwhile. Returns whether it did. */
export const storeSummary = (ctx: Context, key: Key, summary: Summary, messages: string[]): Promise<boolean> =>
  inTransaction(ctx.db, async (tx) => {
    const kept = await tx
      .selectFrom('message')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where((is) => is.and(key))
      .where('id', 'in', messages)
      .where('content', '<>', '')
      .executeTakeFirstOrThrow()
    if (Number(kept.count) < messages.length) return false
    return change(tx, key, summary)
  })

const find = (tx: Db, { workspace_id, conversation_id }: Key) =>
  tx
    .selectFrom('conversation')
    .select('summary')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', conversation_id)
    .executeTakeFirst()

async function change(tx: Db, { workspace_id, conversation_id }: Key, summary: Summary | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('conversation')
    .set({ summary: JSON.stringify(summary) })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', conversation_id)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

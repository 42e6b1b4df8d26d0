import type { Context, PersonalData } from '../../../kernel/context.ts'
import { jsonLines, type Person } from '../../../kernel/personal-data.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { removeFromLists } from '../../../kernel/store/user-lists.ts'
import { timestamp } from '../../../kernel/time.ts'
import { findWaiting } from '../../runs/waiting.ts'
import { cancelWaiting } from '../turn/approvals.ts'

const serviceIn = (workspace: string) =>
  ({ workspace, role: 'admin', token: 'people', userId: null, groups: [], rateLimit: null }) as const

/** Decisions about calls in conversations of others. Those in their own go with the conversations. */
export const approvalsOfPerson: PersonalData = {
  async *files({ db }, { workspace, userId }) {
    const rows = await db
      .selectFrom('approval')
      .select(['id', 'conversation_id', 'name', 'target', 'status', 'decided_at', 'comment'])
      .where('workspace_id', '=', workspace)
      .where('decided_by', '=', userId)
      .orderBy('id')
      .execute()
    yield { name: 'approvals.jsonl', content: jsonLines(rows) }
  },

  async erase(ctx, person) {
    const { workspace, userId, marker, count } = person
    const cancelled = await cancelAskedBy(ctx, person)
    return inTransaction(ctx.db, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('approval')
        .set({ decided_by: marker, comment: null, updated_at: timestamp(ctx.now()) })
        .where('workspace_id', '=', workspace)
        .where('decided_by', '=', userId)
        .executeTakeFirst()
      const named = await removeFromLists(tx, workspace, { table: 'approval', column: 'approvers' }, userId)
      await count(tx, { approvals: Number(numUpdatedRows) + named })
      return cancelled || numUpdatedRows > 0n || named > 0
    })
  },
}

/** Replies in conversations of others that wait to go on with the rights of this person. */
async function cancelAskedBy(ctx: Context, { workspace, userId }: Person): Promise<boolean> {
  const own = await findWaiting(ctx.db, workspace, 'approval', { user_id: userId })
  for (const { id, conversation_id } of own.values())
    if (conversation_id !== null) await cancelWaiting(ctx, serviceIn(workspace), conversation_id, id)
  return own.size > 0
}

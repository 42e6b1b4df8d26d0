import type { PersonalData } from '../../kernel/context.ts'
import { jsonLines } from '../../kernel/personal-data.ts'
import { inTransaction } from '../../kernel/store/database.ts'

/** Tokens, without their secrets. Deleting one ends its sessions. */
export const tokensOfPerson: PersonalData = {
  async *files({ db }, { workspace, userId }) {
    const rows = await db
      .selectFrom('token')
      .select(['id', 'name', 'role', 'user_id', 'groups', 'prefix', 'created_at', 'expires_at', 'last_used_at'])
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute()
    yield { name: 'tokens.jsonl', content: jsonLines(rows) }
  },
  erase: ({ db }, { workspace, userId, count }) =>
    inTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('token')
        .where('workspace_id', '=', workspace)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await count(tx, { tokens: Number(numDeletedRows) })
      return true
    }),
}

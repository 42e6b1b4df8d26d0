import type { PersonalData } from '../../kernel/context.ts'
import { oidcIdentity } from '../../kernel/personal-data.ts'
import { inTransaction } from '../../kernel/store/database.ts'

/** Sessions of people who sign in with OpenID Connect. Those of tokens end with their token. */
export const sessionsOfPerson: PersonalData = {
  erase: ({ db }, { workspace, userId, count }) =>
    inTransaction(db, async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('session')
        .where('workspace_id', '=', workspace)
        .where('subject', '=', oidcIdentity(userId))
        .executeTakeFirst()
      if (numDeletedRows === 0n) return false
      await count(tx, { sessions: Number(numDeletedRows) })
      return true
    }),
}

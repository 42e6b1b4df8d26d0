import type { PersonalData } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import type { Handover } from './handover.ts'

const batchSize = 200

/** Chats that wait for results of the client's tools. They are kept for days only, so all are looked at. */
export const handoversOfPerson: PersonalData = {
  async erase({ db }, { workspace, userId, count }) {
    const own: string[] = []
    for (let last = ''; ; ) {
      const rows = await db
        .selectFrom('chat_handover')
        .select(['id', 'state'])
        .where('workspace_id', '=', workspace)
        .where('id', '>', last)
        .orderBy('id')
        .limit(batchSize)
        .execute()
      own.push(...rows.filter(({ state }) => (JSON.parse(state) as Handover).userId === userId).map(({ id }) => id))
      if (rows.length < batchSize) break
      last = rows.at(-1)?.id ?? ''
    }
    if (own.length === 0) return false
    await inTransaction(db, async (tx) => {
      for (let start = 0; start < own.length; start += batchSize)
        await tx
          .deleteFrom('chat_handover')
          .where('workspace_id', '=', workspace)
          .where('id', 'in', own.slice(start, start + batchSize))
          .execute()
      await count(tx, { waiting_chats: own.length })
    })
    return true
  },
}

import type { Context, PersonalData } from '../../kernel/context.ts'
import { jsonLines, type Person } from '../../kernel/personal-data.ts'
import { eraseActor } from '../../kernel/store/audit.ts'
import { inTransaction } from '../../kernel/store/database.ts'

const entriesAtOnce = 500

/** Audit entries stay, with a hash instead of the person. */
export const auditOfPerson: PersonalData = {
  async *files(ctx, person) {
    yield { name: 'audit.jsonl', content: jsonLines(entriesBy(ctx, person)) }
  },
  erase: (ctx, { workspace, userId, count }) =>
    inTransaction(ctx.db, async (tx) => {
      const changed = await eraseActor(ctx, tx, workspace, userId)
      if (changed > 0) await count(tx, { audit_entries: changed })
      return changed > 0
    }),
}

async function* entriesBy({ db }: Context, { workspace, userId }: Person): AsyncGenerator<object> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('user_id', '=', userId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(entriesAtOnce)
      .execute()
    yield* rows.map(({ workspace_id: _, fields, ...entry }) => ({ ...entry, fields: JSON.parse(fields) as string[] }))
    if (rows.length < entriesAtOnce) return
    last = rows.at(-1)?.id ?? ''
  }
}

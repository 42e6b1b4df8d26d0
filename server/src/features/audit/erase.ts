import type { Context, PersonalData } from '../../kernel/context.ts'
import { jsonLines, type Person } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'

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

/**
 * Replaces a person in all entries of a workspace by a pseudonym, which is a keyed hash: it shows that the same person did
 * it, but not who. The chain stays valid, because it contains only pseudonyms. Returns the number of changed entries.
 */
export async function eraseActor(ctx: Context, tx: Db, workspace: string, userId: string): Promise<number> {
  const { chain } = ctx.audit
  await chain.sealIn(tx, workspace)
  const pseudonym = (name: string) => chain.key.pseudonym(workspace, name)
  const mine = tx.updateTable('audit_entry').where('workspace_id', '=', workspace)
  const names = await tx
    .selectFrom('audit_entry')
    .select(['token_id', 'token_name'])
    .distinct()
    .where('workspace_id', '=', workspace)
    .where('user_id', '=', userId)
    .execute()
  let changed = 0n
  for (const { token_id, token_name } of names) {
    const erased = {
      token_id: pseudonym(token_id),
      token_name: token_name && pseudonym(token_name),
      user_id: pseudonym(userId),
    }
    const result = await mine
      .set(erased)
      .where('user_id', '=', userId)
      .where('token_id', '=', token_id)
      .where('token_name', token_name === null ? 'is' : '=', token_name)
      .executeTakeFirst()
    changed += result.numUpdatedRows
  }
  for (const column of ['resource_id', 'part_id'] as const) {
    const result = await mine
      .set({ [column]: pseudonym(userId) })
      .where(column, '=', userId)
      .executeTakeFirst()
    changed += result.numUpdatedRows
  }
  return Number(changed)
}

import type { Context, PersonalFunctions } from '../../kernel/context.ts'
import type { PersonalTable } from '../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'

export const entriesOfPerson: PersonalTable = {
  table: 'audit_entry',
  person: 'user_id',
  exported: {
    file: 'audit.jsonl',
    columns: [
      ...(['id', 'token_id', 'token_name', 'role', 'user_id', 'action', 'kind', 'resource_id', 'part_id'] as const),
      ...(['fields', 'request_id', 'created_at', 'sequence', 'hash'] as const),
    ],
    json: ['fields'],
  },
}

/** Entries stay, with pseudonyms in several columns, which must not break the chain. */
export const actorOfEntries: PersonalFunctions = {
  erase: (ctx, { workspace, userId, count }) =>
    inTransaction(ctx.db, async (tx) => {
      const changed = await eraseActor(ctx, tx, workspace, userId)
      if (changed > 0) await count(tx, { audit_entries: changed })
      return changed > 0
    }),
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

import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'

/** Keeps the rights that a person of the identity provider has by now, also while they are signed out. Null: none any more. */
export async function noteRights(
  { now }: Pick<Context, 'now'>,
  db: Db,
  { workspace_id, subject, claims }: { workspace_id: string; subject: string; claims: string | null },
): Promise<void> {
  const updated_at = timestamp(now())
  await db
    .insertInto('known_rights')
    .values({ workspace_id, subject, claims, updated_at })
    .onConflict((on) => on.columns(['workspace_id', 'subject']).doUpdateSet({ claims, updated_at }))
    .execute()
}

export const findKnownRights = (db: Db, workspace: string, subject: string) =>
  db
    .selectFrom('known_rights')
    .select('claims')
    .where('workspace_id', '=', workspace)
    .where('subject', '=', subject)
    .executeTakeFirst()

import type { Kysely } from 'kysely'
import { type Access, isBound, maySee, type Viewer } from '../access.ts'
import type { Db } from './database.ts'
import type { Narrow } from './find-page.ts'

/**
 * The condition that a caller may see a row of a table with `access`. Few rows have an access of their own, so the rule is
 * applied to each distinct one, and the statement compares texts. Undefined if the caller sees every row.
 */
export async function visibleTo(
  db: Db,
  table: string,
  who: Viewer & { workspace: string },
): Promise<Narrow | undefined> {
  if (!isBound(who)) return undefined
  const rows = await (db as unknown as Kysely<Record<string, { workspace_id: string; access: string }>>)
    .selectFrom(table)
    .select('access')
    .distinct()
    .where('workspace_id', '=', who.workspace)
    .execute()
  const allowed = rows.map(({ access }) => access).filter((text) => maySee(who, JSON.parse(text) as Access | null))
  return (query) => query.where('access', 'in', allowed.length > 0 ? allowed : [''])
}

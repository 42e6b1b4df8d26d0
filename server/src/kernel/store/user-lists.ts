import { type Kysely, sql } from 'kysely'
import type { Db } from './database.ts'

export interface UserList {
  users?: string[]
}

type Loose = Kysely<Record<string, Record<string, unknown>>>

/** Rows whose text may name a user: the JSON text of the id is in it. */
export const containing = (column: string, userId: string) => {
  const pattern = `%${JSON.stringify(userId).replace(/[\\%_]/g, '\\$&')}%`
  return sql<boolean>`${sql.ref(column)} like ${pattern} escape '\\'`
}

/** Removes a user from the lists (`{groups, users}`) in a column of a table. Returns the number of changed rows. */
export async function removeFromLists(
  db: Db,
  workspace: string,
  { table, column }: { table: string; column: string },
  userId: string,
): Promise<number> {
  const loose = db as unknown as Loose
  const rows = await loose
    .selectFrom(table)
    .select(['id', column])
    .where('workspace_id', '=', workspace)
    .where(containing(column, userId))
    .execute()
  let changed = 0
  for (const row of rows) {
    const list = JSON.parse(row[column] as string) as UserList | null
    if (!list?.users?.includes(userId)) continue
    const without = { ...list, users: list.users.filter((each) => each !== userId) }
    await loose
      .updateTable(table)
      .set({ [column]: JSON.stringify(without) })
      .where('workspace_id', '=', workspace)
      .where('id', '=', row.id)
      .execute()
    changed++
  }
  return changed
}

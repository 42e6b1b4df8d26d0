import { type Kysely, sql } from 'kysely'
import type { Db } from './database.ts'
import { hasText } from './text-index.ts'

interface UserList {
  users?: string[]
}

type Loose = Kysely<Record<string, Record<string, unknown>>>

/** Rows whose text may name a user: the JSON text of the id is in it. */
export const containing = (column: string, userId: string) => hasText(sql.ref(column), JSON.stringify(userId))

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

/** The same in the lists of stored versions. */
export async function removeFromVersions(db: Db, workspace: string, userId: string): Promise<number> {
  const rows = await db
    .selectFrom('resource_version')
    .select(['resource_id', 'version', 'snapshot'])
    .where('workspace_id', '=', workspace)
    .where(containing('snapshot', userId))
    .execute()
  let changed = 0
  for (const { resource_id, version, snapshot } of rows) {
    const fields = JSON.parse(snapshot) as Record<string, unknown>
    let isChanged = false
    for (const name of ['access', 'approvers']) {
      const list = fields[name] as UserList | null | undefined
      if (!list?.users?.includes(userId)) continue
      fields[name] = { ...list, users: list.users.filter((each) => each !== userId) }
      isChanged = true
    }
    if (!isChanged) continue
    await db
      .updateTable('resource_version')
      .set({ snapshot: JSON.stringify(fields) })
      .where('workspace_id', '=', workspace)
      .where('resource_id', '=', resource_id)
      .where('version', '=', version)
      .execute()
    changed++
  }
  return changed
}

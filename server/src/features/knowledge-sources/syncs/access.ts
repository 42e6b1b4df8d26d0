import type { Access } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { accessCells, accessFor, nobody } from '../access/rules.ts'
import type { AccessRule } from '../schema.ts'
import { sources } from '../sources.ts'

/** The rules of a source as they are now. */
export const loadAccessRules = async (ctx: Context, workspace: string, sourceId: string): Promise<AccessRule[]> =>
  (await sources.find(ctx.db, { workspace }, sourceId))?.access_rules ?? []

/** The document whose access applies: the document itself, or the mail that it is attached to. */
interface Decisive {
  id: string
  name: string
  metadata: Record<string, unknown>
}

/** The access that a document has once it is read. */
export async function accessOnceRead(
  ctx: Context,
  workspace: string,
  sourceId: string,
  id: string,
  { id: decisiveId, name, metadata }: Decisive,
) {
  const rows = await ctx.db
    .selectFrom('knowledge_document')
    .select(['id', 'given_access', 'access_key'])
    .where('workspace_id', '=', workspace)
    .where('id', 'in', [id, decisiveId])
    .execute()
  const decisive = rows.find((row) => row.id === decisiveId)
  const givenAccess = decisive ? (JSON.parse(decisive.given_access) as Access | null) : nobody
  const rules = await loadAccessRules(ctx, workspace, sourceId)
  const cells = accessCells(accessFor(rules, { name, metadata, givenAccess, isRead: true }))
  return { cells, isNew: rows.find((row) => row.id === id)?.access_key !== cells.access_key }
}

import type { Access } from '../../../kernel/access.ts'
import type { PersonalFunctions } from '../../../kernel/context.ts'
import { containing } from '../../../kernel/personal-data.ts'
import { type Db, inTransaction } from '../../../kernel/store/database.ts'
import { sources } from '../sources.ts'
import { applyRules } from './apply.ts'

/**
 * Removes a person from the access of sources and documents. An access that becomes empty allows nobody. The rules of a
 * source are applied to its documents again, so a declaration is not enough.
 */
export const accessOfPerson: PersonalFunctions = {
  async erase(ctx, { workspace, userId, count }) {
    const affected = await sourcesNaming(ctx.db, workspace, userId)
    for (const id of affected) {
      await inTransaction(ctx.db, async (tx) => {
        const source = await sources.table.lock(tx, workspace, id)
        if (!source) return
        const access = without(source.access, userId)
        const access_rules = source.access_rules.map((rule) => ({ ...rule, access: without(rule.access, userId) }))
        await sources.table.update(tx, workspace, id, { access, access_rules, revision: source.revision + 1 })
        await removeFromDocuments(tx, workspace, id, userId)
        await applyRules(tx, workspace, id, access_rules)
        await count(tx, { access_lists: 1 })
      })
    }
    ctx.state['knowledge-sources'].accesses.clear()
    return affected.length > 0
  },
}

const without = <A extends Access | null>(access: A, userId: string): A =>
  access && { ...access, users: access.users.filter((user) => user !== userId) }

async function sourcesNaming(db: Db, workspace: string, userId: string): Promise<string[]> {
  const named = await db
    .selectFrom('knowledge_source')
    .select(['id', 'access', 'access_rules'])
    .where('workspace_id', '=', workspace)
    .where((is) => is.or([containing('access', userId), containing('access_rules', userId)]))
    .execute()
  const ofDocuments = await db
    .selectFrom('knowledge_document')
    .select('knowledge_source_id')
    .distinct()
    .where('workspace_id', '=', workspace)
    .where((is) => is.or([containing('access', userId), containing('given_access', userId)]))
    .execute()
  const isListed = (access: Access | null) => access?.users.includes(userId) ?? false
  const bySource = named.filter(
    ({ access, access_rules }) =>
      isListed(JSON.parse(access)) ||
      (JSON.parse(access_rules) as { access: Access }[]).some((rule) => isListed(rule.access)),
  )
  return [...new Set([...bySource.map(({ id }) => id), ...ofDocuments.map((each) => each.knowledge_source_id)])]
}

async function removeFromDocuments(tx: Db, workspace: string, sourceId: string, userId: string): Promise<void> {
  const rows = await tx
    .selectFrom('knowledge_document')
    .select(['id', 'given_access'])
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', '=', sourceId)
    .where(containing('given_access', userId))
    .execute()
  for (const { id, given_access } of rows) {
    await tx
      .updateTable('knowledge_document')
      .set({ given_access: JSON.stringify(without(JSON.parse(given_access) as Access | null, userId)) })
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .execute()
  }
}

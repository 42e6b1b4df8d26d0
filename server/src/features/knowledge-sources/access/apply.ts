import { type Access, normalized } from '../../../kernel/access.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Db } from '../../../kernel/store/database.ts'
import type { AccessRule } from '../schema.ts'
import { accessCells, accessFor, computeAccessKey } from './rules.ts'

export function checkedRules(rules: readonly AccessRule[]): AccessRule[] {
  return rules.map((rule, at) => {
    if (rule.path === undefined && rule.metadata === undefined)
      invalid(`access_rules[${at}]`, 'needs a path or metadata; to cover every document, set access on the source')
    return { ...rule, access: normalized(rule.access) as Access }
  })
}

const batchSize = 500

/** Applies the access rules of a source to all its documents. The caller has locked the source. */
export async function applyRules(
  tx: Db,
  workspace: string,
  sourceId: string,
  rules: readonly AccessRule[],
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await tx
      .selectFrom('knowledge_document as document')
      // An attachment has the access of its mail.
      .innerJoin('knowledge_document as judged', (join) =>
        join.on((is) => is('judged.id', '=', is.fn.coalesce('document.parent_id', 'document.id'))),
      )
      .select(['document.id', 'document.access_key'])
      .select(['judged.name', 'judged.metadata', 'judged.given_access', 'judged.indexed_version'])
      .where('document.workspace_id', '=', workspace)
      .where('judged.workspace_id', '=', workspace)
      .where('document.knowledge_source_id', '=', sourceId)
      .where('document.id', '>', after)
      .orderBy('document.id')
      .limit(batchSize)
      .execute()
    const changed = new Map<string, { access: Access | null; ids: string[] }>()
    for (const row of rows) {
      const access = accessFor(rules, judged(row))
      const key = computeAccessKey(access)
      if (key === row.access_key) continue
      const group = changed.get(key) ?? { access, ids: [] }
      group.ids.push(row.id)
      changed.set(key, group)
    }
    for (const { access, ids } of changed.values()) {
      await tx
        .updateTable('knowledge_document')
        .set((is) => ({ ...accessCells(access), revision: is('revision', '+', 1) }))
        .where('workspace_id', '=', workspace)
        .where('id', 'in', ids)
        .execute()
    }
    if (rows.length < batchSize) return
    after = rows.at(-1)?.id ?? ''
  }
}

/** Attachments of a mail have the access that it has now. */
export async function applyToAttachments(
  tx: Db,
  workspace: string,
  { id, access = null }: { id: string; access?: Access | null },
): Promise<void> {
  const cells = accessCells(access)
  await tx
    .updateTable('knowledge_document')
    .set((is) => ({ ...cells, revision: is('revision', '+', 1) }))
    .where('workspace_id', '=', workspace)
    .where('parent_id', '=', id)
    .where('access_key', '<>', cells.access_key)
    .execute()
}

interface Row {
  name: string
  metadata: string
  given_access: string
  indexed_version: string | null
}

const judged = ({ name, metadata, given_access, indexed_version }: Row) => ({
  name,
  metadata: JSON.parse(metadata) as Record<string, unknown>,
  givenAccess: JSON.parse(given_access) as Access | null,
  isRead: indexed_version !== null,
})

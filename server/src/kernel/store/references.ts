import type { Kysely } from 'kysely'
import { Problem, unknownReference } from '../errors.ts'
import type { Db } from './database.ts'
import { allRows, type ListQuery } from './list.ts'

declare module './database.ts' {
  interface Tables {
    reference: { workspace_id: string; source_kind: string; source_id: string; field: string; target_id: string }
  }
}

/** A reference from a field of one resource to another resource. */
export interface Reference {
  field: string
  target: string
  /** The allowed kinds of the target, if not checked before. */
  kind?: { noun: string; prefixes: readonly string[] }
}

const idPrefix = (id: string): string => id.split('_', 1)[0] as string

export async function createReferenceTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('reference')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('source_kind', 'text', (column) => column.notNull())
    .addColumn('source_id', 'text', (column) => column.notNull())
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('target_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reference_key', ['workspace_id', 'source_id', 'field', 'target_id'])
    .execute()
  await db.schema.createIndex('reference_target').on('reference').columns(['workspace_id', 'target_id']).execute()
}

/** A kind of resource that others can reference. Every collection is one. */
export interface ResourceKind {
  prefix: string
  kind: string
  table: {
    find(db: Db, workspace: string, id: string): Promise<{ id: string } | undefined>
    lockIfExists(tx: Db, workspace: string, id: string): Promise<boolean>
    names(db: Db, workspace: string, ids: readonly string[]): Promise<{ id: string; name: string }[]>
    first(db: Db, workspace: string, query: Omit<ListQuery, 'page'>): Promise<{ id: string }[]>
  }
}

/** By ID prefix. */
export type ResourceKinds = ReadonlyMap<string, ResourceKind>

/** Whether a resource exists. Locks it, so that it exists until the transaction ends. */
export const lockIfExists = async (kinds: ResourceKinds, tx: Db, workspace: string, id: string): Promise<boolean> =>
  (await kinds.get(idPrefix(id))?.table.lockIfExists(tx, workspace, id)) ?? false

/** The names of resources of any kind, by their ids. Resources without a name, and deleted ones, are left out. */
export async function findNames(
  kinds: ResourceKinds,
  db: Db,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const byPrefix = Map.groupBy(new Set(ids), idPrefix)
  const found = await Promise.all(
    [...byPrefix].map(([prefix, own]) => kinds.get(prefix)?.table.names(db, workspace, own) ?? []),
  )
  return new Map(found.flat().map(({ id, name }) => [id, name]))
}

/** The ids of a workspace's resources of one kind, newest first. */
export async function findIds(kinds: ResourceKinds, db: Db, workspace: string, prefix: string): Promise<string[]> {
  const rows = await kinds.get(prefix)?.table.first(db, workspace, allRows({}, ['id']))
  return rows?.map((row) => row.id) ?? []
}

/** Checks that the targets exist and locks them until the transaction ends. */
export async function requireTargets(
  kinds: ResourceKinds,
  tx: Db,
  workspace: string,
  references: Reference[],
): Promise<void> {
  for (const { field, target, kind } of references) {
    const known = kinds.get(idPrefix(target))
    const isAllowed = !kind || kind.prefixes.includes(idPrefix(target))
    if (!isAllowed || !(await lockIfExists(kinds, tx, workspace, target)))
      unknownReference(field, kind?.noun ?? known?.kind ?? 'resource', target)
  }
}

/** Checks the targets and stores the references, which block deletion. */
export async function saveReferences(
  kinds: ResourceKinds,
  tx: Db,
  workspace: string,
  source: { kind: string; id: string },
  references: Reference[],
): Promise<void> {
  await requireTargets(kinds, tx, workspace, references)
  await dropReferences(tx, workspace, source.id)
  const fieldName = (field: string) => field.replace(/\[\d+\]$/, '')
  const rows = new Map(references.map((each) => [`${fieldName(each.field)} ${each.target}`, each]))
  if (rows.size === 0) return
  await tx
    .insertInto('reference')
    .values(
      [...rows.values()].map(({ field, target }) => ({
        workspace_id: workspace,
        source_kind: source.kind,
        source_id: source.id,
        field: fieldName(field),
        target_id: target,
      })),
    )
    .execute()
}

export async function dropReferences(tx: Db, workspace: string, sourceId: string): Promise<void> {
  await tx.deleteFrom('reference').where('workspace_id', '=', workspace).where('source_id', '=', sourceId).execute()
}

/** A resource that references another one. */
export interface Referrer {
  source_kind: string
  source_id: string
  field: string
}

/** The resources that reference one. */
export const findReferrers = (db: Db, workspace: string, id: string): Promise<Referrer[]> =>
  db
    .selectFrom('reference')
    .select(['source_kind', 'source_id', 'field'])
    .where('workspace_id', '=', workspace)
    .where('target_id', '=', id)
    .orderBy('source_id')
    .execute()

/** The resources that reference one, with their rows. */
export async function resourcesUsing(kinds: ResourceKinds, db: Db, workspace: string, id: string) {
  const resources: { kind: string; row: { id: string } }[] = []
  for (const { source_kind: kind, source_id } of await findReferrers(db, workspace, id)) {
    const row = await kinds.get(idPrefix(source_id))?.table.find(db, workspace, source_id)
    if (row) resources.push({ kind, row })
  }
  return resources
}

/** The path of a resource: that of a "RAG tool" is /api/rag-tools/rag_…. */
export const resourcePath = (kind: string, id: string): string =>
  `/api/${kind.toLowerCase().replaceAll(' ', '-')}s/${id}`

const maxListed = 20

export async function requireUnreferenced(tx: Db, workspace: string, kind: string, id: string): Promise<void> {
  const referrers = await findReferrers(tx, workspace, id)
  if (referrers.length === 0) return
  throw new Problem('in_use', `This ${kind} is in use. Change or delete what uses it first; details has the calls.`, {
    details: referrers.slice(0, maxListed).map((user) => {
      const path = resourcePath(user.source_kind, user.source_id)
      const calls = `To free it: PUT ${path} without it, or DELETE ${path}`
      return { path: user.source_id, message: `${user.source_kind} uses it as ${user.field}. ${calls}` }
    }),
  })
}

/** The ids of the resources that refer to one of these. */
export async function findReferrerIds(db: Db, workspace: string, targets: readonly string[]): Promise<string[]> {
  if (targets.length === 0) return []
  const rows = await db
    .selectFrom('reference')
    .select('source_id')
    .distinct()
    .where('workspace_id', '=', workspace)
    .where('target_id', 'in', [...targets])
    .execute()
  return rows.map(({ source_id }) => source_id)
}

/** The ids that these refer to. */
export async function findTargetIds(db: Db, workspace: string, sources: readonly string[]): Promise<string[]> {
  if (sources.length === 0) return []
  const rows = await db
    .selectFrom('reference')
    .select('target_id')
    .distinct()
    .where('workspace_id', '=', workspace)
    .where('source_id', 'in', [...sources])
    .execute()
  return rows.map(({ target_id }) => target_id)
}

/** Follows references from some ids to the end, through ids with these prefixes. Returns all ids with those that it began with. */
export async function reach(
  start: readonly string[],
  prefixes: readonly string[],
  next: (ids: string[]) => Promise<string[]>,
): Promise<string[]> {
  const reached = new Set(start)
  for (let last = [...reached]; last.length > 0; ) {
    const found = (await next(last)).filter((id) => !reached.has(id))
    for (const id of found) reached.add(id)
    last = found.filter((id) => prefixes.includes(idPrefix(id)))
  }
  return [...reached]
}

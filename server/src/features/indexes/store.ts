import { type Db, rowsOf } from '../../kernel/store/database.ts'

/** One way of cutting and embedding one set of sources. Tools that ask for the same share it. */
export interface IndexRow {
  id: string
  workspace_id: string
  /** Of all that makes it what it is. */
  fingerprint: string
  chunk_size: number
  chunk_overlap: number
  /** Our id of the embedding model. */
  model_id: string
  /** What tells its vectors from those of any other model. */
  model: string
  /** The one that every source has. */
  is_default: boolean
  status: 'pending' | 'indexing' | 'ready' | 'error'
  status_message: string | null
  /** Why the embedding model has not seen all of it. */
  refine_message: string | null
  used_at: number
  unneeded_since: number | null
  created_at: string
  updated_at: string
}

/** Which index a tool asks for, and which one serves it until that one is complete. */
interface UseRow {
  tool_id: string
  workspace_id: string
  wanted_id: string
  serving_id: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    search_index: IndexRow
    search_index_source: { workspace_id: string; source_id: string; index_id: string }
    search_index_use: UseRow
  }
}

export const findIndex = async (db: Db, workspace: string, id: string): Promise<IndexRow | undefined> =>
  decoded(
    await db
      .selectFrom('search_index')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('id', '=', id)
      .executeTakeFirst(),
  )

export const findFingerprint = async (db: Db, workspace: string, fingerprint: string): Promise<IndexRow | undefined> =>
  decoded(
    await db
      .selectFrom('search_index')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst(),
  )

let servingSql: string | undefined

/** The index that answers a tool's searches. Every search asks for it, so the statement is built once. */
export async function findServing(db: Db, workspace: string, toolId: string): Promise<IndexRow | undefined> {
  servingSql ??= db
    .selectFrom('search_index_use')
    .innerJoin('search_index', 'search_index.id', 'search_index_use.serving_id')
    .selectAll('search_index')
    .where('search_index_use.workspace_id', '=', workspace)
    .where('tool_id', '=', toolId)
    .compile().sql
  const rows = await rowsOf<IndexRow>(db, { sql: servingSql, parameters: [workspace, toolId] })
  return decoded(rows[0])
}

/** SQLite knows no truth values. */
const decoded = <R extends IndexRow | undefined>(row: R): R =>
  row && ({ ...row, is_default: Boolean(row.is_default) } as R)

/** The index, unless another request has just made the same one. */
export async function insertIndex(tx: Db, row: IndexRow, sources: readonly string[]): Promise<boolean> {
  const made = await tx
    .insertInto('search_index')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'fingerprint']).doNothing())
    .returning('id')
    .execute()
  if (made.length === 0) return false
  await tx
    .insertInto('search_index_source')
    .values(sources.map((source_id) => ({ workspace_id: row.workspace_id, source_id, index_id: row.id })))
    .execute()
  return true
}

export const setIndex = (
  db: Db,
  index: Pick<IndexRow, 'id' | 'workspace_id'>,
  changes: Partial<IndexRow>,
): Promise<unknown> =>
  db
    .updateTable('search_index')
    .set(changes)
    .where('workspace_id', '=', index.workspace_id)
    .where('id', '=', index.id)
    .execute()

/** Unless a tool has asked for it in between. */
export async function deleteUnneeded(db: Db, index: IndexRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('search_index')
    .where('workspace_id', '=', index.workspace_id)
    .where('id', '=', index.id)
    .where('unneeded_since', '=', index.unneeded_since)
    .executeTakeFirst()
  return numDeletedRows > 0
}

export async function deleteIndex(db: Db, index: IndexRow): Promise<void> {
  await db
    .deleteFrom('search_index')
    .where('workspace_id', '=', index.workspace_id)
    .where('id', '=', index.id)
    .execute()
}

export async function indexesOver(db: Db, workspace: string, sourceId: string): Promise<IndexRow[]> {
  const rows = await db
    .selectFrom('search_index')
    .innerJoin('search_index_source', 'search_index_source.index_id', 'search_index.id')
    .selectAll('search_index')
    .where('search_index.workspace_id', '=', workspace)
    .where('source_id', '=', sourceId)
    .orderBy('search_index.id')
    .execute()
  return rows.map(decoded)
}

/** Every index of every workspace. */
export const allIndexes = async (db: Db): Promise<IndexRow[]> =>
  (await db.selectFrom('search_index').selectAll().orderBy('id').execute()).map(decoded)

/** For each index that is complete, the last document that it must hold. One over sources without text has none. */
export const newestDocuments = (db: Db): Promise<{ id: string; workspace_id: string; document_id: string }[]> =>
  db
    .selectFrom('search_index')
    .innerJoin('search_index_source', 'search_index_source.index_id', 'search_index.id')
    .innerJoin('knowledge_document', 'knowledge_document.knowledge_source_id', 'search_index_source.source_id')
    .select(['search_index.id', 'search_index.workspace_id'])
    .select((is) => is.fn.max('knowledge_document.id').as('document_id'))
    .where('search_index.status', '=', 'ready')
    .where('indexed_version', 'is not', null)
    .groupBy(['search_index.id', 'search_index.workspace_id'])
    .execute()

export async function sourcesOf(db: Db, index: Pick<IndexRow, 'id' | 'workspace_id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('search_index_source')
    .select('source_id')
    .where('workspace_id', '=', index.workspace_id)
    .where('index_id', '=', index.id)
    .orderBy('source_id')
    .execute()
  return rows.map(({ source_id }) => source_id)
}

/** How the sources are doing; one that is gone is left out. */
export async function sourceStates(db: Db, workspace: string, sources: readonly string[]): Promise<string[]> {
  if (sources.length === 0) return []
  const rows = await db
    .selectFrom('knowledge_source')
    .select('status')
    .where('workspace_id', '=', workspace)
    .where('id', 'in', sources)
    .execute()
  return rows.map(({ status }) => status)
}

export async function documentIdsOf(db: Db, workspace: string, sources: readonly string[]): Promise<Set<string>> {
  if (sources.length === 0) return new Set()
  const rows = await db
    .selectFrom('knowledge_document')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('knowledge_source_id', 'in', sources)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export const findUse = (db: Db, workspace: string, toolId: string): Promise<UseRow | undefined> =>
  db
    .selectFrom('search_index_use')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .where('tool_id', '=', toolId)
    .executeTakeFirst()

export const saveUse = (tx: Db, use: UseRow): Promise<unknown> =>
  tx
    .insertInto('search_index_use')
    .values(use)
    .onConflict((conflict) =>
      conflict.column('tool_id').doUpdateSet({ wanted_id: use.wanted_id, serving_id: use.serving_id }),
    )
    .execute()

export const deleteUse = (tx: Db, workspace: string, toolId: string): Promise<unknown> =>
  tx.deleteFrom('search_index_use').where('workspace_id', '=', workspace).where('tool_id', '=', toolId).execute()

/** From now on the index serves those who wanted it. */
export const swapTo = (tx: Db, index: IndexRow): Promise<unknown> =>
  tx
    .updateTable('search_index_use')
    .set({ serving_id: index.id })
    .where('workspace_id', '=', index.workspace_id)
    .where('wanted_id', '=', index.id)
    .execute()

export const usesOf = (db: Db, index: IndexRow): Promise<UseRow[]> =>
  db
    .selectFrom('search_index_use')
    .selectAll()
    .where('workspace_id', '=', index.workspace_id)
    .where((is) => is.or([is('wanted_id', '=', index.id), is('serving_id', '=', index.id)]))
    .execute()

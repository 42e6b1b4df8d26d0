import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db } from '../../kernel/store/database.ts'
import { isSource, newestDocument } from '../knowledge-sources/contents.ts'

/** One set of sources, split into passages and embedded in one way. Tools with the same settings share it. */
export interface IndexRow {
  id: string
  workspace_id: string
  /** Hash of the sources and settings. */
  fingerprint: string
  chunk_size: number
  chunk_overlap: number
  /** Id of the embedding model. */
  model_id: string
  /** Identity of the embedding model's vector space. */
  model: string
  /** Whether it is the index that every source has. */
  is_default: boolean
  status: 'pending' | 'indexing' | 'ready' | 'error'
  status_message: string | null
  /** Why some passages are not embedded yet. */
  refine_message: string | null
  used_at: number
  unneeded_since: number | null
  /** The node that embeds the index, and when its lease ends (milliseconds). */
  embedding_node: string | null
  embedding_until: number
  /** How many passages are embedded a second, waiting included. Null until the first ones are. */
  embedding_rate: number | null
  created_at: string
  updated_at: string
}

/** The index that a tool asked for, and the one that serves it until that is ready. */
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

export const findByFingerprint = async (
  db: Db,
  workspace: string,
  fingerprint: string,
): Promise<IndexRow | undefined> =>
  decoded(
    await db
      .selectFrom('search_index')
      .selectAll()
      .where('workspace_id', '=', workspace)
      .where('fingerprint', '=', fingerprint)
      .executeTakeFirst(),
  )

/** The index that serves a tool's searches. */
export const findServingIndex = async (db: Db, workspace: string, toolId: string): Promise<IndexRow | undefined> =>
  decoded(
    await db
      .selectFrom('search_index_use')
      .innerJoin('search_index', 'search_index.id', 'search_index_use.serving_id')
      .selectAll('search_index')
      .where('search_index_use.workspace_id', '=', workspace)
      .where('tool_id', '=', toolId)
      .executeTakeFirst(),
  )

/** SQLite stores booleans as numbers. */
const decoded = <R extends IndexRow | undefined>(row: R): R =>
  row && ({ ...row, is_default: Boolean(row.is_default) } as R)

/** Returns false if another request has just created the same index. */
export async function insertIndex(tx: Db, row: IndexRow, sources: readonly string[]): Promise<boolean> {
  const inserted = await tx
    .insertInto('search_index')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'fingerprint']).doNothing())
    .returning('id')
    .execute()
  if (inserted.length === 0) return false
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

/** Gives this node the lease on embedding the index. Returns undefined if a node other than `from` holds it. */
export const claimEmbedding = (
  db: Db,
  index: Pick<IndexRow, 'id' | 'workspace_id'>,
  claim: { node: string; now: number; until: number; rate: number | null; from?: string },
): Promise<Pick<IndexRow, 'used_at'> | undefined> =>
  db
    .updateTable('search_index')
    .set({ embedding_node: claim.node, embedding_until: claim.until, embedding_rate: claim.rate })
    .where('workspace_id', '=', index.workspace_id)
    .where('id', '=', index.id)
    .where((is) =>
      is.or([
        is('embedding_node', 'in', [claim.node, claim.from ?? claim.node]),
        is('embedding_until', '<=', claim.now),
      ]),
    )
    .returning('used_at')
    .executeTakeFirst()

/** Deletes an unneeded index, unless a tool has been assigned to it meanwhile. */
export async function deleteUnneeded(db: Db, index: IndexRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('search_index')
    .where('workspace_id', '=', index.workspace_id)
    .where('id', '=', index.id)
    .where('unneeded_since', '=', index.unneeded_since)
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** Deletes an index. A tool that it served is served by the one it asked for. */
export async function deleteIndex(tx: Db, index: IndexRow): Promise<void> {
  await tx
    .updateTable('search_index_use')
    .set((is) => ({ serving_id: is.ref('wanted_id') }))
    .where('workspace_id', '=', index.workspace_id)
    .where('serving_id', '=', index.id)
    .execute()
  await tx
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

/** The indexes of all workspaces. */
export const allIndexes = async (db: Db): Promise<IndexRow[]> =>
  (await db.selectFrom('search_index').selectAll().orderBy('id').execute()).map(decoded)

/** The newest document that each ready index must hold. An index without documents has no row. */
export const newestDocuments = async (db: Db): Promise<{ id: string; workspace_id: string; document_id: string }[]> =>
  db
    .selectFrom('search_index')
    .innerJoin('search_index_source', 'search_index_source.index_id', 'search_index.id')
    .select(['search_index.id', 'search_index.workspace_id'])
    .select(({ fn, ref }) => fn.max<string>(newestDocument(ref('source_id'))).as('document_id'))
    .where('search_index.status', '=', 'ready')
    .groupBy(['search_index.id', 'search_index.workspace_id'])
    .having(({ fn, ref }) => fn.max(newestDocument(ref('source_id'))), 'is not', null)
    .execute()

export async function findSources(db: Db, index: Pick<IndexRow, 'id' | 'workspace_id'>): Promise<string[]> {
  const rows = await db
    .selectFrom('search_index_source')
    .select('source_id')
    .where('workspace_id', '=', index.workspace_id)
    .where('index_id', '=', index.id)
    .orderBy('source_id')
    .execute()
  return rows.map(({ source_id }) => source_id)
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

/** Lets a ready index serve the tools that asked for it. */
export const serveFrom = (tx: Db, index: IndexRow): Promise<unknown> =>
  tx
    .updateTable('search_index_use')
    .set({ serving_id: index.id })
    .where('workspace_id', '=', index.workspace_id)
    .where('wanted_id', '=', index.id)
    .execute()

export const findUses = (db: Db, index: IndexRow): Promise<UseRow[]> =>
  db
    .selectFrom('search_index_use')
    .selectAll()
    .where('workspace_id', '=', index.workspace_id)
    .where((is) => is.or([is('wanted_id', '=', index.id), is('serving_id', '=', index.id)]))
    .execute()

/** The most recently used indexes that serve a tool. */
export const recentIndexes = (db: Db, limit: number): Promise<Pick<IndexRow, 'id' | 'workspace_id'>[]> =>
  db
    .selectFrom('search_index')
    .innerJoin('search_index_use', 'search_index_use.serving_id', 'search_index.id')
    .select(['search_index.id', 'search_index.workspace_id', 'used_at'])
    .distinct()
    .orderBy('used_at', 'desc')
    .limit(limit)
    .execute()

// Kysely has no typed reference to a table that is a variable, and its `case` is twice as long, so these are SQL.
const anySource = (condition: Expression<SqlBool>) => sql`exists (
  select 1 from search_index_source s where s.workspace_id = i.workspace_id and s.index_id = i.id and ${condition})`
const sourceId = sql.ref<string>('s.source_id')
const anySourceIs = (status: Parameters<typeof isSource>[1]) => anySource(isSource(sourceId, status))
const isEmpty = sql`not ${anySource(sql`${newestDocument(sourceId)} is not null`)}`

/** The status of a tool, where `i` is the index it asked for. `ready`: all that its sources hold is searchable. */
const toolStatus = sql<IndexRow['status']>`case
  when i.status <> 'ready' then i.status
  when ${anySourceIs('syncing')} then 'indexing'
  when ${isEmpty} and ${anySourceIs('error')} then 'error'
  when ${isEmpty} and ${anySourceIs('pending')} then 'pending'
  else 'ready' end`

/** The status of every tool of a table, for lists to sort and filter by. */
export const toolStatusColumn = (table: string) => sql`coalesce((
  select ${toolStatus} from search_index_use u join search_index i on i.id = u.wanted_id
  where u.workspace_id = ${sql.ref(`${table}.workspace_id`)} and u.tool_id = ${sql.ref(`${table}.id`)}), 'pending')`

/** The index that a tool asked for, with the status of the tool. */
export const findIndexOfTool = async (db: Db, workspace: string, toolId: string) =>
  decoded(
    await db
      .selectFrom('search_index_use')
      .innerJoin('search_index as i', 'i.id', 'search_index_use.wanted_id')
      .selectAll('i')
      .select(toolStatus.as('tool_status'))
      .where('search_index_use.workspace_id', '=', workspace)
      .where('tool_id', '=', toolId)
      .executeTakeFirst(),
  )

import type { OnProgress } from '@parley/documents'
import { type NamedChange, StaleChange } from '@parley/search'
import type { Preparation } from '@parley/search/preparation'
import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { statement } from '../../../kernel/store/statement.ts'
import { second, timestamp } from '../../../kernel/time.ts'
import type { ChunkCounts, Indexer, ParsedDocument } from '../../knowledge-sources/indexer.ts'
import type { Bill } from '../../usage/ledger.ts'
import { billStatic, isEmbeddedLater } from '../embedding.ts'
import { enqueueEmbedding } from '../queue.ts'
import { indexesWithDefault, readState } from '../service.ts'
import { indexName, invalidateDescription, withDocumentLock, withDocumentLocks } from '../state.ts'
import { deleteIndex, findUses, type IndexRow, indexesOver } from '../store.ts'
import { difference, toChunks } from './chunks.ts'

/** The token id in the ledger for calls without a request. */
export const indexing = 'indexing'

const noChunks: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

/** How often a write is retried if other nodes change the same document. */
const maxAttempts = 5

interface Planned {
  index: IndexRow
  change: NamedChange
  counts: ChunkCounts
  /** The tokens of the passages that get a static vector. */
  tokens: number
}

/** Replaces the passages of a document in indexes, and commits statements with it. Returns what has changed. */
export async function putDocument(
  ctx: Context,
  indexes: readonly IndexRow[],
  document: ParsedDocument,
  statements: (counts: ChunkCounts) => Statement[],
  signal: AbortSignal,
  onProgress: OnProgress = () => {},
): Promise<Planned[]> {
  for (let attempt = 1; ; attempt++) {
    const planned: Planned[] = []
    for (const index of indexes) planned.push(await planChange(ctx, index, document, signal, onProgress))
    const changed = planned.filter(({ counts: { embedded, reused, removed } }) => embedded + reused + removed > 0)
    const counts = planned.find(({ index }) => index.is_default)?.counts ?? noChunks
    const changes = planned
      .map(({ change }) => change)
      .filter(({ add, remove }) => add?.length || remove?.chunks?.length)
    try {
      await ctx.search.commit(changes, statements(counts))
      for (const { index } of changed) invalidateDescription(ctx, index)
      return changed
    } catch (error) {
      if (!(error instanceof StaleChange) || attempt === maxAttempts) throw error
    }
  }
}

async function planChange(
  ctx: Context,
  index: IndexRow,
  document: ParsedDocument,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<Planned> {
  const task = { signal, key: index.workspace_id }
  const spans = await ctx.parser.chunkDocument(document, {
    size: index.chunk_size,
    overlap: index.chunk_overlap,
    ...task,
  })
  const chunks = await toChunks(document, spans)
  const before = await ctx.search.documentChunks(indexName(index), document.id)
  const { add, remove, counts } = difference(before, chunks)
  const prepared = add.length > 0 ? await ctx.parser.prepare(add, { ...task, onProgress }) : []
  const change: NamedChange = {
    index: indexName(index),
    add: add.map((chunk, at) => ({ ...chunk, prepared: prepared[at] as Preparation })),
    remove: { chunks: remove },
    expect: { document: document.id, chunks: before.map(({ id }) => id) },
    ...(isEmbeddedLater(index) && { model: index.model }),
  }
  const added = new Set(add.map(({ id }) => id))
  const tokens = chunks.reduce((sum, { id }, at) => sum + (added.has(id) ? (spans[at]?.tokens ?? 0) : 0), 0)
  return { index, change, counts, tokens }
}

/** Applies every change of a document to every index over its source. The counts are those of the default index. */
export const indexer: Indexer = {
  async put(ctx, workspace, document, statements, signal, onProgress) {
    const indexes = await indexesWithDefault(ctx, workspace, document.sourceId)
    const changed = await withDocumentLock(ctx, document.id, () => {
      for (const { id } of indexes) ctx.state.indexes.changedDuringBuild.get(id)?.add(document.id)
      return putDocument(ctx, indexes, document, statements, signal, onProgress)
    })
    for (const { index, tokens } of changed) await afterPut(ctx, index, tokens)
  },

  async remove(ctx, workspace, sourceId, documentIds, statements = () => []) {
    const indexes = await indexesOver(ctx.db, workspace, sourceId)
    const byDefault = indexes.find((index) => index.is_default)
    let removed = 0
    for (const id of byDefault ? documentIds : []) {
      const page = await ctx.search.documentPage(indexName(byDefault as IndexRow), id, { offset: 0, limit: 1 })
      removed += page.total
    }
    const changes = indexes.map((index) => ({ index: indexName(index), remove: { documents: documentIds } }))
    await withDocumentLocks(ctx, documentIds, async () => {
      for (const { id } of indexes) {
        for (const document of documentIds) ctx.state.indexes.changedDuringBuild.get(id)?.add(document)
      }
      await ctx.search.commit(changes, statements(removed))
    })
    for (const index of indexes) {
      invalidateDescription(ctx, index)
      await setUpdated(ctx, index)
    }
  },

  async passages(ctx, workspace, { id, sourceId }, range) {
    const index = (await indexesOver(ctx.db, workspace, sourceId)).find((each) => each.is_default)
    if (!index) return { rows: [], total: 0 }
    const { chunks, total } = await ctx.search.documentPage(indexName(index), id, range)
    const rows = chunks.map(({ span, ...chunk }) => ({ ...chunk, start: span?.start ?? 0, end: span?.end ?? 0 }))
    return { rows, total }
  },

  async state(ctx, workspace, sourceId) {
    const index = (await indexesOver(ctx.db, workspace, sourceId)).find((each) => each.is_default)
    return index ? readState(ctx, index) : null
  },

  async drop(ctx, workspace, sourceId) {
    for (const index of await indexesOver(ctx.db, workspace, sourceId)) await dropIndex(ctx, index)
  },
}

async function afterPut(ctx: Context, index: IndexRow, tokens: number): Promise<void> {
  await setUpdated(ctx, index, tokens === 0 ? undefined : await billPut(ctx, index, tokens))
  if (!isEmbeddedLater(index)) return
  const hasTool = (await findUses(ctx.db, index)).length > 0
  if (!hasTool && !index.is_default) return
  await inTransaction(ctx.db, (tx) => enqueueEmbedding(ctx, tx, index, hasTool ? 0 : withoutTool))
}

/** Delays the embedding of an index that no tool uses yet, so that running syncs get the CPU first. */
const withoutTool = 5 * second

/** The bill of the static vectors that passages get when they are put. */
export async function billPut(ctx: Context, index: IndexRow, tokens: number): Promise<Bill> {
  const who = { workspace: index.workspace_id, token: indexing }
  return billStatic(ctx, who, { toolId: await findOnlyTool(ctx, index) }, tokens)
}

/** The tool that an index belongs to, if it is not shared. */
export async function findOnlyTool(ctx: Context, index: IndexRow): Promise<string | null> {
  const uses = await findUses(ctx.db, index)
  return uses.length === 1 ? (uses[0]?.tool_id ?? null) : null
}

/** Stores the time of a change, and what it cost. */
export async function setUpdated(ctx: Context, index: IndexRow, bill?: Bill): Promise<void> {
  const updated = ctx.db
    .updateTable('search_index')
    .set({ updated_at: timestamp(ctx.now()) })
    .where('id', '=', index.id)
    .where('workspace_id', '=', index.workspace_id)
  await ctx.commits.commit([statement(updated), ...(bill?.statements ?? [])])
  bill?.sent()
}

/** Deletes the row last, so that an interrupted drop is repeated. */
export async function dropIndex(ctx: Context, index: IndexRow): Promise<void> {
  await ctx.search.drop(indexName(index))
  await inTransaction(ctx.db, (tx) => deleteIndex(tx, index))
  invalidateDescription(ctx, index)
}

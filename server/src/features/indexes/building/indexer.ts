import type { Preparation } from '@parley/search/preparation'
import type { Context } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ChunkCounts, Indexer, ParsedDocument } from '../../knowledge-sources/indexer.ts'
import type { Bill } from '../../usage/ledger.ts'
import { billStatic, isEmbeddedLater } from '../embedding.ts'
import { enqueueEmbedding } from '../queue.ts'
import { indexesWithDefault } from '../service.ts'
import { invalidateDescription, nameOf, withDocumentLock } from '../state.ts'
import { deleteIndex, type IndexRow, indexesOver, usesOf } from '../store.ts'
import { difference, toChunks } from './chunks.ts'

/** Stands in the ledger where other calls have the token of a request. */
export const indexing = 'indexing'

interface Put {
  counts: ChunkCounts
  /** The tokens of the passages that were embedded. */
  tokens: number
}

const noChunks: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

/** Replaces the passages of a document in one index, in one step. */
export async function putDocument(
  ctx: Context,
  index: IndexRow,
  document: ParsedDocument,
  signal: AbortSignal,
): Promise<Put> {
  const task = { signal, key: index.workspace_id }
  const spans = await ctx.parser.chunkDocument(document, {
    size: index.chunk_size,
    overlap: index.chunk_overlap,
    ...task,
  })
  const chunks = await toChunks(document, spans)
  const { add, remove, counts } = difference(await ctx.search.documentChunks(nameOf(index), document.id), chunks)
  if (add.length + remove.length > 0) {
    const model = isEmbeddedLater(index) ? { model: index.model } : {}
    const prepared = await ctx.parser.prepare(add, task)
    const ready = add.map((chunk, at) => ({ ...chunk, prepared: prepared[at] as Preparation }))
    await ctx.search.update(nameOf(index), { add: ready, remove: { chunks: remove }, ...model })
    invalidateDescription(ctx, index)
  }
  const added = new Set(add.map(({ id }) => id))
  const tokens = chunks.reduce((sum, { id }, at) => sum + (added.has(id) ? (spans[at]?.tokens ?? 0) : 0), 0)
  return { counts, tokens }
}

/** Applies every change of a document to every index over its source. The counts are those of the default index. */
export const indexer: Indexer = {
  async put(ctx, workspace, document, signal) {
    let counts = noChunks
    for (const index of await indexesWithDefault(ctx, workspace, document.sourceId)) {
      const { counts: changed, tokens } = await withDocumentLock(ctx, index, document.id, () => {
        ctx.state.indexes.changedDuringBuild.get(index.id)?.add(document.id)
        return putDocument(ctx, index, document, signal)
      })
      if (changed.embedded + changed.reused + changed.removed > 0) await afterPut(ctx, index, tokens)
      if (index.is_default) counts = changed
    }
    return counts
  },

  async remove(ctx, workspace, sourceId, documentIds) {
    let counts = noChunks
    for (const index of await indexesOver(ctx.db, workspace, sourceId)) {
      let removed = 0
      for (const documentId of documentIds) {
        removed += await withDocumentLock(ctx, index, documentId, async () => {
          ctx.state.indexes.changedDuringBuild.get(index.id)?.add(documentId)
          return (await ctx.search.update(nameOf(index), { remove: { documents: [documentId] } })).removed
        })
      }
      invalidateDescription(ctx, index)
      await setUpdated(ctx, index)
      if (index.is_default) counts = { ...noChunks, removed }
    }
    return counts
  },

  async passages(ctx, workspace, { id, sourceId }, range) {
    const index = (await indexesOver(ctx.db, workspace, sourceId)).find((each) => each.is_default)
    if (!index) return { rows: [], total: 0 }
    const { chunks, total } = await ctx.search.documentPage(nameOf(index), id, range)
    const rows = chunks.map(({ span, ...chunk }) => ({ ...chunk, start: span?.start ?? 0, end: span?.end ?? 0 }))
    return { rows, total }
  },

  async drop(ctx, workspace, sourceId) {
    for (const index of await indexesOver(ctx.db, workspace, sourceId)) await dropIndex(ctx, index)
  },
}

/** Only the indexes of tools are worth calling the embedding model for. */
async function afterPut(ctx: Context, index: IndexRow, tokens: number): Promise<void> {
  await setUpdated(ctx, index, tokens === 0 ? undefined : await billPut(ctx, index, tokens))
  if (!isEmbeddedLater(index) || (await usesOf(ctx.db, index)).length === 0) return
  await inTransaction(ctx.db, (tx) => enqueueEmbedding(ctx, tx, index))
}

/** The bill of the static vectors that passages get when they are put. */
export async function billPut(ctx: Context, index: IndexRow, tokens: number): Promise<Bill> {
  const who = { workspace: index.workspace_id, token: indexing }
  return billStatic(ctx, who, { toolId: await onlyToolOf(ctx, index) }, tokens)
}

/** The tool that an index belongs to, if it is not shared. */
export async function onlyToolOf(ctx: Context, index: IndexRow): Promise<string | null> {
  const uses = await usesOf(ctx.db, index)
  return uses.length === 1 ? (uses[0]?.tool_id ?? null) : null
}

/** Stores the time of a change, and what it cost. */
export async function setUpdated(ctx: Context, index: IndexRow, bill?: Bill): Promise<void> {
  const row = { id: index.id, workspace_id: index.workspace_id }
  const updated = ctx.statements.update('search_index', { updated_at: timestamp(ctx.now()) }, row)
  await ctx.commits.commit([updated, ...(bill?.statements ?? [])])
  bill?.sent()
}

/** The row goes last, so that a drop that a crash interrupts is repeated. */
export async function dropIndex(ctx: Context, index: IndexRow): Promise<void> {
  await ctx.search.drop(nameOf(index))
  await inTransaction(ctx.db, (tx) => deleteIndex(tx, index))
  invalidateDescription(ctx, index)
}

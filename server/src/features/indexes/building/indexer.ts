import type { Preparation } from '@parley/search/preparation'
import type { Context } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { timestamp } from '../../../kernel/time.ts'
import type { ChunkCounts, Indexer, ParsedDocument } from '../../knowledge-sources/indexer.ts'
import { isEmbeddedLater } from '../embedding.ts'
import { enqueueEmbedding } from '../queue.ts'
import { indexesWithDefault } from '../service.ts'
import { invalidateDescription, nameOf, withDocumentLock } from '../state.ts'
import { deleteIndex, type IndexRow, indexesOver, usesOf } from '../store.ts'
import { difference, toChunks } from './chunks.ts'

const noChunks: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

/** Replaces the passages of a document in one index, in one step. */
export async function putDocument(
  ctx: Context,
  index: IndexRow,
  document: ParsedDocument,
  signal: AbortSignal,
): Promise<ChunkCounts> {
  const spans = await ctx.parser.chunkDocument(document, {
    size: index.chunk_size,
    overlap: index.chunk_overlap,
    signal,
  })
  const chunks = await toChunks(document, spans)
  const { add, remove, counts } = difference(await ctx.search.documentChunks(nameOf(index), document.id), chunks)
  if (add.length + remove.length > 0) {
    const model = isEmbeddedLater(index) ? { model: index.model } : {}
    const prepared = await ctx.parser.prepare(add, signal)
    const ready = add.map((chunk, at) => ({ ...chunk, prepared: prepared[at] as Preparation }))
    await ctx.search.update(nameOf(index), { add: ready, remove: { chunks: remove }, ...model })
    invalidateDescription(ctx, index)
  }
  return counts
}

/** Applies every change of a document to every index over its source. The counts are those of the default index. */
export const indexer: Indexer = {
  async put(ctx, workspace, document, signal) {
    let counts = noChunks
    for (const index of await indexesWithDefault(ctx, workspace, document.sourceId)) {
      const changed = await withDocumentLock(ctx, index, document.id, () => {
        ctx.state.indexes.changedDuringBuild.get(index.id)?.add(document.id)
        return putDocument(ctx, index, document, signal)
      })
      if (changed.embedded + changed.reused + changed.removed > 0) await afterPut(ctx, index)
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
async function afterPut(ctx: Context, index: IndexRow): Promise<void> {
  await setUpdated(ctx, index)
  if (!isEmbeddedLater(index) || (await usesOf(ctx.db, index)).length === 0) return
  await inTransaction(ctx.db, (tx) => enqueueEmbedding(ctx, tx, index))
}

export async function setUpdated(ctx: Context, index: IndexRow): Promise<void> {
  const row = { id: index.id, workspace_id: index.workspace_id }
  await ctx.commits.commit([ctx.statements.update('search_index', { updated_at: timestamp(ctx.now()) }, row)])
}

/** The row goes last, so that a drop that a crash interrupts is repeated. */
export async function dropIndex(ctx: Context, index: IndexRow): Promise<void> {
  await ctx.search.drop(nameOf(index))
  await inTransaction(ctx.db, (tx) => deleteIndex(tx, index))
  invalidateDescription(ctx, index)
}

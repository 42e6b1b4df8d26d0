import type { Chunk as Cut } from '@parley/documents/chunk'
import type { Preparation } from '@parley/search/preparation'
import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import type { ChunkCounts, Indexer, ParsedDocument } from '../knowledge-sources/indexer.ts'
import { difference, toChunks } from './chunks.ts'
import { isRefinable } from './embedder.ts'
import { queueRefinement } from './queues.ts'
import { forgetDescription, inTurn, nameOf, stateOf } from './state.ts'
import { deleteIndex, type IndexRow, indexesOver, usesOf } from './store.ts'
import { touchIndex } from './touch.ts'
import { ensureDefault } from './uses.ts'

const nothing: ChunkCounts = { embedded: 0, reused: 0, removed: 0 }

type CutDocument = (size: number, overlap: number) => Promise<Cut[]>

/** Cuts a document once for all indexes that want it cut alike. */
export function cutter(ctx: Context, document: ParsedDocument, signal: AbortSignal): CutDocument {
  const known = new Map<string, Promise<Cut[]>>()
  return (size, overlap) => {
    const key = `${size} ${overlap}`
    const cuts = known.get(key) ?? ctx.parser.chunkDocument(document, { size, overlap, signal })
    known.set(key, cuts)
    return cuts
  }
}

/** Puts the passages of a document in the place of those it had, all at once. */
export async function putInto(
  ctx: Context,
  index: IndexRow,
  document: ParsedDocument,
  cut: CutDocument,
  signal: AbortSignal,
): Promise<ChunkCounts> {
  const chunks = await toChunks(document, await cut(index.chunk_size, index.chunk_overlap))
  const { add, remove, counts } = difference(await ctx.search.documentChunks(nameOf(index), document.id), chunks)
  if (add.length + remove.length > 0) {
    const model = isRefinable(index) ? { model: index.model } : {}
    const prepared = await ctx.parser.prepare(add, signal)
    const ready = add.map((chunk, at) => ({ ...chunk, prepared: prepared[at] as Preparation }))
    await ctx.search.update(nameOf(index), { add: ready, remove: { chunks: remove }, ...model })
    forgetDescription(ctx, index)
  }
  return counts
}

/** Every index over a source follows what happens to its documents. What is counted is the default index. */
export const indexes: Indexer = {
  async put(ctx, workspace, document, signal) {
    await ensureDefault(ctx, workspace, document.sourceId)
    const cut = cutter(ctx, document, signal)
    let counts = nothing
    for (const index of await indexesOver(ctx.db, workspace, document.sourceId)) {
      const changed = await inTurn(ctx, index, document.id, () => {
        stateOf(ctx).touched.get(index.id)?.add(document.id)
        return putInto(ctx, index, document, cut, signal)
      })
      if (changed.embedded + changed.reused + changed.removed > 0) await changedIndex(ctx, index)
      if (index.is_default) counts = changed
    }
    return counts
  },

  async remove(ctx, workspace, sourceId, documentIds) {
    let counts = nothing
    for (const index of await indexesOver(ctx.db, workspace, sourceId)) {
      let removed = 0
      for (const documentId of documentIds) {
        removed += await inTurn(ctx, index, documentId, async () => {
          stateOf(ctx).touched.get(index.id)?.add(documentId)
          return (await ctx.search.update(nameOf(index), { remove: { documents: [documentId] } })).removed
        })
      }
      forgetDescription(ctx, index)
      await touchIndex(ctx, index)
      if (index.is_default) counts = { ...nothing, removed }
    }
    return counts
  },

  async passages(ctx, workspace, { id, sourceId }, stretch) {
    const index = (await indexesOver(ctx.db, workspace, sourceId)).find((each) => each.is_default)
    if (!index) return { rows: [], total: 0 }
    const { chunks, total } = await ctx.search.documentPage(nameOf(index), id, stretch)
    const rows = chunks.map(({ span, ...chunk }) => ({ ...chunk, start: span?.start ?? 0, end: span?.end ?? 0 }))
    return { rows, total }
  },

  async drop(ctx, workspace, sourceId) {
    stateOf(ctx).withDefault.delete(sourceId)
    for (const index of await indexesOver(ctx.db, workspace, sourceId)) await dropIndex(ctx, index)
  },
}

/** Only what a tool searches is worth the work of the embedding model. A source's many documents ask for it once. */
async function changedIndex(ctx: Context, index: IndexRow): Promise<void> {
  await touchIndex(ctx, index)
  const { awaiting, refining } = stateOf(ctx)
  if (!isRefinable(index) || awaiting.has(index.id) || (await usesOf(ctx.db, index)).length === 0) return
  if (!refining.has(index.id)) awaiting.add(index.id)
  try {
    await inTransaction(ctx.db, (tx) => queueRefinement(ctx, tx, index))
  } catch (error) {
    awaiting.delete(index.id)
    throw error
  }
}

/** First what it holds, then the word of it: whatever happens in between, it can be dropped again. */
export async function dropIndex(ctx: Context, index: IndexRow): Promise<void> {
  await ctx.search.drop(nameOf(index))
  await deleteIndex(ctx.db, index)
  forgetDescription(ctx, index)
}

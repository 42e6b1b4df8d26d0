import type { Context } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/store/database.ts'
import { enqueueBuild } from '../queue.ts'
import { indexName } from '../state.ts'
import { newestDocuments, setIndex } from '../store.ts'

/**
 * Rebuilds indexes that are missing or outdated, as after restoring a data folder without `search.db`. The newest
 * document of an index is stored only after it was put, so its absence shows that the index is not complete.
 */
export async function rebuildLostIndexes(ctx: Context): Promise<void> {
  for (const index of await newestDocuments(ctx.db)) {
    const { total } = await ctx.search.documentPage(indexName(index), index.document_id, { offset: 0, limit: 1 })
    if (total > 0) continue
    ctx.log.warn({ workspace: index.workspace_id, index: index.id }, 'an index is incomplete and will be rebuilt')
    await inTransaction(ctx.db, async (tx) => {
      await setIndex(tx, index, { status: 'pending', status_message: null })
      await enqueueBuild(ctx, tx, index)
    })
  }
}

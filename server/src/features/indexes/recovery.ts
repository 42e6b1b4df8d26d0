import type { Context } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/store/database.ts'
import { queues } from './queues.ts'
import { nameOf } from './state.ts'
import { newestDocuments, setIndex } from './store.ts'

/**
 * Builds again what the search should hold and does not, as in a folder that was restored without `search.db` or with an
 * old one. A text is kept only once it is searchable, so looking for the newest of each index tells.
 */
export async function rebuildLost(ctx: Context): Promise<void> {
  for (const index of await newestDocuments(ctx.db)) {
    const { total } = await ctx.search.documentPage(nameOf(index), index.document_id, { offset: 0, limit: 1 })
    if (total > 0) continue
    const { workspace_id: workspace, id } = index
    ctx.log.warn({ workspace, index: id }, 'the search does not hold what it should; the index is built again')
    await inTransaction(ctx.db, async (tx) => {
      await setIndex(tx, index, { status: 'pending', status_message: null })
      await ctx.jobs.enqueue(tx, queues.build, { workspace, payload: { index: id }, key: `build ${id}` })
    })
  }
}

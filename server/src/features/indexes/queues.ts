import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { IndexRow } from './store.ts'

export const queues = { build: 'indexes.build', refine: 'indexes.refine', tidy: 'indexes.tidy' } as const

/**
 * Asks for the vectors of the embedding model, in the background. A job that runs already hears of it; one that is just
 * ending does not, so the next one has another key.
 */
export async function queueRefinement(ctx: Context, tx: Db, index: IndexRow): Promise<void> {
  const { refining, refined } = ctx.state.indexes
  if (refining.has(index.id)) refining.set(index.id, true)
  else {
    const key = `refine ${index.id} ${refined.get(index.id) ?? 0}`
    await ctx.jobs.enqueue(tx, queues.refine, { workspace: index.workspace_id, payload: { index: index.id }, key })
  }
}

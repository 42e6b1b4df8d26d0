import type { Context } from '../../kernel/context.ts'
import { second, timestamp } from '../../kernel/time.ts'
import type { IndexRow } from './store.ts'

/** Times are told in whole seconds, so more than one write a second would say nothing new. */
export async function touchIndex(ctx: Context, index: IndexRow): Promise<void> {
  const { touchedAt } = ctx.state.indexes
  const now = Math.floor(ctx.now() / second)
  if (touchedAt.get(index.id) === now) return
  touchedAt.set(index.id, now)
  const change = { updated_at: timestamp(ctx.now()) }
  const row = { id: index.id, workspace_id: index.workspace_id }
  await ctx.commits.commit([ctx.statements.update('search_index', change, row)])
}

import type { Context } from '../../kernel/context.ts'
import { second, timestamp } from '../../kernel/time.ts'

/** When each token was last seen, kept in memory and written now and then, not with every request. */
const seen = new WeakMap<Context, Map<string, number>>()
const flushEvery = 30 * second

export function noteUse(ctx: Context, tokenId: string): void {
  let times = seen.get(ctx)
  if (!times) {
    times = new Map()
    seen.set(ctx, times)
  }
  if (times.size === 0) setTimeout(() => flushLastUsed(ctx).catch(() => {}), flushEvery).unref()
  times.set(tokenId, ctx.now())
}

export async function flushLastUsed(ctx: Context): Promise<void> {
  const times = seen.get(ctx)
  if (!times || times.size === 0) return
  const entries = [...times]
  times.clear()
  for (const [id, time] of entries) {
    await ctx.db
      .updateTable('token')
      .set({ last_used_at: timestamp(time) })
      .where('id', '=', id)
      .execute()
  }
}

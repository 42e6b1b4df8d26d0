import type { Context } from '../../kernel/context.ts'
import { second, timestamp } from '../../kernel/time.ts'

const flushInterval = 30 * second

export function recordUse(ctx: Context, tokenId: string): void {
  const times = ctx.state.tokens.lastUsed
  if (times.size === 0) setTimeout(() => flushLastUsed(ctx).catch(() => {}), flushInterval).unref()
  times.set(tokenId, ctx.now())
}

export async function flushLastUsed(ctx: Context): Promise<void> {
  const times = ctx.state.tokens.lastUsed
  if (times.size === 0) return
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

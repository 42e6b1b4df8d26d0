import type { Context } from './context.ts'

/** Removes what is older than a moment (milliseconds), a bounded number at a time; answers with how many there were. */
export interface Retained {
  what: string
  remove(ctx: Context, before: number): Promise<number>
}

/** Removes everything that is older, and tells how much that was. */
export async function removeOld(ctx: Context, before: number, signal?: AbortSignal): Promise<Record<string, number>> {
  const removed: Record<string, number> = {}
  for (const { what, remove } of ctx.retention) {
    for (let more = await remove(ctx, before); more > 0; more = await remove(ctx, before)) {
      removed[what] = (removed[what] ?? 0) + more
      signal?.throwIfAborted()
    }
  }
  return removed
}

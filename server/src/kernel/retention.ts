import type { Context } from './context.ts'

/** Deletes all retained data older than `before` and returns the number of rows by kind. */
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

import type { Context } from '../../kernel/context.ts'
import { dollars } from './cost.ts'
import { readWindows, sumWindows } from './window-store.ts'

export { deleteWindows as deleteAllowance } from './window-store.ts'

/** The amount that was spent of each allowance today (UTC), in US dollars. */
export async function spentToday(ctx: Context, ids: string[]): Promise<Map<string, number>> {
  const windows = await readWindows(
    ctx,
    ids.map((id) => ({ id, window: 'day' as const })),
    ctx.now(),
  )
  return new Map(ids.map((id) => [id, dollars(Number(windows.get(id)?.spent ?? 0))]))
}

/** The amount that was spent of an allowance between two days, which are included, in US dollars. */
export const spentBetween = async (ctx: Context, id: string, start: string, end: string): Promise<number> =>
  dollars(await sumWindows(ctx.db, id, start, end))

import { isBound } from './access.ts'
import type { Caller, Context } from './context.ts'

/** The ids of everything of these kinds (prefixes of ids) that the caller may not see. */
export async function findUnseen(ctx: Context, who: Caller, ...prefixes: string[]): Promise<string[]> {
  if (!isBound(who)) return []
  const ids = await Promise.all(prefixes.map((prefix) => ctx.resources.get(prefix)?.unseen?.(ctx, who) ?? []))
  return ids.flat()
}

import { isBound } from './access.ts'
import type { Caller, Context } from './context.ts'

/** The ids of everything of these kinds (prefixes of ids) that the caller may not see. */
export async function unseenOf(ctx: Context, who: Caller, ...prefixes: string[]): Promise<string[]> {
  if (!isBound(who)) return []
  const found = await Promise.all(prefixes.map((prefix) => ctx.resources.get(prefix)?.unseen?.(ctx, who) ?? []))
  return found.flat()
}

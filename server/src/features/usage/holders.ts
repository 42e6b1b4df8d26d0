import type { Context } from '../../kernel/context.ts'

const known = new WeakMap<Context, Set<string>>()

/** Who holds reservations in this process. */
export function holdersOf(ctx: Context): Set<string> {
  let holders = known.get(ctx)
  if (!holders) {
    holders = new Set()
    known.set(ctx, holders)
  }
  return holders
}

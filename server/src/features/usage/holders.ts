import type { Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'

const known = new WeakMap<Db, Set<string>>()

/** Who holds reservations in this process. */
export function holdersOf({ db }: Context): Set<string> {
  let holders = known.get(db)
  if (!holders) {
    holders = new Set()
    known.set(db, holders)
  }
  return holders
}

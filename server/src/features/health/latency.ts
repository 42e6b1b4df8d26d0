import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { second } from '../../kernel/time.ts'
import { within } from '../../kernel/within.ts'

/** How long a component may take to respond. */
export const responseTimeout = 5 * second

/** Milliseconds of some work, or null if it failed or took too long. */
export async function measureLatency(work: () => Promise<unknown>): Promise<number | null> {
  const started = performance.now()
  try {
    await within(responseTimeout, work())
    return Math.round((performance.now() - started) * 100) / 100
  } catch {
    return null
  }
}

export const databaseLatency = ({ db }: Context) => measureLatency(() => sql`select 1`.execute(db))
export const searchLatency = ({ search }: Context) => measureLatency(() => search.describe({ workspace: '', key: '' }))

import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/store/database.ts'
import { hour, second } from '../../kernel/time.ts'
import { warmUp as warmUpLedger } from '../usage/service.ts'
import { warmUp as warmUpMessages } from './store.ts'

const firstDelay = 5 * second
/** Smaller workspaces are cached by the first query. */
const minRows = 20_000

/** Caches the changed days of large workspaces, so that no query has to wait for a year to be loaded. */
export function startWarming(ctx: Context, after: number = firstDelay): void {
  const timer = setTimeout(() => {
    warm(ctx)
      .catch((error) => ctx.log.warn({ err: error }, 'could not warm up the statistics cache'))
      .finally(() => ctx.state.analytics.warming && startWarming(ctx, hour))
  }, after)
  timer.unref()
  ctx.state.analytics.warming = timer
}

export function stopWarming(ctx: Context): void {
  clearTimeout(ctx.state.analytics.warming)
  ctx.state.analytics.warming = undefined
}

async function warm(ctx: Context): Promise<void> {
  const query = sql<{ workspace_id: string }>`
    select workspace_id from usage_rollup
    where entity_type = 'workspace' and period >= 'm' group by workspace_id having sum(requests) >= ${minRows}
    union
    select workspace_id from conversation_tally
    where days_of = '' group by workspace_id having sum(n) >= ${minRows}`
  for (const { workspace_id } of await rowsOf<{ workspace_id: string }>(ctx.db, query.compile(ctx.db))) {
    await warmUpLedger(ctx, workspace_id)
    await warmUpMessages(ctx, workspace_id)
  }
}

import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/store/database.ts'
import { hour, second } from '../../kernel/time.ts'
import { bringUpToDate as bringLedgerUpToDate } from '../usage/service.ts'
import { bringUpToDate as bringMessagesUpToDate } from './store.ts'

const first = 5 * second
/** Fewer calls are read while somebody waits. */
const manyCalls = 20_000

/** Reads the days that have changed in large workspaces, so that whoever asks does not wait for a year to be read. */
export function startWarming(ctx: Context, after: number = first): void {
  const timer = setTimeout(() => {
    warm(ctx)
      .catch((error) => ctx.log.warn({ err: error }, 'the books of the statistics could not be brought up to date'))
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
    where entity_type = 'workspace' and period >= 'm' group by workspace_id having sum(requests) >= ${manyCalls}`
  for (const { workspace_id } of await rowsOf<{ workspace_id: string }>(ctx.db, query.compile(ctx.db))) {
    await bringLedgerUpToDate(ctx, workspace_id)
    await bringMessagesUpToDate(ctx, workspace_id)
  }
}

import type { Context } from '../../kernel/context.ts'
import { second } from '../../kernel/time.ts'
import { holdWindow, recount, releaseOf, tellExceeded } from './window-store.ts'
import { windowStart } from './windows.ts'

const beat = 10 * second
const atOnce = 1000
/** Longer than it takes to find a turn whose process is gone, which is billed as its reservation is given back. */
const deadAfter = 90 * second

/** Gives back what calls had reserved whose process is gone. */
export async function releaseLost(ctx: Context, silentSince: number): Promise<void> {
  const lost = await ctx.db
    .selectFrom('usage_reservation')
    .select(['holder', 'threshold_id', 'window_start'])
    .where('alive_at', '<=', silentSince)
    .orderBy('threshold_id')
    .execute()
  for (const holder of new Set(lost.map((row) => row.holder))) {
    if (ctx.state.usage.holders.has(holder)) continue
    const windows = lost.filter((row) => row.holder === holder)
    await ctx.commits.commit([
      ...windows.map((row) => holdWindow(ctx, row.threshold_id, row.window_start)),
      ...releaseOf(ctx, holder),
    ])
  }
}

/** Says that the calls of this node still run. */
async function stayAlive(ctx: Context): Promise<void> {
  const holders = [...ctx.state.usage.holders]
  for (let first = 0; first < holders.length; first += atOnce) {
    await ctx.db
      .updateTable('usage_reservation')
      .set({ alive_at: ctx.now() })
      .where('holder', 'in', holders.slice(first, first + atOnce))
      .execute()
  }
}

const everyThreshold = (ctx: Context) =>
  ctx.db.selectFrom('usage_threshold').innerJoin('usage_window', 'usage_window.threshold_id', 'usage_threshold.id')

/** What was left to be counted once more, and what was reached without anybody hearing of it. */
async function lookAfterWindows(ctx: Context): Promise<void> {
  const now = ctx.now()
  const counting = await everyThreshold(ctx)
    .selectAll('usage_threshold')
    .select('usage_window.window_start')
    .where('usage_window.recount_at', '<=', now)
    .execute()
  for (const { window_start, ...threshold } of counting) {
    const at = window_start === '' ? now : Date.parse(window_start)
    await ctx.commits.commit(recount(ctx, threshold, at, null))
  }
  const reached = await everyThreshold(ctx)
    .selectAll('usage_threshold')
    .select('usage_window.window_start')
    .where('usage_window.exceeded_at', 'is', null)
    .where('usage_window.spent', '>', 0)
    .whereRef('usage_window.spent', '>=', 'usage_threshold.limit_units')
    .execute()
  for (const { window_start, ...threshold } of reached) {
    if (window_start === windowStart(threshold.window, now)) await tellExceeded(ctx, threshold, now, 'limit_reached')
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: 'usage.budgets',
    every: 15 * second,
    async run() {
      await releaseLost(ctx, ctx.now() - deadAfter)
      await lookAfterWindows(ctx)
    },
  })
}

export function startBeating(ctx: Context): void {
  const timer = setInterval(() => {
    stayAlive(ctx).catch((error) => ctx.log.warn({ err: error }, 'reservations could not be kept alive'))
  }, beat)
  timer.unref()
  ctx.state.usage.heartbeat = timer
}

export const stopBeating = (ctx: Context): void => clearInterval(ctx.state.usage.heartbeat)

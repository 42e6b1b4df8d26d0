import type { Context } from '../../kernel/context.ts'
import { watchOthers } from '../../kernel/store/watch-others.ts'
import { second } from '../../kernel/time.ts'
import { billLostCalls } from './calls-under-way.ts'
import { sendUnsent } from './meter.ts'
import { lockWindow, publishExceeded, recount, releaseStatements } from './window-store.ts'
import { windowStart } from './windows.ts'

const heartbeatInterval = 5 * second
/** Calls of a node that has died are billed at once; this finds those that were missed. */
const lostCallsInterval = 30 * second
const batchSize = 1000
/** Longer than the recovery of a turn takes, which bills it and releases its reservation. */
const deadAfter = 90 * second

/** Releases the reservations of processes that have ended. */
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
      ...windows.map((row) => lockWindow(ctx, row.threshold_id, row.window_start)),
      ...releaseStatements(ctx, holder),
    ])
  }
}

/** The heartbeat of the reservations of this node. */
async function stayAlive(ctx: Context): Promise<void> {
  const holders = [...ctx.state.usage.holders]
  for (let first = 0; first < holders.length; first += batchSize) {
    await ctx.db
      .updateTable('usage_reservation')
      .set({ alive_at: ctx.now() })
      .where('holder', 'in', holders.slice(first, first + batchSize))
      .execute()
  }
}

const everyThreshold = (ctx: Context) =>
  ctx.db.selectFrom('usage_threshold').innerJoin('usage_window', 'usage_window.threshold_id', 'usage_threshold.id')

/** Does pending recounts and publishes reached thresholds that were missed. */
async function checkWindows(ctx: Context): Promise<void> {
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
    if (window_start === windowStart(threshold.window, now)) await publishExceeded(ctx, threshold, now, 'limit_reached')
  }
}

export function defineJobs(ctx: Context): void {
  ctx.jobs.define({
    queue: 'usage.budgets',
    every: 30 * second,
    async run() {
      await releaseLost(ctx, ctx.now() - deadAfter)
      await checkWindows(ctx)
    },
  })
}

export function startBeating(ctx: Context): void {
  const timer = setInterval(() => {
    stayAlive(ctx).catch((error) => ctx.log.warn({ err: error }, 'could not renew reservations'))
    sendUnsent(ctx).catch((error) => ctx.log.warn({ err: error }, 'could not bill model calls'))
  }, heartbeatInterval)
  timer.unref()
  const stopWatching = watchOthers({
    ...ctx,
    interval: lostCallsInterval,
    idleInterval: lostCallsInterval,
    what: 'model calls',
    look: () => billLostCalls(ctx, 'ledger'),
  })
  ctx.state.usage.stopBeating = () => {
    clearInterval(timer)
    stopWatching()
  }
}

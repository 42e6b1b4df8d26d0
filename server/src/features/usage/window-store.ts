import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction, rowsOf } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { dollars } from './cost.ts'
import type { Threshold } from './threshold-cache.ts'
import { resetsAt, windowStart } from './windows.ts'

/** Spent and reserved amounts of a threshold in one window. */
export interface UsageWindow {
  threshold_id: string
  window_start: string
  workspace_id: string
  spent: number
  reserved: number
  exceeded_at: string | null
  /** When to recount, because a node that did not know the threshold yet may have written. */
  recount_at: number | null
}

/** The amount of a threshold that is reserved for one turn. */
interface UsageReservation {
  holder: string
  threshold_id: string
  window_start: string
  workspace_id: string
  amount: number
  node: string
  alive_at: number
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    usage_window: UsageWindow
    usage_reservation: UsageReservation
  }
}

const key = ['threshold_id', 'window_start'] as const
const here = 'threshold_id = ? and window_start = ?'

/** Creates the row if it does not exist. */
export const addToWindow = (
  ctx: Context,
  { id, window, workspace_id }: Threshold,
  at: number,
  spent: number,
): Statement =>
  ctx.statements.accumulate(
    'usage_window',
    [{ threshold_id: id, window_start: windowStart(window, at), workspace_id, spent, reserved: 0 }],
    key,
    ['spent'],
  )

/** Reserves the whole amount or nothing, by one conditional update, so that concurrent turns cannot overspend. */
export function reserve(ctx: Context, threshold: Threshold, at: number, holder: string, amount: number): Statement[] {
  const { id: threshold_id, workspace_id, limit_units } = threshold
  const window_start = windowStart(threshold.window, at)
  const row = { holder, threshold_id, window_start, workspace_id, amount, node: ctx.node, alive_at: ctx.now() }
  return [
    amount > 0
      ? ctx.statements.raw(
          `update usage_window set reserved = reserved + ? where ${here} and spent + reserved + ? <= ?`,
          [amount, threshold_id, window_start, amount, limit_units],
          1,
        )
      : ctx.statements.raw(`update usage_window set reserved = reserved + ? where ${here}`, [
          amount,
          threshold_id,
          window_start,
        ]),
    ctx.statements.accumulate('usage_reservation', [row], ['holder', 'threshold_id'], ['amount']),
  ]
}

/** Releases all reservations of a holder. Lock their windows first (`lockWindow`). */
export function releaseOf(ctx: Context, holder: string): Statement[] {
  const ofHolder =
    'from usage_reservation r where r.holder = ? and r.threshold_id = usage_window.threshold_id and r.window_start = usage_window.window_start'
  return [
    ctx.statements.raw(
      `update usage_window set reserved = reserved - (select amount ${ofHolder}) where exists (select 1 ${ofHolder})`,
      [holder, holder],
    ),
    ctx.statements.raw('delete from usage_reservation where holder = ?', [holder]),
  ]
}

export const lockWindow = (ctx: Context, thresholdId: string, start: string): Statement =>
  ctx.statements.raw(`update usage_window set reserved = reserved where ${here}`, [thresholdId, start])

const periods = { day: 'period = ?', month: 'period = ?', total: 'period >= ?' } as const

/** Recomputes the spent amount of the window from the roll-up. */
export function recount(ctx: Context, threshold: Threshold, at: number, again: number | null): Statement[] {
  const { id, window, entity_type: type, workspace_id } = threshold
  const start = windowStart(window, at)
  const period = window === 'day' ? `d${start}` : window === 'month' ? `m${start.slice(0, 7)}` : 'm'
  const amount = threshold.metric === 'cost' ? 'cost_nano' : 'input_tokens + output_tokens'
  const isWhole = type === 'workspace' || type === 'model'
  const ofModel = type === 'model' ? ' and model_id = ?' : ''
  const sum = `select coalesce(sum(${amount}), 0) from usage_rollup
    where workspace_id = ? and entity_type = ? and ${periods[window]} and entity_id = ?${ofModel}`
  return [
    addToWindow(ctx, threshold, at, 0), // locks the row until the commit
    ctx.statements.raw(`update usage_window set spent = (${sum}), recount_at = ? where ${here}`, [
      workspace_id,
      isWhole ? 'workspace' : type,
      period,
      isWhole ? '' : threshold.entity_id,
      ...(type === 'model' ? [threshold.entity_id] : []),
      again,
      id,
      start,
    ]),
  ]
}

export async function windowsOf(ctx: Context, thresholds: Pick<Threshold, 'id' | 'window'>[], at: number) {
  const found = new Map<string, UsageWindow>()
  if (thresholds.length === 0) return found
  const rows = await rowsOf<UsageWindow>(
    ctx.db,
    ctx.db
      .selectFrom('usage_window')
      .selectAll()
      .where(
        'threshold_id',
        'in',
        thresholds.map(({ id }) => id),
      )
      .compile(),
  )
  for (const { id, window } of thresholds) {
    const start = windowStart(window, at)
    const row = rows.find((each) => each.threshold_id === id && each.window_start === start)
    if (row) found.set(id, row)
  }
  return found
}

export const inUnits = (threshold: Pick<Threshold, 'metric'>, amount: number): number =>
  threshold.metric === 'cost' ? dollars(amount) : amount

/** Publishes the event of each reached threshold, once per window. */
export async function publishIfReached(ctx: Context, thresholds: Threshold[], at: number): Promise<void> {
  try {
    const found = await windowsOf(ctx, thresholds, at)
    for (const threshold of thresholds) {
      const window = found.get(threshold.id)
      if (window && window.exceeded_at === null && window.spent >= threshold.limit_units && window.spent > 0) {
        await publishExceeded(ctx, threshold, at, 'limit_reached')
      }
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not check usage thresholds')
  }
}

/** Marks the threshold as exceeded and publishes the event, unless that was done in this window. */
export const publishExceeded = (
  ctx: Context,
  threshold: Threshold,
  at: number,
  reason: 'limit_reached' | 'call_blocked',
): Promise<void> => inTransaction(ctx.db, (tx) => markExceeded(ctx, tx, threshold, at, reason))

async function markExceeded(ctx: Context, tx: Db, threshold: Threshold, at: number, reason: string): Promise<void> {
  const exceeded_at = timestamp(ctx.now())
  const row = await tx
    .updateTable('usage_window')
    .set({ exceeded_at })
    .where('threshold_id', '=', threshold.id)
    .where('window_start', '=', windowStart(threshold.window, at))
    .where('exceeded_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const { id, name, entity_type, entity_id, metric, limit, window, action } = threshold
  await ctx.events.publish(tx, {
    workspace: threshold.workspace_id,
    type: 'usage.threshold_exceeded',
    data: {
      threshold: { id, name, entity_type, entity_id, metric, limit, window, action },
      reason,
      used: inUnits(threshold, row.spent),
      reserved: inUnits(threshold, row.reserved),
      resets_at: resetsAt(window, at),
      exceeded_at,
    },
  })
}

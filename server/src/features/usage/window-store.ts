import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction, rowsOf } from '../../kernel/store/database.ts'
import { timestamp } from '../../kernel/time.ts'
import { dollars } from './cost.ts'
import type { Threshold } from './threshold-cache.ts'
import { resetsAt, windowStart } from './windows.ts'

/** What was used of a threshold in one of its windows, and what calls that run may still use. */
export interface UsageWindow {
  threshold_id: string
  window_start: string
  workspace_id: string
  spent: number
  reserved: number
  exceeded_at: string | null
  /** Counts once more what was spent, because a node may have written without knowing of the threshold. */
  recount_at: number | null
}

/** What one turn may still use of a threshold. */
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

/** Also makes the row where there is none yet. */
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

/**
 * Takes so much of what is left, or nothing at all. The row holds all that the decision needs, so that of many who come at
 * once each sees what those before it took.
 */
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

/** Gives back all that a holder has reserved. Whoever changes a reservation holds its window first: `holdWindow`. */
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

export const holdWindow = (ctx: Context, thresholdId: string, start: string): Statement =>
  ctx.statements.raw(`update usage_window set reserved = reserved where ${here}`, [thresholdId, start])

const periods = { day: 'period = ?', month: 'period = ?', total: 'period >= ?' } as const

/** Counts what was spent in the window from the sums of the ledger. */
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
    addToWindow(ctx, threshold, at, 0), // holds the row, so that the sum is of this moment
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

/** Tells of the thresholds that are reached, each once in its window. */
export async function tellIfReached(ctx: Context, thresholds: Threshold[], at: number): Promise<void> {
  try {
    const found = await windowsOf(ctx, thresholds, at)
    for (const threshold of thresholds) {
      const window = found.get(threshold.id)
      if (window && window.exceeded_at === null && window.spent >= threshold.limit_units && window.spent > 0) {
        await tellExceeded(ctx, threshold, at, 'limit_reached')
      }
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'a usage threshold could not be looked at')
  }
}

/** Notes that the threshold is exceeded and tells of it, unless somebody has in this window. */
export const tellExceeded = (
  ctx: Context,
  threshold: Threshold,
  at: number,
  reason: 'limit_reached' | 'call_blocked',
): Promise<void> => inTransaction(ctx.db, (tx) => noteExceeded(ctx, tx, threshold, at, reason))

async function noteExceeded(ctx: Context, tx: Db, threshold: Threshold, at: number, reason: string): Promise<void> {
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

import type { Insertable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { prepared, statement } from '../../kernel/store/statement.ts'
import { timestamp } from '../../kernel/time.ts'
import { dollars } from './cost.ts'
import type { Threshold } from './threshold.ts'
import { resetsAt, windowStart } from './windows.ts'

/** Spent and reserved amounts of a threshold in one window. */
export interface UsageWindow {
  threshold_id: string
  window_start: string
  workspace_id: string
  spent: number
  reserved: number
  exceeded_at: string | null
  /** When to recount, because a call that did not know the threshold yet may have ended. */
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

type WindowKey = Pick<UsageWindow, 'threshold_id' | 'window_start'>

const updateWindow = (db: Db, { threshold_id, window_start }: WindowKey) =>
  db.updateTable('usage_window').where('threshold_id', '=', threshold_id).where('window_start', '=', window_start)

const addSpent = prepared((db, row: Insertable<UsageWindow>) =>
  db
    .insertInto('usage_window')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['threshold_id', 'window_start'])
        .doUpdateSet((is) => ({ spent: is('usage_window.spent', '+', is.ref('excluded.spent')) })),
    ),
)

/** Creates the row if it does not exist. */
export const addToWindow = (
  { db }: Context,
  { id, window, workspace_id }: Threshold,
  at: number,
  spent: number,
): Statement =>
  addSpent(db, { threshold_id: id, window_start: windowStart(window, at), workspace_id, spent, reserved: 0 })

const addReserved = prepared((db, { amount, ...key }: WindowKey & { amount: number }) =>
  updateWindow(db, key).set((is) => ({ reserved: is('reserved', '+', amount) })),
)

const addReservedWithin = prepared((db, { amount, limit, ...key }: WindowKey & { amount: number; limit: number }) =>
  updateWindow(db, key)
    .set((is) => ({ reserved: is('reserved', '+', amount) }))
    .where((is) => is(is(is('spent', '+', is.ref('reserved')), '+', amount), '<=', limit)),
)

const addReservation = prepared((db, row: UsageReservation) =>
  db
    .insertInto('usage_reservation')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['holder', 'threshold_id'])
        .doUpdateSet((is) => ({ amount: is('usage_reservation.amount', '+', is.ref('excluded.amount')) })),
    ),
)

/** Reserves the whole amount or nothing, by one conditional update, so that concurrent turns cannot overspend. */
export function reserve(ctx: Context, threshold: Threshold, at: number, holder: string, amount: number): Statement[] {
  const { id: threshold_id, workspace_id, limit_units: limit } = threshold
  const key = { threshold_id, window_start: windowStart(threshold.window, at) }
  return [
    amount > 0 ? addReservedWithin(ctx.db, { ...key, amount, limit }, 1) : addReserved(ctx.db, { ...key, amount }),
    addReservation(ctx.db, { ...key, holder, workspace_id, amount, node: ctx.node, alive_at: ctx.now() }),
  ]
}

const subtractReserved = prepared((db, { holder }: { holder: string }) =>
  db
    .updateTable('usage_window')
    .from('usage_reservation as r')
    .set((is) => ({ reserved: is('usage_window.reserved', '-', is.ref('r.amount')) }))
    .where('r.holder', '=', holder)
    .whereRef('r.threshold_id', '=', 'usage_window.threshold_id')
    .whereRef('r.window_start', '=', 'usage_window.window_start'),
)

const deleteReservations = prepared((db, { holder }: { holder: string }) =>
  db.deleteFrom('usage_reservation').where('holder', '=', holder),
)

/** Releases all reservations of a holder. Lock their windows first (`lockWindow`). */
export const releaseStatements = ({ db }: Context, holder: string): Statement[] => [
  subtractReserved(db, { holder }),
  deleteReservations(db, { holder }),
]

export const lockWindow = ({ db }: Context, threshold_id: string, window_start: string): Statement =>
  statement(updateWindow(db, { threshold_id, window_start }).set((is) => ({ reserved: is.ref('reserved') })))

export async function deleteWindows(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('usage_reservation').where('threshold_id', '=', id).execute()
  await tx.deleteFrom('usage_window').where('threshold_id', '=', id).execute()
}

/** Recomputes the spent amount of the window from the roll-up. */
export function recount(ctx: Context, threshold: Threshold, at: number, again: number | null): Statement[] {
  const key = { threshold_id: threshold.id, window_start: windowStart(threshold.window, at) }
  return [
    addToWindow(ctx, threshold, at, 0), // locks the row until the commit
    statement(
      updateWindow(ctx.db, key).set({ spent: spentInRollup(ctx.db, threshold, key.window_start), recount_at: again }),
    ),
  ]
}

function spentInRollup(db: Db, { metric, window, entity_type, entity_id, workspace_id }: Threshold, start: string) {
  const period = window === 'day' ? `d${start}` : window === 'month' ? `m${start.slice(0, 7)}` : 'm'
  const rows = db
    .selectFrom('usage_rollup')
    .where('workspace_id', '=', workspace_id)
    .where('scope', '=', entity_type === 'user' || entity_type === 'token' ? entity_type : 'workspace')
    .where('period', window === 'total' ? '>=' : '=', period)
  const ofEntity = entity_type === 'workspace' ? rows : rows.where(`${entity_type}_id`, '=', entity_id ?? '')
  return ofEntity.select((is) => {
    const amount = metric === 'cost' ? is.ref('cost_nano') : is('input_tokens', '+', is.ref('output_tokens'))
    return is.fn.coalesce(is.fn.sum<number>(amount), is.lit(0)).as('spent')
  })
}

export async function readWindows(ctx: Context, thresholds: Pick<Threshold, 'id' | 'window'>[], at: number) {
  const windows = new Map<string, UsageWindow>()
  if (thresholds.length === 0) return windows
  const ids = thresholds.map(({ id }) => id)
  const rows = await ctx.db.selectFrom('usage_window').selectAll().where('threshold_id', 'in', ids).execute()
  for (const { id, window } of thresholds) {
    const start = windowStart(window, at)
    const row = rows.find((each) => each.threshold_id === id && each.window_start === start)
    if (row) windows.set(id, row)
  }
  return windows
}

/** The amount spent in the windows that start between two days. */
export async function sumWindows(db: Db, threshold: string, start: string, end: string): Promise<number> {
  const { spent } = await db
    .selectFrom('usage_window')
    .select((is) => is.fn.sum<number | null>('spent').as('spent'))
    .where('threshold_id', '=', threshold)
    .where('window_start', '>=', start)
    .where('window_start', '<=', end)
    .executeTakeFirstOrThrow()
  return Number(spent ?? 0)
}

export const inUnits = (threshold: Pick<Threshold, 'metric'>, amount: number): number =>
  threshold.metric === 'cost' ? dollars(amount) : amount

/** Publishes the event of each reached threshold, once per window. */
export async function publishIfReached(ctx: Context, thresholds: Threshold[], at: number): Promise<void> {
  try {
    const windows = await readWindows(ctx, thresholds, at)
    for (const threshold of thresholds) {
      const window = windows.get(threshold.id)
      if (window && window.exceeded_at === null && window.spent >= threshold.limit_units && window.spent > 0) {
        await publishExceeded(ctx, threshold, at, 'limit_reached')
      }
    }
  } catch (error) {
    ctx.log.warn({ err: error }, 'could not check usage thresholds')
  }
}

/** Marks the threshold as exceeded and publishes the event, unless that was done in this window. */
export async function publishExceeded(
  ctx: Context,
  threshold: Threshold,
  at: number,
  reason: 'limit_reached' | 'call_blocked',
): Promise<void> {
  if (!threshold.quiet) await inTransaction(ctx.db, (tx) => markExceeded(ctx, tx, threshold, at, reason))
}

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

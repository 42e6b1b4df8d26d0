import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { lockIfExists } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { second } from '../../kernel/time.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { nanoDollars } from './cost.ts'
import { maxDollars, UsageThreshold } from './schema.ts'
import type { Threshold } from './threshold.ts'
import { thresholdWarnings } from './unpriced.ts'
import { deleteWindows, inUnits, publishIfReached, readWindows, recount, type UsageWindow } from './window-store.ts'
import { resetsAt, windowStart } from './windows.ts'

interface Hidden extends Record<string, unknown> {
  workspace_id: string
  limit_units: number
}
type ThresholdRow = Stored<UsageThreshold & Hidden>

declare module '../../kernel/store/database.ts' {
  interface Tables {
    usage_threshold: Omit<Threshold, 'quiet'> & { revision: number; created_at: string; updated_at: string }
  }
}

export const computed = ['used', 'reserved', 'percent', 'resets_at', 'exceeded_at', 'warnings'] as const
const prefixes = { agent: 'agt', model: 'mdl', token: 'tok' } as const
/** A call that ends at the same time, and does not know the threshold yet, may still write for this long. */
const settledAfter = 5 * second

const rows = collection<typeof UsageThreshold, Hidden>({
  name: 'usage_threshold',
  shape: UsageThreshold,
  prefix: 'thr',
  kind: 'usage threshold',
  computed,
  hides: thresholdsOnUnseen,
  async complete(change) {
    const { next, previous } = change
    await checkEntity(change)
    next.limit_units = limitInUnits(next)
    const isSame =
      previous &&
      (['metric', 'window', 'entity_type', 'entity_id'] as const).every((name) => next[name] === previous[name])
    if (!isSame) await startCounting(change)
    else if (next.limit_units !== previous.limit_units) await resetExceeded(change.tx, next)
  },
  removed: ({ tx, row }) => deleteWindows(tx, row.id),
})

/** A threshold reveals how much of its limit is used, so callers see it only if they may see everything that it counts. */
async function thresholdsOnUnseen(ctx: Context, who: Caller): Promise<string[]> {
  const agents = await findUnseen(ctx, who, 'agt')
  if (agents.length + (await findUnseen(ctx, who, 'rag', 'ret', 'evl', 'mon')).length === 0) return []
  const rows = await ctx.db
    .selectFrom('usage_threshold')
    .select('id')
    .where('workspace_id', '=', who.workspace)
    .where((is) => is.or([is('entity_type', '!=', 'agent'), is('entity_id', 'in', agents.concat(''))]))
    .execute()
  return rows.map(({ id }) => id)
}

function limitInUnits({ metric, limit }: Pick<UsageThreshold, 'metric' | 'limit'>): number {
  if (metric === 'tokens' && !Number.isInteger(limit)) invalid('limit', 'must be a whole number of tokens')
  if (metric === 'cost' && limit > maxDollars) invalid('limit', `must be at most ${maxDollars} dollars`)
  return metric === 'cost' ? nanoDollars(limit) : limit
}

async function checkEntity({ ctx, tx, who, next }: Change<ThresholdRow>): Promise<void> {
  const { entity_type: type, entity_id: id } = next
  if (type === 'workspace') {
    if (id !== null && id !== who.workspace)
      invalid('entity_id', 'is left out for the workspace, or is the id of this one')
    return
  }
  if (id === null) invalid('entity_id', `is required: which ${type}`)
  if (type === 'user' || (type === 'token' && id.startsWith('oidc:'))) return
  const isKnown = id.startsWith(`${prefixes[type]}_`) && (await lockIfExists(ctx.resources, tx, who.workspace, id))
  if (!isKnown) unknownReference('entity_id', type, id)
}

/** Counts earlier usage at once, and again when calls that ended at the same time are in the ledger. */
async function startCounting({ ctx, tx, who, next }: Change<ThresholdRow>): Promise<void> {
  await deleteWindows(tx, next.id)
  const window_start = windowStart(next.window, ctx.now())
  const nothing = { spent: 0, reserved: 0, exceeded_at: null, recount_at: ctx.now() }
  await tx
    .insertInto('usage_window')
    .values({ threshold_id: next.id, window_start, workspace_id: who.workspace, ...nothing })
    .execute()
}

/** A raised limit can be exceeded again. */
async function resetExceeded(tx: Db, { id, limit_units }: ThresholdRow): Promise<void> {
  await tx
    .updateTable('usage_window')
    .set({ exceeded_at: null })
    .where('threshold_id', '=', id)
    .where('spent', '<', limit_units)
    .execute()
}

async function countEarlierUsage(ctx: Context, who: Caller, row: ThresholdRow): Promise<void> {
  const threshold = asThreshold(who, row)
  const again = ctx.engine === 'postgres' ? ctx.now() + settledAfter : null
  await ctx.commits.commit(recount(ctx, threshold, ctx.now(), again))
  await publishIfReached(ctx, [threshold], ctx.now())
}

const asThreshold = (who: Caller, row: ThresholdRow): Threshold => ({ ...row, workspace_id: who.workspace })

function withUsage(ctx: Context, row: ThresholdRow, window: UsageWindow | undefined): ThresholdRow {
  const { spent = 0, reserved = 0, exceeded_at = null } = window ?? {}
  const share = row.limit_units === 0 ? (spent > 0 ? 100 : 0) : (100 * spent) / row.limit_units
  return {
    ...row,
    used: inUnits(row, spent),
    reserved: inUnits(row, reserved),
    percent: Math.round(share * 100) / 100,
    resets_at: resetsAt(row.window, ctx.now()),
    exceeded_at,
  }
}

async function computedRows(ctx: Context, who: Caller, stored: ThresholdRow[]): Promise<ThresholdRow[]> {
  const windows = await readWindows(ctx, stored, ctx.now())
  const warnings = await thresholdWarnings(ctx, who.workspace, stored)
  return stored.map((row) => ({ ...withUsage(ctx, row, windows.get(row.id)), warnings: warnings.get(row.id) ?? [] }))
}

async function computedRow(ctx: Context, who: Caller, row: ThresholdRow): Promise<ThresholdRow> {
  const [computed] = await computedRows(ctx, who, [row])
  return computed as ThresholdRow
}

async function list(ctx: Context, who: Caller, query: ListQuery) {
  const page = await rows.list(ctx, who, query)
  return { rows: await computedRows(ctx, who, page.rows), total: page.total }
}

async function create(ctx: Context, who: Caller, body: object): Promise<ThresholdRow> {
  const row = await rows.create(ctx, who, body)
  await countEarlierUsage(ctx, who, row)
  return computedRow(ctx, who, row)
}

async function update(ctx: Context, who: Caller, id: string, body: object, ifMatch?: string): Promise<ThresholdRow> {
  const row = await rows.update(ctx, who, id, body, ifMatch)
  await countEarlierUsage(ctx, who, row)
  return computedRow(ctx, who, row)
}

export const thresholds = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list,
  get: async (ctx: Context, who: Caller, id: string) => computedRow(ctx, who, await rows.get(ctx, who, id)),
  create,
  update,
  remove: rows.remove,
}

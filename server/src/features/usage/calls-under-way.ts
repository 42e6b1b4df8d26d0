import type { Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import { prepared } from '../../kernel/store/statement.ts'
import { bill, type Charge, type Payer, type Purpose } from './ledger.ts'

interface CallsUnderWayRow {
  holder: string
  workspace_id: string
  node: string
  keeper: Keeper
  started_at: number
  /** The token that is billed and the purpose of the calls, as JSON. */
  payer: string
  calls: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    calls_under_way: CallsUnderWayRow
  }
}

export async function createCallsUnderWayTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('calls_under_way')
    .addColumn('holder', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
    .addColumn('node', 'text', (column) => column.notNull())
    .addColumn('keeper', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('payer', 'text', (column) => column.notNull())
    .addColumn('calls', 'text', (column) => column.notNull())
    .execute()
}

/** The owner that bills the calls if their process ends: the ledger, or the conversations together with the reply. */
export type Keeper = 'ledger' | 'conversations'

/** The model calls of one run that are not in the ledger yet. */
export interface CallsUnderWay {
  finished: Charge[]
  /** The call that has not ended, with an estimate of its input. */
  open: Charge | null
}

export interface Holder {
  holder: string
  workspace: string
}

/** The row may exist: an attempt that lost its connection may have been committed. */
export const insertCalls = (
  { db, node, now }: Context,
  { holder, workspace }: Holder,
  { token }: Payer,
  { step: _, ...purpose }: Purpose,
  keeper: Keeper,
  calls: CallsUnderWay,
): Statement =>
  upsertRow(db, {
    holder,
    workspace_id: workspace,
    node,
    keeper,
    started_at: now(),
    payer: JSON.stringify({ token, purpose }),
    calls: JSON.stringify(calls),
  })

const upsertRow = prepared((db, row: CallsUnderWayRow) =>
  db
    .insertInto('calls_under_way')
    .values(row)
    .onConflict((conflict) => conflict.column('holder').doUpdateSet({ calls: row.calls })),
)

/** Conflicts if another process has billed the calls. */
export const updateCalls = ({ db }: Context, { holder, workspace }: Holder, calls: CallsUnderWay): Statement =>
  updateRow(db, { holder, workspace, calls: JSON.stringify(calls) }, 1)

const updateRow = prepared((db, { holder, workspace, calls }: Holder & { calls: string }) =>
  db.updateTable('calls_under_way').set({ calls }).where('holder', '=', holder).where('workspace_id', '=', workspace),
)

/** With `changes` it conflicts if another process has billed the calls. */
export const deleteCalls = ({ db }: Context, { holder, workspace }: Holder, changes?: 1): Statement =>
  deleteRow(db, { holder, workspace }, changes)

const deleteRow = prepared((db, { holder, workspace }: Holder) =>
  db.deleteFrom('calls_under_way').where('holder', '=', holder).where('workspace_id', '=', workspace),
)

export async function findCalls({ db }: Context, { holder, workspace }: Holder): Promise<CallsUnderWay | null> {
  const row = await db
    .selectFrom('calls_under_way')
    .select('calls')
    .where('workspace_id', '=', workspace)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return row ? (JSON.parse(row.calls) as CallsUnderWay) : null
}

const callsOfOthers = ({ db, node }: Context, keeper: Keeper) =>
  db.selectFrom('calls_under_way').where('keeper', '=', keeper).where('node', '<>', node)

/** The other nodes with calls under way, as a part of a query. */
export const callingNodes = (ctx: Context, keeper: Keeper) => callsOfOthers(ctx, keeper).select('node').distinct()

/** Bills the calls of processes that have ended. Returns whether other nodes have calls under way. */
export async function billLostCalls(ctx: Context, keeper: Keeper): Promise<boolean> {
  const nodes = await callingNodes(ctx, keeper).execute()
  const dead = await ctx.nodes.dead(nodes.map(({ node }) => node))
  if (dead.length > 0) await billCalls(ctx, keeper, dead)
  return nodes.length > 0
}

async function billCalls(ctx: Context, keeper: Keeper, dead: string[]): Promise<void> {
  for (const row of await callsOfOthers(ctx, keeper).selectAll().where('node', 'in', dead).execute()) {
    const { holder, workspace_id: workspace, started_at } = row
    const { token, purpose } = JSON.parse(row.payer) as { token: string; purpose: Purpose }
    const { finished, open } = JSON.parse(row.calls) as CallsUnderWay
    const reserved = { holder, at: Number(started_at) }
    const charges = [...finished, ...(open ? [open] : [])]
    const { statements, sent } = await bill(ctx, { workspace, token }, purpose, charges, reserved)
    try {
      await ctx.commits.commit([deleteCalls(ctx, { holder, workspace }, 1), ...statements])
      sent()
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // another node was first
    }
  }
}

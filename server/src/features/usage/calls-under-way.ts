import type { Kysely } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
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

/** An earlier attempt that lost its connection may have succeeded, so the row may exist. */
export const insertCalls = (
  ctx: Context,
  { holder, workspace }: Holder,
  { token }: Payer,
  { step: _, ...purpose }: Purpose,
  keeper: Keeper,
  calls: CallsUnderWay,
): Statement =>
  ctx.statements.raw(
    `insert into calls_under_way (holder, workspace_id, node, keeper, started_at, payer, calls) values (?, ?, ?, ?, ?, ?, ?)
     on conflict (holder) do update set calls = excluded.calls`,
    [holder, workspace, ctx.node, keeper, ctx.now(), JSON.stringify({ token, purpose }), JSON.stringify(calls)],
  )

/** Conflicts if another process has billed the calls. */
export const updateCalls = (ctx: Context, { holder, workspace }: Holder, calls: CallsUnderWay): Statement =>
  ctx.statements.update('calls_under_way', { calls: JSON.stringify(calls) }, { holder, workspace_id: workspace }, 1)

/** With `changes` it conflicts if another process has billed the calls. */
export const deleteCalls = (ctx: Context, { holder, workspace }: Holder, changes?: 1): Statement =>
  ctx.statements.raw('delete from calls_under_way where holder = ? and workspace_id = ?', [holder, workspace], changes)

export async function findCalls({ db }: Context, { holder, workspace }: Holder): Promise<CallsUnderWay | null> {
  const found = await db
    .selectFrom('calls_under_way')
    .select('calls')
    .where('workspace_id', '=', workspace)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return found ? (JSON.parse(found.calls) as CallsUnderWay) : null
}

/** Bills the calls of processes that have ended. */
export async function billLostCalls(ctx: Context, keeper: Keeper): Promise<void> {
  const ofOthers = ctx.db.selectFrom('calls_under_way').where('keeper', '=', keeper).where('node', '<>', ctx.node)
  const nodes = await ofOthers.select('node').distinct().execute()
  const dead = await ctx.nodes.dead(nodes.map(({ node }) => node))
  if (dead.length === 0) return
  for (const row of await ofOthers.selectAll().where('node', 'in', dead).execute()) {
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

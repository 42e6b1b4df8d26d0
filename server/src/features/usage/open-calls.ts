import type { Context } from '../../kernel/context.ts'
import { Conflict, type Statement } from '../../kernel/store/commits.ts'
import type { DatedMigration } from '../../kernel/store/migrate.ts'
import { bill, type Charge, type Payer, type Purpose } from './ledger.ts'

interface OpenCallRow {
  id: string
  workspace_id: string
  node: string
  /** Of the reservation. */
  holder: string
  started_at: number
  /** Who pays, and for what. */
  caller: string
  charge: string
}

declare module '../../kernel/store/database.ts' {
  interface Tables {
    open_call: OpenCallRow
  }
}

export const openCallMigration: DatedMigration = {
  name: '2026-11-16-95-open-calls',
  async up(db) {
    await db.schema
      .createTable('open_call')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspace.id').onDelete('cascade'))
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('caller', 'text', (column) => column.notNull())
      .addColumn('charge', 'text', (column) => column.notNull())
      .execute()
  },
}

/** A model call outside of a turn, from before it is made until its bill is stored. */
export interface OpenCall {
  id: string
  workspace: string
  /** What is billed if the process ends now. */
  charge: Charge
}

export const insertCall = (
  ctx: Context,
  { id, workspace, charge }: OpenCall,
  { token }: Payer,
  { step: _, ...purpose }: Purpose,
  holder: string,
): Statement => {
  const caller = JSON.stringify({ token, purpose })
  const row = { id, workspace_id: workspace, node: ctx.node, holder, started_at: ctx.now(), caller }
  return ctx.statements.insert('open_call', { ...row, charge: JSON.stringify(charge) })
}

export const updateCall = (ctx: Context, { id, workspace, charge }: OpenCall): Statement =>
  ctx.statements.update('open_call', { charge: JSON.stringify(charge) }, { id, workspace_id: workspace })

/** With `changes` it conflicts if another process has billed the call. */
export const deleteCall = (ctx: Context, { id, workspace }: Omit<OpenCall, 'charge'>, changes?: number): Statement =>
  ctx.statements.raw('delete from open_call where id = ? and workspace_id = ?', [id, workspace], changes)

/** Bills the calls of processes that have ended. */
export async function billLostCalls(ctx: Context): Promise<void> {
  const nodes = await ctx.db.selectFrom('open_call').select('node').distinct().where('node', '<>', ctx.node).execute()
  const dead = await ctx.nodes.dead(nodes.map(({ node }) => node))
  if (dead.length === 0) return
  for (const row of await ctx.db.selectFrom('open_call').selectAll().where('node', 'in', dead).execute()) {
    const { id, workspace_id: workspace, holder, started_at, caller, charge } = row
    const { token, purpose } = JSON.parse(caller) as { token: string; purpose: Purpose }
    const reserved = { holder, at: Number(started_at) }
    const { statements, sent } = await bill(ctx, { workspace, token }, purpose, [JSON.parse(charge)], reserved)
    try {
      await ctx.commits.commit([deleteCall(ctx, { id, workspace }, 1), ...statements])
      sent()
    } catch (error) {
      if (!(error instanceof Conflict)) throw error // another node was first
    }
  }
}

import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { UsageRow } from '../../usage/ledger.ts'

const ledger = 'usage_record'

export interface HeldUsage {
  ctx: Context
  rows: UsageRow[]
  /** The statements that store the rows. */
  statements: Statement[]
}

/**
 * Returns a context that marks usage records with the evaluation and holds them back, so that they are stored in one
 * transaction with the result of the case. All other writes are unchanged.
 */
export function holdUsage(ctx: Context, evaluationId: string): HeldUsage {
  const rows: UsageRow[] = []
  const held: Statement[] = []
  const usageStatements = new WeakSet<Statement>()
  const statements: Context['statements'] = {
    ...ctx.statements,
    insert(table, cells) {
      if (table !== ledger) return ctx.statements.insert(table, cells)
      const row = { ...cells, evaluation_id: evaluationId }
      const statement = ctx.statements.insert(table, row)
      rows.push(row as unknown as UsageRow)
      usageStatements.add(statement)
      return statement
    },
  }
  const commits: Context['commits'] = {
    ...ctx.commits,
    async commit(statements) {
      if (!statements.some((statement) => usageStatements.has(statement))) return ctx.commits.commit(statements)
      held.push(...statements)
    },
  }
  // A case whose process ends runs again, so nobody bills what it has called until then.
  const state: Context['state'] = { ...ctx.state, usage: { ...ctx.state.usage, storesOpenCalls: false } }
  return { ctx: { ...ctx, statements, commits, state }, rows, statements: held }
}

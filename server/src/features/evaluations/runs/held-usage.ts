import type { Context } from '../../../kernel/context.ts'
import type { Statement } from '../../../kernel/store/commits.ts'
import type { UsageRow } from '../../usage/ledger.ts'

const ledger = 'usage_record'

export interface Account {
  ctx: Context
  /** What was used. */
  rows: UsageRow[]
  /** What has to be stored for it. */
  statements: Statement[]
}

/**
 * The world as a target of an evaluation sees it: whatever it enters into the ledger is marked with the evaluation and
 * held back, so that it is stored in one unit with the result of the case. All other writes go their usual way.
 */
export function openAccount(ctx: Context, evaluationId: string): Account {
  const rows: UsageRow[] = []
  const held: Statement[] = []
  const bills = new WeakSet<Statement>()
  const statements: Context['statements'] = {
    ...ctx.statements,
    insert(table, cells) {
      if (table !== ledger) return ctx.statements.insert(table, cells)
      const row = { ...cells, evaluation_id: evaluationId }
      const statement = ctx.statements.insert(table, row)
      rows.push(row as unknown as UsageRow)
      bills.add(statement)
      return statement
    },
  }
  const commits: Context['commits'] = {
    ...ctx.commits,
    async commit(unit) {
      if (!unit.some((statement) => bills.has(statement))) return ctx.commits.commit(unit)
      held.push(...unit)
    },
  }
  return { ctx: { ...ctx, statements, commits }, rows, statements: held }
}

import type { Statement } from '../../../kernel/store/commits.ts'
import type { Bill, Tab, UsageRow } from '../../usage/ledger.ts'

/** Collects the bills of an answer and its scores, which are stored in one transaction with them. */
export class ScoringTab implements Tab {
  readonly evaluationId: string
  readonly statements: Statement[] = []
  tokens = 0
  costNano = 0
  /** The calls whose price was not known. */
  unpriced = 0

  constructor(evaluationId: string) {
    this.evaluationId = evaluationId
  }

  add({ rows, statements }: Bill): void {
    this.statements.push(...statements)
    this.tokens += rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)
    this.costNano += rows.reduce((sum: number, row: UsageRow) => sum + row.cost_nano, 0)
    this.unpriced += rows.filter(({ price }) => price === 'null').length
  }
}

import { dollars, nanoDollars } from '../usage/cost.ts'
import type { UsageRow } from '../usage/ledger.ts'
import type { Message } from './schema.ts'

/** What a message has used: what came before a pause, and what was billed since. */
export function withRows(before: Message['usage'], rows: UsageRow[]): Message['usage'] {
  if (rows.length === 0) return before
  const { input_tokens = 0, output_tokens = 0, cost = 0 } = before ?? {}
  const input = rows.reduce((sum, row) => sum + row.input_tokens, input_tokens)
  const output = rows.reduce((sum, row) => sum + row.output_tokens, output_tokens)
  const nano = rows.reduce((sum, row) => sum + row.cost_nano, nanoDollars(cost))
  return { input_tokens: input, output_tokens: output, total_tokens: input + output, cost: dollars(nano) }
}

import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { MessageRow } from '../runs/reply.ts'
import { nanoDollars } from '../usage/cost.ts'

const jsonFields = [
  'attachments',
  'usage',
  'tool_calls',
  'citations',
  'feedback',
  'output',
  'details',
  'response_format',
  'events',
] as const

/** Figures of the JSON that analytics sum up. They have columns of their own, so that no JSON is parsed for that. */
interface Figures {
  input_tokens: number | null
  output_tokens: number | null
  cost_nano: number | null
  rating: 'up' | 'down' | null
  /** The nearest of the agent's topics to a question; found later. */
  topic: string | null
}

/** The row as the columns hold it. */
export type MessageCells = Omit<MessageRow, (typeof jsonFields)[number] | 'versions'> &
  Record<(typeof jsonFields)[number], string> &
  Figures

export function decode(cells: MessageCells): MessageRow {
  const { input_tokens, output_tokens, cost_nano, rating, topic, ...shown } = cells
  const row = shown as unknown as Record<string, unknown>
  for (const field of jsonFields) row[field] = JSON.parse(cells[field])
  row.superseded = Boolean(cells.superseded)
  row.cancel_requested = Boolean(cells.cancel_requested)
  return row as unknown as MessageRow
}

export function encode(row: Partial<MessageRow>): Record<string, unknown> {
  const { versions, ...columns } = row
  const cells: Record<string, unknown> = columns
  for (const field of jsonFields) if (field in cells) cells[field] = JSON.stringify(cells[field])
  const { usage, feedback } = row
  if (usage) {
    cells.input_tokens = usage.input_tokens
    cells.output_tokens = usage.output_tokens
    cells.cost_nano = nanoDollars(usage.cost)
  }
  if (feedback) cells.rating = feedback.rating
  return cells
}

export const insertMessage = (ctx: Context, row: MessageRow): Statement => ctx.statements.insert('message', encode(row))

export const updateMessage = (
  ctx: Context,
  row: MessageRow,
  changes: Partial<MessageRow>,
  expected?: number,
): Statement =>
  ctx.statements.update(
    'message',
    encode(changes),
    { id: row.id, workspace_id: row.workspace_id, status: 'running' },
    expected,
  )

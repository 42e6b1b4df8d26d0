import type { Insertable, Updateable } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import { prepared, statement } from '../../kernel/store/statement.ts'
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
  'memories',
] as const

/** Figures that analytics sum up. They are columns, so that no JSON has to be parsed. */
interface Figures {
  input_tokens: number | null
  output_tokens: number | null
  cost_nano: number | null
  rating: 'up' | 'down' | null
  /** The agent's topic nearest to a question. A job assigns it later. */
  topic: string | null
}

/** The row with its objects as JSON text. */
export type MessageCells = Omit<MessageRow, (typeof jsonFields)[number] | 'versions' | 'scores' | 'facts'> &
  Record<(typeof jsonFields)[number], string> & { scores: string | null } & Figures

export function decode(cells: MessageCells): MessageRow {
  const { input_tokens, output_tokens, cost_nano, rating, topic, scores, ...shown } = cells
  const row = shown as unknown as Record<string, unknown>
  for (const field of jsonFields) row[field] = JSON.parse(cells[field])
  if (scores !== null) row.scores = JSON.parse(scores)
  row.superseded = Boolean(cells.superseded)
  row.cancel_requested = Boolean(cells.cancel_requested)
  row.asked_by_agent = Boolean(cells.asked_by_agent)
  return row as unknown as MessageRow
}

export function encode(row: MessageRow): Insertable<MessageCells>
export function encode(row: Partial<MessageRow>): Updateable<MessageCells>
export function encode(row: Partial<MessageRow>): Record<string, unknown> {
  const { versions, facts, ...columns } = row
  const cells: Record<string, unknown> = columns
  for (const field of jsonFields) if (field in cells) cells[field] = JSON.stringify(cells[field])
  const { usage, feedback, scores } = row
  if (scores) cells.scores = JSON.stringify(scores)
  if (usage) {
    cells.input_tokens = usage.input_tokens
    cells.output_tokens = usage.output_tokens
    cells.cost_nano = nanoDollars(usage.cost)
  }
  if (feedback) cells.rating = feedback.rating
  return cells
}

/** The defaults of the columns that cannot be null. */
const defaults: Record<string, unknown> = {
  content: '',
  attachments: '[]',
  usage: 'null',
  tool_calls: '[]',
  citations: '[]',
  feedback: 'null',
  output: 'null',
  details: 'null',
  response_format: 'null',
  events: '[]',
  memories: 'null',
  superseded: false,
  cancel_requested: false,
  asked_by_agent: false,
}

/** Most columns of a message have their default, and each cell that is sent takes time. */
const withoutDefaults = <Cells extends object>(cells: Cells): Cells =>
  Object.fromEntries(Object.entries(cells).filter(([name, cell]) => cell !== null && cell !== defaults[name])) as Cells

const insertCells = prepared((db, cells: Insertable<MessageCells>) => db.insertInto('message').values(cells))

export const insertMessage = ({ db }: Context, row: MessageRow): Statement =>
  insertCells(db, withoutDefaults(encode(row)))

type Key = Pick<MessageCells, 'id' | 'workspace_id'>

/** Changes a message. Conflicts if it does not exist, or has another status. */
export function changeMessage(
  { db }: Context,
  { id, workspace_id }: Key,
  changes: Partial<MessageRow>,
  status?: MessageRow['status'],
): Statement {
  const change = db.updateTable('message').set(encode(changes))
  return statement(
    change.where((is) => is.and({ id, workspace_id, ...(status && { status }) })),
    1,
  )
}

const updateRunning = prepared((db, { id, workspace_id, ...cells }: Updateable<MessageCells> & Key) =>
  db
    .updateTable('message')
    .set(cells)
    .where((is) => is.and({ id, workspace_id, status: 'running' })),
)

/** Changes a message only while its turn runs. */
export const updateMessage = (
  { db }: Context,
  { id, workspace_id }: Key,
  changes: Partial<MessageRow>,
  expected?: number,
): Statement => updateRunning(db, { ...encode(changes), id, workspace_id }, expected)

/** Ends a reply. Columns that progress does not store still have their defaults. */
export const endMessage = ({ db }: Context, { id, workspace_id }: Key, row: Partial<MessageRow>): Statement => {
  const { content, events, tool_calls, citations, time_to_first_token_ms, ...others } = encode(row)
  const stored = { content, events, tool_calls, citations, time_to_first_token_ms }
  return updateRunning(db, { ...stored, ...withoutDefaults(others), id, workspace_id }, 1)
}

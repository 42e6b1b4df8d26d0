import type { ToolProgress } from '../../kernel/agent/tools.ts'
import type { Context } from '../../kernel/context.ts'
import type { Statement } from '../../kernel/store/commits.ts'
import type { ResponseFormat } from '../agents/response-format.ts'
import { nanoDollars } from '../usage/cost.ts'
import type { Message, StoredToolCall } from './schema.ts'

/** What the service keeps of a message beyond what is shown of it. */
export interface MessageRow
  extends Omit<Message, 'created_at' | 'updated_at' | 'parent_message_id' | 'versions' | 'tool_calls'> {
  workspace_id: string
  tool_calls: StoredToolCall[]
  /** The message before this one, or the conversation if it is a first message. */
  parent_id: string
  /** The messages with the same parent, itself included. Not a column; left out means that there are no others. */
  versions?: string[]
  agent_id: string | null
  /** The format that the message of this reply asked for, null for that of the agent. */
  response_format: ResponseFormat | null
  /** How the reply was streamed, so that it can be streamed again: lengths of text, and where tools stood in it. */
  events: EventMark[]
  /** Outside of the active branch: another version is shown, of this message or of one before it. */
  superseded: boolean
  cancel_requested: boolean
  /** When the turn last changed it (milliseconds). While it runs, this is its heartbeat. */
  alive_at: number
  /** The process that writes the reply. */
  node: string | null
  /** What the turn did, as `Steps` encodes it. Null for questions and for replies of older versions. */
  steps: string | null
  /** Whose conversation it belongs to, and whether an evaluation held it: for the analytics, which read only messages. */
  user_id: string | null
  evaluation_id: string | null
}

/** A piece of text of this many characters, a piece of reasoning (r), or the start (s), the progress (p), the end (f) or the need of approval (a) of the nth tool call. */
export type EventMark =
  | number
  | { r: string }
  | { s: number }
  | { f: number }
  | { a: number }
  | { p: number; of: ToolProgress }

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

/** What the analytics add up: a few figures of the JSON, in columns of their own. */
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

/** What the messages of a turn have in common. */
export type Common = Pick<
  MessageRow,
  'workspace_id' | 'conversation_id' | 'timestamp' | 'alive_at' | 'agent_id' | 'user_id' | 'evaluation_id'
>

/** A message with nothing in it yet but what every message has. */
export const blankMessage = (given: Pick<MessageRow, 'id' | 'role' | 'parent_id' | keyof Common>): MessageRow => ({
  content: '',
  attachments: [],
  status: 'completed',
  usage: null,
  tool_calls: [],
  citations: [],
  model_id: null,
  agent_version: null,
  finish_reason: null,
  latency_ms: null,
  time_to_first_token_ms: null,
  feedback: null,
  output: null,
  details: null,
  response_format: null,
  error: null,
  code: null,
  events: [],
  superseded: false,
  cancel_requested: false,
  node: null,
  steps: null,
  ...given,
})

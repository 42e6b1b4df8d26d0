import type { ToolProgress } from '../../kernel/agent/tools.ts'
import type { Context } from '../../kernel/context.ts'
import type { ResponseFormat } from '../agents/response-format.ts'
import { computeCost, dollars, nanoDollars } from '../usage/cost.ts'
import type { Charge } from '../usage/ledger.ts'
import type { Handoff, Message, StoredToolCall } from './schema.ts'
import type { AgentSetup } from './setup.ts'

/** A message as it is stored, with columns that the API does not show. */
export interface MessageRow
  extends Omit<
    Message,
    'created_at' | 'updated_at' | 'parent_message_id' | 'versions' | 'tool_calls' | 'author' | 'handoffs' | 'memories'
  > {
  workspace_id: string
  tool_calls: StoredToolCall[]
  /** The message before this one, or the conversation if it is a first message. */
  parent_id: string
  /** The messages with the same parent, itself included. Not a column; left out means that there are no others. */
  versions?: string[]
  /** The ids of the memories that were recalled and written. Null without memory. */
  memories: { recalled: string[]; written: string[] } | null
  /** Their contents by id. Not a column, so that nothing deleted is shown. */
  facts?: Record<string, string>
  /** The format that the message of this reply asked for, null for that of the agent. */
  response_format: ResponseFormat | null
  /** How the reply was streamed, so that it can be streamed again: lengths of text, and where tools stood in it. */
  events: EventMark[]
  /** Not on the active branch: another version of this message or of an ancestor is shown. */
  superseded: boolean
  cancel_requested: boolean
  /** When the turn last changed it (milliseconds). While it runs, this is its heartbeat. */
  alive_at: number
  /** The process that writes the reply. */
  node: string | null
  /** The trace of the turn, encoded by `Steps`. Null for questions. */
  steps: string | null
  /** Copied from the conversation, because analytics read only messages. */
  user_id: string | null
  evaluation_id: string | null
  /** The message belongs to a conversation in which another agent asks, and no person. */
  asked_by_agent: boolean
  /** The label that chose the version of the agent, for analytics. */
  label: string | null
  /** The sender, if it is not the user of the conversation. The name is set even if there is no user. */
  author_id: string | null
  author_name: string | null
}

/** A piece of text of this many characters, a piece of reasoning (r), or the start (s), the progress (p), the end (f) or the need of approval (a), of an account (c) or of an answer to the mth question (i) of the nth tool call, a handoff (h), or the nth memory that was written (w). */
export type EventMark =
  | number
  | { r: string }
  | { s: number }
  | { f: number }
  | { a: number }
  | { c: number }
  | { i: number; m: number }
  | { p: number; of: ToolProgress }
  | { h: Handoff }
  | { w: number }

/** The columns that all messages of a turn share. */
export type Common = Pick<
  MessageRow,
  'workspace_id' | 'conversation_id' | 'timestamp' | 'alive_at' | 'agent_id' | 'user_id' | 'evaluation_id'
> &
  Partial<Pick<MessageRow, 'asked_by_agent'>>

/** An empty message with the given fields. */
export const blankMessage = (fields: Pick<MessageRow, 'id' | 'role' | 'parent_id'> & Common): MessageRow => ({
  content: '',
  attachments: [],
  status: 'completed',
  usage: null,
  tool_calls: [],
  citations: [],
  memories: null,
  model_id: null,
  agent_version: null,
  asked_by_agent: false,
  label: null,
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
  author_id: null,
  author_name: null,
  ...fields,
})

export const blankReply = (
  ctx: Context,
  common: Common & Pick<MessageRow, 'parent_id'>,
  { agent, label, model }: AgentSetup,
  after?: string,
): MessageRow => ({
  ...blankMessage({ ...common, id: ctx.newId('msg', after), role: 'assistant' }),
  status: 'running',
  node: ctx.node,
  agent_version: agent.version,
  label,
  model_id: model.id,
})

/** The usage of a message: the sum of what was billed before a pause and what is billed now. */
export function addUsage(before: Message['usage'], charges: readonly Charge[]): Message['usage'] {
  if (charges.length === 0) return before
  const { input_tokens = 0, output_tokens = 0, cost = 0, unpriced_requests = 0 } = before ?? {}
  const input = charges.reduce((sum, { usage }) => sum + usage.input, input_tokens)
  const output = charges.reduce((sum, { usage }) => sum + usage.output, output_tokens)
  const nano = charges.reduce((sum, { usage, price }) => sum + computeCost(usage, price), nanoDollars(cost))
  const unpriced = charges.reduce((sum, { price }) => sum + (price === null ? 1 : 0), unpriced_requests)
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    cost: dollars(nano),
    ...(unpriced > 0 && { unpriced_requests: unpriced }),
  }
}

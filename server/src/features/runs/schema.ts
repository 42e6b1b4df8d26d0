import { type Static, Type } from 'typebox'
import { waitingStatuses } from '../../kernel/agent/needs.ts'
import { AgentPath } from '../../kernel/event-payloads.ts'
import { Choice, Nullable, Timestamp } from '../../kernel/schema.ts'

export const shownOfFile = {
  name: Type.String({ examples: ['invoice.pdf'] }),
  media_type: Type.String({ description: 'Found in the content.', examples: ['application/pdf'] }),
  size: Type.Integer({ description: 'Bytes.', examples: [48_213] }),
}

/** A file as the messages it is attached to show it. */
export const Attachment = Type.Object(
  { file_id: Type.String({ examples: ['fil_01k9z8q4m6e3v7t2w5x8y1a4bc'] }), ...shownOfFile },
  { title: 'Attachment' },
)
export type Attachment = Static<typeof Attachment>

const Usage = Type.Object(
  {
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    cost: Type.Number({ description: 'US dollars.' }),
    unpriced_requests: Type.Optional(
      Type.Integer({
        description:
          'The calls whose price was not known, if there are any. They add nothing to the cost, which is at least the sum shown.',
      }),
    ),
  },
  { title: 'MessageUsage' },
)

/** An account that a call needs. */
const CallConnection = Type.Object(
  {
    tool_id: Type.String({ description: 'The tool that needs the account, for `POST /connections`.' }),
    name: Type.String({ description: 'The name of the tool.' }),
    authorize_url: Nullable(
      Type.String({ description: 'Where the person connects the account. Null if they may not, or once it was used.' }),
    ),
    status: Choice(['required', 'connected', 'expired']),
  },
  { title: 'ToolCallConnection', examples: [{ tool_id: 'api_01k9z8q4m6e3v7t2w5x8y1a4bc', name: 'calendar' }] },
)

export const FormSchema = Type.Optional(
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema of the form.',
  }),
)

/** A question of a tool, with its answer. */
const CallInput = Type.Object(
  {
    message: Type.String({ description: 'The question of the tool.' }),
    schema: FormSchema,
    url: Type.Optional(Type.String({ description: 'The page that the person is asked to open, instead of a form.' })),
    action: Nullable(
      Choice(['accept', 'decline', 'cancel', 'expired'], {
        description: 'The answer. Null while the tool waits for it.',
      }),
    ),
    content: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description: 'The form.' }),
    ),
    answered_by: Type.Optional(Nullable(Type.String())),
    answered_at: Type.Optional(Timestamp),
  },
  {
    title: 'ToolCallInput',
    examples: [
      {
        message: 'Which calendar?',
        schema: { type: 'object', properties: { calendar: { type: 'string' } } },
        action: 'accept',
        content: { calendar: 'work' },
      },
    ],
  },
)

export const ToolCall = Type.Object(
  {
    id: Type.String(),
    tool_id: Nullable(Type.String()),
    name: Type.String(),
    arguments: Type.Unsafe<unknown>({ description: 'The arguments as the model sent them.' }),
    edited_arguments: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'The arguments that the call was made with, if the approver has changed them.',
      }),
    ),
    target: Type.Optional(
      Type.String({
        description: 'The method and the address of a call that needs approval, or the address of the MCP server.',
        examples: ['DELETE https://api.example.com/orders/{id}'],
      }),
    ),
    status: Choice([...waitingStatuses, 'running', 'completed', 'failed', 'refused', 'handed_over'], {
      description: '`handed_over`: the caller of the OpenAI-compatible API makes the call and sends its result.',
    }),
    conversation_id: Type.Optional(
      Type.String({ description: 'The conversation in which another agent answers the call.' }),
    ),
    approval_id: Type.Optional(
      Type.String({
        description:
          'The ID of the approval that the call needs, for `GET /approvals/{id}`. With `conversation_id`: the one that the other agent waits for.',
      }),
    ),
    approved: Type.Optional(
      Type.Boolean({ description: 'The decision about a call that needs approval; missing before it is made.' }),
    ),
    connection: Type.Optional({ ...CallConnection, description: 'The account that the call needs.' }),
    inputs: Type.Optional(
      Type.Array(CallInput, { description: 'The questions of the tool, with the answers. The last one may be open.' }),
    ),
    agent_path: Type.Optional({
      ...AgentPath,
      description:
        'With `conversation_id`, while the other agent waits for a person: the agents that led to the call that waits, the first one first. The last one makes that call.',
    }),
    result: Nullable(Type.String()),
    latency_ms: Nullable(Type.Integer()),
  },
  {
    title: 'MessageToolCall',
    examples: [{ id: 'call_abc', name: 'handbook', status: 'completed', result: 'Found 3 passages.', latency_ms: 38 }],
  },
)
export type ToolCallView = Static<typeof ToolCall>

/** A call as it is stored: with the ids of the documents that a search has found. */
export type StoredToolCall = ToolCallView & { documents?: string[] }

const CitationView = Type.Object(
  {
    index: Type.Integer({ description: 'The n of [n] in the text.' }),
    tool_call_id: Type.String(),
    source: Type.String(),
    page: Type.Integer(),
    document_id: Type.String(),
    chunk_id: Type.String(),
    start: Type.Integer(),
    end: Type.Integer(),
    quote: Type.String(),
    table_id: Type.Optional(Type.String({ description: 'The table, if rows of a table are cited.' })),
    rows: Type.Optional(Type.Array(Type.Integer(), { description: 'The numbers of the rows, from 1.' })),
  },
  { title: 'Citation', examples: [{ tool_call_id: 'call_abc', page: 2, start: 1024, end: 1066 }] },
)

const Feedback = Type.Object(
  { rating: Choice(['up', 'down']), comment: Nullable(Type.String()), created_at: Timestamp },
  { title: 'Feedback' },
)

export const ReplyScore = Type.Object(
  {
    monitor_id: Type.String({ examples: ['mon_01k9z8q4m6e3v7t2w5x8y1a4bc'] }),
    scorer: Type.String({ description: 'The type of the scorer, numbered if the monitor has several of it.' }),
    score: Type.Number({ description: 'From 0 to 1.' }),
    passed: Type.Boolean({ description: 'Whether the score reaches the threshold of the scorer.' }),
    reason: Type.Optional(Type.String()),
  },
  { title: 'ReplyScore', examples: [{ scorer: 'llm_judge', score: 0.9, passed: true }] },
)
export type ReplyScore = Static<typeof ReplyScore>

const Author = Type.Object(
  {
    user_id: Nullable(Type.String({ description: 'Null for a token without a user.' })),
    name: Type.String({ description: 'The name of the person or of the token.' }),
  },
  { title: 'Author', examples: [{ user_id: 'eve', name: 'Eve' }] },
)

export const Handoff = Type.Object(
  {
    from_agent_id: Nullable(Type.String()),
    to_agent_id: Type.String(),
    reason: Type.String({ description: 'Why the first agent passed the conversation on, in its words.' }),
  },
  { title: 'Handoff', examples: [{ reason: 'A question about an invoice.' }] },
)
export type Handoff = Static<typeof Handoff>

const RecalledMemory = Type.Object(
  { id: Type.String(), content: Type.String() },
  { title: 'RecalledMemory', examples: [{ id: 'mem_01k9z8q4m6e3v7t2w5x8y1a4bc', content: 'Prefers short answers.' }] },
)

const ReplyMemories = Type.Object(
  {
    recalled: Type.Array(RecalledMemory, { description: 'The facts that the agent recalled before it answered.' }),
    written: Type.Array(RecalledMemory, { description: 'The facts that were remembered from the question.' }),
  },
  { title: 'ReplyMemories', examples: [{ recalled: [], written: [] }] },
)

const messageStatuses = ['running', ...waitingStatuses, 'completed', 'failed', 'cancelled', 'interrupted'] as const

export const Message = Type.Object(
  {
    id: Type.String(),
    conversation_id: Type.String(),
    parent_message_id: Nullable(Type.String({ description: 'The message before it. Null for a first message.' })),
    versions: Type.Array(Type.String(), {
      description:
        'The ids of all messages with the same parent, oldest first, this one included: edited questions, regenerated replies.',
    }),
    role: Choice(['user', 'assistant']),
    content: Type.String(),
    author: Type.Optional({
      ...Author,
      description: 'The sender of the message, if it is not the user of the conversation.',
    }),
    attachments: Type.Array(Attachment),
    timestamp: Timestamp,
    created_at: { ...Timestamp, description: 'The same as `timestamp`.' },
    updated_at: { ...Timestamp, description: 'When it last changed, feedback included.' },
    status: Choice(messageStatuses),
    usage: Nullable(Usage),
    tool_calls: Type.Array(ToolCall, {
      description: 'Empty for readers who may not see a document that this reply, or one before it, rests on.',
    }),
    citations: Type.Array(CitationView),
    memories: {
      ...ReplyMemories,
      description: 'Memories that were recalled and written, without those that are deleted.',
    },
    handoffs: Type.Array(Handoff, { description: 'The agents that the reply was passed on to, in order.' }),
    model_id: Nullable(Type.String()),
    agent_id: Nullable(
      Type.String({ description: 'The agent that was asked; of a reply, the agent that finished it.' }),
    ),
    agent_version: Nullable(Type.Integer()),
    finish_reason: Nullable(Type.String()),
    latency_ms: Nullable(Type.Integer()),
    time_to_first_token_ms: Nullable(Type.Integer()),
    feedback: Nullable(Feedback),
    scores: Type.Optional(
      Type.Array(ReplyScore, {
        description: 'The scores that monitors gave the reply. Left out without any, and for the role `user`.',
      }),
    ),
    output: Type.Unsafe<unknown>({
      description: 'The parsed value of a reply with a `response_format` of type `json_schema`, else null.',
    }),
    error: Nullable(Type.String({ description: 'Why it failed.' })),
    code: Nullable(Type.String()),
    details: Nullable(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description: 'With the code `output_invalid`: where the reply does not follow its schema.',
      }),
    ),
  },
  {
    title: 'Message',
    examples: [
      {
        id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc',
        parent_message_id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bb',
        versions: ['msg_01k9z8q4m6e3v7t2w5x8y1a4bc'],
        role: 'assistant',
        content: 'Delivery takes three to five working days [1].',
        status: 'completed',
        usage: { input_tokens: 812, output_tokens: 64, total_tokens: 876, cost: 0.00247 },
        attachments: [],
        tool_calls: [],
        output: null,
        details: null,
        model_id: 'mdl_01k9z8q4m6e3v7t2w5x8y1a4bc',
        agent_id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        handoffs: [],
        memories: { recalled: [], written: [] },
        agent_version: 3,
        finish_reason: 'stop',
        latency_ms: 1840,
        time_to_first_token_ms: 420,
      },
    ],
  },
)
export type Message = Static<typeof Message>

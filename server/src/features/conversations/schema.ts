import { type Static, Type } from 'typebox'
import {
  Choice,
  identity,
  Metadata,
  Nullable,
  ReadOnly,
  Timestamp,
  timestamps,
  Variables,
} from '../../kernel/schema.ts'
import { listParameters, PageQuery } from '../../kernel/store/list.ts'
import { ResponseFormat } from '../agents/response-format.ts'
import { Attachment, Attachments } from './files/schema.ts'
import { conversationFilters, Match } from './search/filters.ts'

const UserId = Type.String({ minLength: 1, maxLength: 200 })

export const Conversation = Type.Object(
  {
    ...identity('cnv'),
    agent_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The agent of the conversation. It cannot be changed.',
    }),
    user_id: Nullable({ ...UserId, description: 'The user. For a token of role `user` it is always its own.' }),
    title: Nullable(Type.String({ maxLength: 300, description: 'Defaults to the beginning of the first message.' })),
    status: Choice(['active', 'completed'], {
      default: 'active',
      description: 'Set it to `completed` to complete the conversation. It cannot be reopened.',
    }),
    shared: Type.Boolean({
      default: false,
      description:
        'Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.',
    }),
    variables: Variables(
      "Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.",
    ),
    metadata: Metadata,
    evaluation_id: ReadOnly(Nullable(Type.String({ description: 'The evaluation that started it, if any.' }))),
    ...timestamps,
  },
  { title: 'Conversation' },
)
export type Conversation = Static<typeof Conversation>

/** A conversation as a caller sees it: `variables` is hidden from some. */
export const ConversationView = Type.Object(
  { ...Conversation.properties, variables: Type.Optional(Conversation.properties.variables) },
  { title: 'Conversation' },
)

const Usage = Type.Object(
  {
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    total_tokens: Type.Integer(),
    cost: Type.Number({ description: 'US dollars.' }),
  },
  { title: 'MessageUsage' },
)

export const ToolCall = Type.Object(
  {
    id: Type.String(),
    tool_id: Nullable(Type.String()),
    name: Type.String(),
    arguments: Type.Unsafe<unknown>({ description: 'As the model sent them.' }),
    target: Type.Optional(
      Type.String({
        description: 'Of a call that needs approval: the method and the address, or the address of the MCP server.',
        examples: ['DELETE https://api.example.com/orders/{id}'],
      }),
    ),
    status: Choice(['awaiting_approval', 'running', 'completed', 'failed', 'refused', 'handed_over'], {
      description: '`handed_over`: the caller of the OpenAI-compatible API makes the call and sends its result.',
    }),
    approval_id: Type.Optional(
      Type.String({ description: 'Of a call that needs approval: the approval, as `GET /approvals/{id}` shows it.' }),
    ),
    approved: Type.Optional(
      Type.Boolean({ description: 'The decision about a call that needs approval; missing before it is made.' }),
    ),
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
  },
  { title: 'Citation', examples: [{ tool_call_id: 'call_abc', page: 2, start: 1024, end: 1066 }] },
)

const Feedback = Type.Object(
  { rating: Choice(['up', 'down']), comment: Nullable(Type.String()), created_at: Timestamp },
  { title: 'Feedback' },
)

const messageStatuses = ['running', 'awaiting_approval', 'completed', 'failed', 'cancelled', 'interrupted'] as const

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
    attachments: Type.Array(Attachment),
    timestamp: Timestamp,
    created_at: { ...Timestamp, description: 'The same as `timestamp`.' },
    updated_at: { ...Timestamp, description: 'When it last changed, feedback included.' },
    status: Choice(messageStatuses),
    usage: Nullable(Usage),
    tool_calls: Type.Array(ToolCall),
    citations: Type.Array(CitationView),
    model_id: Nullable(Type.String()),
    agent_version: Nullable(Type.Integer()),
    finish_reason: Nullable(Type.String()),
    latency_ms: Nullable(Type.Integer()),
    time_to_first_token_ms: Nullable(Type.Integer()),
    feedback: Nullable(Feedback),
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
        agent_version: 3,
        finish_reason: 'stop',
        latency_ms: 1840,
        time_to_first_token_ms: 420,
      },
    ],
  },
)
export type Message = Static<typeof Message>

export const ConversationWithMessages = Type.Object(
  {
    ...ConversationView.properties,
    messages: Type.Array(Message, { description: 'The last 200 of the active branch, oldest first.' }),
  },
  { title: 'ConversationWithMessages' },
)

export const SendBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 500_000 }),
    attachments: Type.Optional(Attachments),
    stream: Type.Boolean({ default: false, description: 'Answer with Server-Sent Events.' }),
    response_format: Type.Optional(
      Nullable({ ...ResponseFormat, description: "Instead of the agent's `response_format`." }),
    ),
    parent_message_id: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'The reply that the message follows; `null` makes it a first message. If another message follows it already, this one becomes a new version of that and starts a new branch. Left out: the last reply.',
        }),
      ),
    ),
  },
  {
    additionalProperties: false,
    title: 'SendMessage',
    required: ['message'],
    'x-partial': true, // a missing parent is not the same as null
    examples: [{ message: 'What does it cost?', stream: false }],
  },
)
export const RegenerateBody = Type.Object(
  { stream: Type.Boolean({ default: false }) },
  { additionalProperties: false, title: 'RegenerateMessage', examples: [{ stream: false }] },
)
export const FeedbackBody = Type.Object(
  { rating: Choice(['up', 'down']), comment: Nullable(Type.String({ maxLength: 10_000 })) },
  {
    additionalProperties: false,
    title: 'GiveFeedback',
    required: ['rating'],
    examples: [{ rating: 'up', comment: 'Just what I needed.' }],
  },
)

export const ListedConversation = Type.Object(
  {
    ...ConversationView.properties,
    matches: Type.Optional(
      Type.Array(Match, { description: 'With `search`: the newest messages that match, at most 3.' }),
    ),
  },
  { title: 'ListedConversation' },
)

const { page, limit, sort, order, ...filters } = listParameters(Conversation, [], conversationFilters).properties
/** What a list takes, but for its pages. */
export const ExportQuery = Type.Object(filters, { additionalProperties: false })

export const MessagesQuery = Type.Object(
  {
    ...PageQuery.properties,
    before: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The id of a message: only those before it, and the last ones first; `page` 2 is further back.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const Totals = Type.Object(
  {
    messages: Type.Object({ total: Type.Integer(), user: Type.Integer(), assistant: Type.Integer() }),
    tokens: Type.Object({ input: Type.Integer(), output: Type.Integer() }),
    cost: Type.Number({ description: 'US dollars.' }),
  },
  { title: 'ConversationTotals' },
)
export type Totals = Static<typeof Totals>

export const ByMessage = Type.Object({ id: Type.String(), message: Type.String() })
export const StreamQuery = Type.Object(
  {
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only events after this number, like `Last-Event-ID`.',
      }),
    ),
    protocol: Type.Optional(
      Choice(['ai-sdk'], { description: "The AI SDK's UI message stream instead of our events." }),
    ),
  },
  { additionalProperties: false },
)
export const ProtocolQuery = Type.Object({ protocol: StreamQuery.properties.protocol }, { additionalProperties: false })

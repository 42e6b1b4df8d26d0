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
import { Message } from '../runs/schema.ts'
import { Attachments } from './files/schema.ts'
import { conversationFilters, Match } from './search/filters.ts'

const UserId = Type.String({ minLength: 1, maxLength: 200 })

const Summary = Type.Object(
  {
    content: Type.String(),
    up_to_message_id: Type.String({ description: 'The last message that it covers.' }),
    created_at: Timestamp,
  },
  { title: 'ConversationSummary', examples: [{ content: 'The user asked about delivery to Bern.' }] },
)
export type Summary = Static<typeof Summary>

export const Conversation = Type.Object(
  {
    ...identity('cnv'),
    agent_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The agent of the conversation. Only a handoff changes it.',
    }),
    user_id: Nullable({ ...UserId, description: 'The user. For a token of role `user` it is always its own.' }),
    title: Nullable(Type.String({ maxLength: 300, description: 'Defaults to the beginning of the first message.' })),
    status: Choice(['active', 'completed'], {
      default: 'active',
      description:
        'Set it to `completed` to complete the conversation. It cannot be reopened; only a schedule or trigger that continues it makes it active again.',
    }),
    shared: Type.Boolean({
      default: false,
      description:
        'Whether everybody in the workspace who may converse can read it, by its id. It is in no list of theirs.',
    }),
    variables: Variables(
      "Values for the variables of the agent's prompt template, over its `prompt_variables`. Names that the template does not use are ignored. Neither set by nor shown to the role `user`: they are part of the agent's instructions.",
    ),
    memory: Type.Boolean({
      default: true,
      description:
        '`false`: an agent with memory neither recalls nor writes memories in it. It cannot be changed later.',
    }),
    metadata: Metadata,
    label: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description:
          'The label of the version of the agent that answers. Left out: the one that an experiment chooses, else `production`, if the agent has that label; otherwise the newest version answers, and this is null. It cannot be changed.',
        examples: ['canary'],
      }),
    ),
    summary: ReadOnly(
      Nullable({
        ...Summary,
        description: 'The messages that are sent to the model as a summary, with the context strategy `summarize`.',
      }),
    ),
    parent_message_id: ReadOnly(
      Nullable(
        Type.String({
          description:
            'The reply that asked the agent as a tool. Such conversations are listed only with `?parent_message_id=`.',
        }),
      ),
    ),
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

export const ConversationWithMessages = Type.Object(
  {
    ...ConversationView.properties,
    messages: Type.Array(Message, { description: 'The last 200 of the active branch, oldest first.' }),
  },
  { title: 'ConversationWithMessages' },
)

export const SendBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: 500_000, description: 'The text of the message.' }),
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
  { stream: Type.Boolean({ default: false, description: 'Answer with Server-Sent Events.' }) },
  { additionalProperties: false, title: 'RegenerateMessage', examples: [{ stream: false }] },
)
export const FeedbackBody = Type.Object(
  {
    rating: Choice(['up', 'down'], { description: 'Whether the reply helped.' }),
    comment: Nullable(Type.String({ maxLength: 10_000, description: 'Why.' })),
  },
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
/** An export takes the filters of the list. It has no pages. */
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
    through: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The id of a message: those of its branch instead of the active one, which stays as it is. After it come the newest ones.',
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

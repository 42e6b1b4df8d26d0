import { type Static, Type } from 'typebox'
import { AccessField } from '../../kernel/access.ts'
import {
  Choice,
  Description,
  identity,
  Metadata,
  Name,
  Nullable,
  ReadOnly,
  timestamps,
  Variables,
} from '../../kernel/schema.ts'
import { ResponseFormat } from './response-format.ts'

const ids = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200, default: [], description })

const maxStops = 4
const maxStopLength = 500

const StopTexts = Type.Unsafe<string | string[]>({
  type: ['array', 'string'], // in the order in which the serializer tries them
  items: { type: 'string', minLength: 1, maxLength: maxStopLength },
  minLength: 1,
  maxLength: maxStopLength,
  minItems: 1,
  maxItems: maxStops,
  description: 'A text, or up to four of them, before which the reply ends.',
  examples: [['END']],
})

const AgentMemory = Type.Object(
  {
    scope: Choice(['user', 'agent'], {
      description:
        '`user`: what agents know of the person; needs conversations with a `user_id`. `agent`: what this agent has learned itself. Facts of one person never reach the prompt of another.',
    }),
    write: Choice(['auto', 'tool', 'off'], {
      description:
        '`tool`: the model calls a tool to remember. `auto`: a completed conversation is read once in the background, with one model call. `off`: it only recalls.',
    }),
  },
  { title: 'AgentMemory', additionalProperties: false, examples: [{ scope: 'user', write: 'tool' }] },
)

export const defaultContext = { strategy: 'trim' as const, keep_messages: 20 }

const ContextSettings = Type.Object(
  {
    strategy: Choice(['trim', 'summarize'], {
      default: 'trim',
      description:
        'Decides about messages that no longer fit the model. `trim`: the oldest are left out. `summarize`: they are summarized with one model call, and the summary is sent in their place.',
    }),
    keep_messages: Type.Integer({
      default: 20,
      minimum: 2,
      maximum: 1000,
      description: 'With `summarize`, the last messages that stay word for word, as far as they fit.',
    }),
  },
  {
    additionalProperties: false,
    required: [],
    default: defaultContext,
    description: 'Decides what happens to long conversations.',
    examples: [defaultContext],
  },
)

export const Agent = Type.Object(
  {
    ...identity('agt'),
    name: Name,
    description: Description,
    system_prompt: Nullable(Type.String({ maxLength: 200_000, description: 'Not shown to the role `user`.' })),
    model_id: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "A model's id, or the provider's name for it if it is unique. Default: the default model of the workspace.",
      }),
    ),
    temperature: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description: 'Lower is more predictable, higher more varied. Default: that of the provider.',
      }),
    ),
    max_tokens: Nullable(
      Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'The maximum length of a reply.' }),
    ),
    top_p: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Chooses only among the likeliest words, whose probabilities add up to this.',
      }),
    ),
    stop: Nullable(StopTexts),
    seed: Nullable(
      Type.Integer({
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The same seed makes replies repeatable, as far as the provider can.',
      }),
    ),
    reasoning_effort: Nullable(
      Choice(['low', 'medium', 'high'], { description: 'How long a reasoning model thinks.' }),
    ),
    response_format: Nullable(ResponseFormat),
    tool_choice: Nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          '`auto`, `none`, `required` or the id of one of its `tools`. A forced call is the first step of a reply; after it the model decides.',
      }),
    ),
    parallel_tool_calls: Nullable(Type.Boolean({ description: 'Whether it may call several tools at once.' })),
    max_steps: Type.Integer({
      minimum: 1,
      maximum: 50,
      default: 8,
      description: 'How many times it may call tools in one turn.',
    }),
    tools: ids('Ids of RAG, retrieval and API tools, and of agents that it may ask.'),
    handoffs: ids('Ids of agents that it may pass the conversation on to.'),
    topics: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 200,
      default: [],
      description: 'The topics it covers.',
    }),
    prompt_template_id: Nullable(Type.String({ description: 'Instead of `system_prompt`.' })),
    prompt_variables: Variables(
      "The values for the template's variables. A conversation can replace them with its own `variables`. Not shown to the role `user`.",
    ),
    fallback_model_ids: ids('Models to try in this order if the first one fails.'),
    status: Choice(['active', 'archived'], {
      default: 'active',
      description:
        'An archived agent starts no conversations, does not keep what it uses from being deleted, and is listed only with `?status=archived`.',
    }),
    type: Type.String({ minLength: 1, maxLength: 100, default: 'conversational', description: 'A label of your own.' }),
    memory: Nullable({
      ...AgentMemory,
      description: 'The memory that it has beyond a conversation. Null: it has none.',
    }),
    context: ContextSettings,
    metadata: Metadata,
    access: AccessField('the agent and talk to it'),
    version: ReadOnly(Type.Integer()),
    ...timestamps,
  },
  { title: 'Agent' },
)
export type Agent = Static<typeof Agent>

export const AgentWarning = Type.Object(
  {
    code: Choice(['data_can_leak', 'price_unknown'], { description: 'The type of risk.' }),
    message: Type.String({ description: 'The risk, and how to avoid it.' }),
    tools: Type.Array(Type.String(), { description: 'The tools that cause it together.' }),
    models: Type.Optional(Type.Array(Type.String(), { description: 'The models that cause it.' })),
  },
  { title: 'AgentWarning' },
)
export type AgentWarning = Static<typeof AgentWarning>

/** An agent as a caller sees it: the parts of its prompt are hidden from some, and `warnings` are computed. */
export const AgentView = Type.Object(
  {
    ...Agent.properties,
    system_prompt: Type.Optional(Agent.properties.system_prompt),
    prompt_variables: Type.Optional(Agent.properties.prompt_variables),
    access: Type.Optional(Agent.properties.access),
    warnings: ReadOnly(Type.Array(AgentWarning, { examples: [[]] })),
  },
  { title: 'Agent' },
)

export const AgentListItem = Type.Object(
  {
    id: Agent.properties.id,
    name: Agent.properties.name,
    description: Agent.properties.description,
    model_id: Agent.properties.model_id,
    temperature: Agent.properties.temperature,
    tools: Agent.properties.tools,
    status: Agent.properties.status,
    created_at: Agent.properties.created_at,
  },
  { title: 'AgentListItem' },
)

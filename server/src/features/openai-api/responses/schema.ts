import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../../kernel/schema.ts'
import { RequestedEffort, Verbosity } from '../parameters.ts'
import { TextFormat } from './format.ts'

const Anything = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
const Optional = <T extends Parameters<typeof Nullable>[0]>(schema: T) => Type.Optional(Nullable(schema))

const FunctionTool = Type.Object(
  {
    type: Type.String({
      description: 'Only `function`: the agent has tools of its own for everything that runs here.',
      examples: ['function'],
    }),
    name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', examples: ['weather'] }),
    description: Optional(Type.String({ maxLength: 100_000 })),
    parameters: Optional({ ...Anything, description: 'JSON Schema of the arguments.' }),
    strict: Optional(Type.Boolean()),
  },
  { title: 'ResponseFunctionTool' },
)
/** Requires only `type`: for a tool of another type, the error must name the type and not a missing name. */
const Tool = Type.Unsafe<Static<typeof FunctionTool>>({ ...FunctionTool, required: ['type'] })

export type ToolChoice = 'auto' | 'none' | 'required' | { type: 'function'; name: string }
const ToolChoice = Type.Unsafe<ToolChoice>({
  type: ['string', 'object'],
  examples: ['auto'],
  description:
    '`auto`, `none`, `required`, or `{type: "function", name}`: one of `tools`, or one of the agent\'s tools by its name.',
})

const Reasoning = Type.Object(
  {
    effort: Optional(RequestedEffort),
    summary: Optional(
      Choice(['auto', 'concise', 'detailed'], {
        description: 'No effect: reasoning is shown where the model shows it.',
      }),
    ),
  },
  { title: 'ResponseReasoning', additionalProperties: false },
)

export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 512 },
  maxProperties: 16,
  description: 'Labels of the response.',
})

/** OpenAI's names of what a client may ask for, without what an agent cannot give, such as `message.output_text.logprobs`. */
const includable = [
  'reasoning.encrypted_content',
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
] as const

const user = { minLength: 1, maxLength: 200 }

export const ResponseBody = Type.Object(
  {
    model: Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "An agent's id, or its name if it is unique. May be left out with `previous_response_id` or `conversation`.",
      }),
    ),
    input: Type.Unsafe<string | Record<string, unknown>[]>({
      type: ['string', 'array'],
      items: { type: 'object', additionalProperties: true },
      minLength: 1,
      minItems: 1,
      maxItems: 10_000,
      description:
        'A text, or items: `message`, `function_call`, `function_call_output`, and items of earlier responses, or an `item_reference` with the id of one. With `previous_response_id` or `conversation`, only what is new.',
      examples: ['What does it cost?'],
    }),
    instructions: Optional(
      Type.String({
        maxLength: 500_000,
        description:
          "Added to the agent's own instructions, for this response alone. Sent by a token of role `user`, they are user content.",
      }),
    ),
    previous_response_id: Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Continues the conversation of that response, after it. If others follow it, in a new branch.',
      }),
    ),
    conversation: Optional(
      Type.Unsafe<string | { id: string }>({
        type: ['string', 'object'],
        description: 'The id of a conversation, or `{id}`: the response follows its last message.',
        examples: ['cnv_01k9z8q4m6e3v7t2w5x8y1a4bc'],
      }),
    ),
    store: Optional(
      Type.Boolean({
        description: 'Default true. Without, only the usage is stored, and a disconnect stops the turn.',
      }),
    ),
    stream: Optional(Type.Boolean()),
    background: Optional(Type.Boolean({ description: 'Answers at once. Get the response later, or follow it.' })),
    metadata: Optional(Metadata),
    temperature: Optional(Type.Number({ minimum: 0, maximum: 2, description: "The agent's applies if it is lower." })),
    top_p: Optional(Type.Number({ minimum: 0, maximum: 1, description: "The agent's applies if it is lower." })),
    max_output_tokens: Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000_000,
        description: "The agent's `max_tokens` applies if it is lower.",
      }),
    ),
    tools: Optional(
      Type.Array(Tool, {
        maxItems: 128,
        description:
          "Functions that the client runs, beside the agent's own tools. Calls of them are items of type `function_call`; continue with items of type `function_call_output`.",
      }),
    ),
    tool_choice: Type.Optional(Nullable(ToolChoice)),
    parallel_tool_calls: Optional(Type.Boolean()),
    reasoning: Optional(Reasoning),
    text: Optional(
      Type.Object(
        {
          format: Optional(TextFormat),
          verbosity: Optional(Verbosity),
        },
        { additionalProperties: false },
      ),
    ),
    user: Optional(
      Type.String({
        ...user,
        description: 'The user that the conversation belongs to. A token of role `user` has its own.',
      }),
    ),
    safety_identifier: Optional(Type.String({ ...user, description: 'Used if `user` is missing.' })),
    prompt_cache_key: Optional(Type.String({ maxLength: 1000, description: 'A hint for caches, without effect.' })),
    truncation: Optional(
      Choice(['auto'], {
        description: 'A history that is too long for the model is shortened from its oldest messages.',
      }),
    ),
    service_tier: Optional(Choice(['auto', 'default'])),
    top_logprobs: Optional(Type.Integer({ maximum: 0, minimum: 0 })),
    include: Optional(
      Type.Array(Choice(includable), {
        maxItems: includable.length,
        description: 'No effect: these are parts of tools and items that a response does not have.',
      }),
    ),
    stream_options: Optional(
      Type.Object(
        { include_obfuscation: Optional(Type.Unsafe<false>({ type: 'boolean', enum: [false] })) },
        { additionalProperties: false },
      ),
    ),
  },
  {
    title: 'CreateResponse',
    additionalProperties: false,
    examples: [{ model: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', input: 'What does it cost?' }],
  },
)
export type ResponseBody = Static<typeof ResponseBody>

export const Item = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  properties: { type: { type: 'string' }, id: { type: 'string' } },
})

const statuses = ['in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const
export type ResponseStatus = (typeof statuses)[number]

export const Response = Type.Object(
  {
    id: Type.String(),
    object: Choice(['response']),
    created_at: Type.Integer(),
    completed_at: Nullable(Type.Integer()),
    status: Choice(statuses),
    error: Nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    incomplete_details: Nullable(Type.Object({ reason: Choice(['max_output_tokens', 'content_filter']) })),
    model: Type.String({ description: 'The model as it was requested.' }),
    conversation: Nullable(Type.Object({ id: Type.String() })),
    previous_response_id: Nullable(Type.String()),
    instructions: Nullable(Type.String()),
    output: Type.Array(Item, {
      description:
        "`reasoning`, `message`, `function_call` (the client makes the call) and `mcp_call` (one of the agent's own tools, `server_label` `agent`).",
    }),
    usage: Nullable(
      Type.Object({
        input_tokens: Type.Integer(),
        input_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
        output_tokens: Type.Integer(),
        output_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
        total_tokens: Type.Integer(),
      }),
    ),
    tools: Type.Array(
      Type.Object({
        type: Choice(['function']),
        name: Type.String(),
        description: Nullable(Type.String()),
        parameters: Nullable(Anything),
        strict: Nullable(Type.Boolean()),
      }),
    ),
    tool_choice: ToolChoice,
    parallel_tool_calls: Type.Boolean(),
    temperature: Type.Number(),
    top_p: Type.Number(),
    presence_penalty: Type.Number(),
    frequency_penalty: Type.Number(),
    top_logprobs: Type.Integer(),
    max_output_tokens: Nullable(Type.Integer()),
    max_tool_calls: Nullable(Type.Integer()),
    reasoning: Type.Object({ effort: Nullable(Type.String()), summary: Nullable(Type.String()) }),
    text: Type.Object({ format: Anything }),
    truncation: Choice(['auto']),
    service_tier: Choice(['default']),
    store: Type.Boolean(),
    background: Type.Boolean(),
    metadata: Metadata,
    user: Nullable(Type.String()),
    safety_identifier: Nullable(Type.String()),
    prompt_cache_key: Nullable(Type.String()),
  },
  {
    title: 'OpenAiResponse',
    examples: [
      {
        id: 'resp_01k9z8q4m6e3v7t2w5x8y1a4bc',
        created_at: 1_769_860_800,
        completed_at: 1_769_860_802,
        status: 'completed',
        error: null,
        incomplete_details: null,
        model: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        conversation: { id: 'cnv_01k9z8q4m6e3v7t2w5x8y1a4bc' },
        previous_response_id: null,
        instructions: null,
        output: [
          {
            id: 'msg_01k9z8q4m6e3v7t2w5x8y1a4bc_0',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Ten euros.', annotations: [], logprobs: [] }],
          },
        ],
        tools: [],
        tool_choice: 'auto',
        text: { format: { type: 'text' } },
      },
    ],
  },
)
export type Response = Static<typeof Response>

export const ResponseEvent = Type.Unsafe<Record<string, unknown>>({
  title: 'ResponseEvent',
  type: 'object',
  additionalProperties: true,
  required: ['type', 'sequence_number'],
  properties: { type: { type: 'string' }, sequence_number: { type: 'integer', minimum: 0 } },
  description:
    "The `data` of one Server-Sent Event, as in OpenAI's Responses API. `sequence_number` counts from 0 and is the same each time a response is streamed. The last line is `data: [DONE]`.",
})

export const DeletedResponse = Type.Object(
  { id: Type.String(), object: Choice(['response']), deleted: Type.Boolean() },
  { title: 'ResponseDeleted' },
)

export const InputItems = Type.Object(
  {
    object: Choice(['list']),
    data: Type.Array(Item),
    first_id: Nullable(Type.String()),
    last_id: Nullable(Type.String()),
    has_more: Type.Boolean(),
  },
  { title: 'ResponseInputItems' },
)

export const GetQuery = Type.Object(
  {
    stream: Type.Optional(Type.Boolean({ description: 'Streams the response again and follows it to its end.' })),
    starting_after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'With `stream`: only events after this `sequence_number`.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const InputItemsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many.' })),
    order: Type.Optional(
      Choice(['asc', 'desc'], { default: 'desc', description: 'The last ones come first by default.' }),
    ),
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'The id of an item.' })),
  },
  { additionalProperties: false },
)
export type InputItemsQuery = Static<typeof InputItemsQuery>

import { type Static, Type } from 'typebox'
import { Choice, Nullable } from '../../kernel/schema.ts'
import { ResponseFormat } from '../agents/response-format.ts'
import { Annotation } from './annotations.ts'
import { toolParameters } from './caller-tools.ts'
import { samplingParameters, unsupportedParameters } from './parameters.ts'

/** The subset of OpenAI's schemas that is supported. Other parameters are rejected by name; other fields of messages are ignored. */
const Part = Type.Object({
  type: Type.String(),
  text: Type.Optional(Type.String()),
  refusal: Type.Optional(Nullable(Type.String())),
  image_url: Type.Optional(
    Type.Object({ url: Type.String({ description: 'A data URL; web addresses are not fetched.' }) }),
  ),
  file: Type.Optional(
    Type.Object({
      file_data: Type.Optional(Nullable(Type.String({ description: 'A data URL.' }))),
      file_id: Type.Optional(Nullable(Type.String({ description: 'The id of an uploaded file.' }))),
      filename: Type.Optional(Nullable(Type.String())),
    }),
  ),
})
const FunctionCall = Type.Object({ name: Type.String(), arguments: Type.String() })
const ToolCall = Type.Object({
  id: Type.Optional(Type.String()),
  function: Type.Optional(FunctionCall),
  custom: Type.Optional(Type.Object({ name: Type.String(), input: Type.String() })),
})
const ChatMessage = Type.Object({
  role: Choice(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: Type.Optional(
    Type.Unsafe<string | Static<typeof Part>[] | null>({ type: ['string', 'array', 'null'], items: Part }),
  ),
  refusal: Type.Optional(Nullable(Type.String())),
  name: Type.Optional(Type.String({ description: 'The function that a message of role `function` comes from.' })),
  tool_calls: Type.Optional(
    Nullable(
      Type.Array(ToolCall, { description: 'Calls of tools that are not in `tools` are passed to the model as text.' }),
    ),
  ),
  function_call: Type.Optional(Nullable(FunctionCall)),
  tool_call_id: Type.Optional(Type.String()),
})

const ChatResponseFormat = Type.Object(
  { ...ResponseFormat.properties, type: Choice(['text', 'json_object', 'json_schema']) },
  { additionalProperties: false, description: "Instead of the agent's `response_format`." },
)

export const ChatBody = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "An agent's id, or its name if it is unique.",
    }),
    messages: Type.Array(ChatMessage, {
      minItems: 1,
      maxItems: 10_000,
      description:
        'The conversation. With a token of role `user`, every message is passed to the model as user content; `editor` and above may send `system`, `developer` and `assistant` messages of their own.',
    }),
    stream: Type.Optional(Nullable(Type.Boolean())),
    stream_options: Type.Optional(Nullable(Type.Object({ include_usage: Type.Optional(Type.Boolean()) }))),
    ...toolParameters,
    response_format: Type.Optional(Nullable(ChatResponseFormat)),
    ...samplingParameters,
    ...unsupportedParameters,
  },
  {
    additionalProperties: false,
    title: 'ChatCompletionRequest',
    examples: [
      { model: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', messages: [{ role: 'user', content: 'What does it cost?' }] },
    ],
  },
)
export type ChatBody = Static<typeof ChatBody>

export const EmbeddingsBody = Type.Object(
  {
    model: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "An embedding model's id, or the provider's name for it.",
    }),
    input: Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string' },
      minLength: 1,
      minItems: 1,
      maxItems: 2048,
    }),
    encoding_format: Type.Optional(Choice(['float', 'base64'])),
    dimensions: Type.Optional(
      Nullable(Type.Integer({ description: "Only the model's own dimensions are supported." })),
    ),
    user: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  },
  { title: 'EmbeddingsRequest', examples: [{ model: 'text-embedding-3-small', input: ['Hello'] }] },
)
export type EmbeddingsBody = Static<typeof EmbeddingsBody>

const Usage = Type.Object({
  prompt_tokens: Type.Integer(),
  prompt_tokens_details: Type.Object({ cached_tokens: Type.Integer() }),
  completion_tokens: Type.Integer(),
  completion_tokens_details: Type.Object({ reasoning_tokens: Type.Integer() }),
  total_tokens: Type.Integer(),
})
const ReasoningContent = Type.Optional(
  Type.String({ description: 'The reasoning of the model, if its provider shows it.' }),
)

const CallForClient = Type.Object(
  { id: Type.String(), type: Choice(['function']), function: FunctionCall },
  { description: "A call of one of the client's tools." },
)
const CallDelta = Type.Object({
  index: Type.Integer(),
  id: Type.Optional(Type.String()),
  type: Type.Optional(Choice(['function'])),
  function: Type.Object({ name: Type.Optional(Type.String()), arguments: Type.String() }),
})

export const ChatCompletion = Type.Object(
  {
    id: Type.String(),
    object: Choice(['chat.completion']),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        message: Type.Object({
          role: Choice(['assistant']),
          content: Nullable(Type.String({ description: 'Null if the model only calls tools.' })),
          reasoning_content: ReasoningContent,
          tool_calls: Type.Optional(Type.Array(CallForClient)),
          refusal: Nullable(Type.String()),
          annotations: Type.Array(Annotation, { description: 'The citations of the content.' }),
        }),
        logprobs: Nullable(Type.Unsafe<null>({ type: 'object' })),
        finish_reason: Type.String(),
      }),
    ),
    usage: Usage,
  },
  {
    title: 'ChatCompletion',
    examples: [
      {
        id: 'chatcmpl-01k9z8q4m6e3v7t2w5x8y1a4bc',
        created: 1_769_860_800,
        model: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc',
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Delivery takes three to five working days. [1]',
              refusal: null,
              annotations: [
                {
                  type: 'url_citation',
                  url_citation: {
                    start_index: 43,
                    end_index: 46,
                    title: 'Delivery.pdf',
                    url: 'https://parley.example.com/knowledge/passage?document=doc_01k9z8q4m6e3v7t2w5x8y1a4bc',
                    index: 1,
                    document_id: 'doc_01k9z8q4m6e3v7t2w5x8y1a4bc',
                    page: 2,
                    quote: 'Orders arrive within three to five working days.',
                  },
                },
              ],
            },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: {
          prompt_tokens: 812,
          prompt_tokens_details: { cached_tokens: 512 },
          completion_tokens: 64,
          completion_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 876,
        },
      },
    ],
  },
)

export const ChatCompletionChunk = Type.Object(
  {
    id: Type.String(),
    object: Choice(['chat.completion.chunk']),
    created: Type.Integer(),
    model: Type.String(),
    choices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        delta: Type.Object({
          role: Type.Optional(Choice(['assistant'])),
          content: Type.Optional(Nullable(Type.String())),
          reasoning_content: ReasoningContent,
          tool_calls: Type.Optional(Type.Array(CallDelta)),
          annotations: Type.Optional(Type.Array(Annotation, { description: 'The citations, after the content.' })),
        }),
        logprobs: Nullable(Type.Unsafe<null>({ type: 'object' })),
        finish_reason: Nullable(Type.String()),
      }),
    ),
    usage: Type.Optional(Usage),
  },
  {
    title: 'ChatCompletionChunk',
    description: 'The `data` of one Server-Sent Event. The last event is `data: [DONE]`.',
  },
)

export const OpenAiModel = Type.Object(
  {
    id: Type.String(),
    object: Choice(['model']),
    created: Type.Integer(),
    owned_by: Type.String(),
    name: Type.String(),
  },
  {
    title: 'OpenAiModel',
    examples: [{ id: 'agt_01k9z8q4m6e3v7t2w5x8y1a4bc', created: 1_769_860_800, owned_by: 'parley' }],
  },
)
export type OpenAiModel = Static<typeof OpenAiModel>

export const ModelList = Type.Object(
  {
    object: Choice(['list']),
    data: Type.Array(OpenAiModel),
  },
  { title: 'OpenAiModelList' },
)

export const EmbeddingList = Type.Object(
  {
    object: Choice(['list']),
    data: Type.Array(
      Type.Object({
        object: Choice(['embedding']),
        index: Type.Integer(),
        embedding: Type.Unsafe<number[] | string>({ description: 'Numbers, or their bytes in base64.' }),
      }),
    ),
    model: Type.String(),
    usage: Type.Object({ prompt_tokens: Type.Integer(), total_tokens: Type.Integer() }),
  },
  {
    title: 'EmbeddingList',
    examples: [
      {
        data: [{ object: 'embedding', index: 0, embedding: [0.018, -0.042, 0.097] }],
        model: 'all-MiniLM-L6-v2',
        usage: { prompt_tokens: 3, total_tokens: 3 },
      },
    ],
  },
)

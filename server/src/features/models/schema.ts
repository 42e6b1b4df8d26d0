import { type Static, Type } from 'typebox'
import { knownProviders } from '../../kernel/llm/providers.ts'
import {
  Choice,
  Derived,
  identity,
  Name,
  Nullable,
  ReadOnly,
  Timestamp,
  timestamps,
  WriteOnly,
} from '../../kernel/schema.ts'
import { inputModalities } from './modalities.ts'

const price = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }))

const Pricing = Type.Object(
  {
    input: price('US dollars per 1,000 input tokens. Required.'),
    output: price('US dollars per 1,000 output tokens. Required for chat models.'),
    cached_input: price('US dollars per 1,000 input tokens that the provider had cached.'),
    cache_write: price('US dollars per 1,000 input tokens that the provider writes to its cache. Default: `input`.'),
    input_per_1k: price('Alias of `input`; reads always show `input`, and this where it was sent.'),
    output_per_1k: price('Alias of `output`; reads always show `output`, and this where it was sent.'),
    cached_input_per_1k: price(
      'Alias of `cached_input`; reads always show `cached_input`, and this where it was sent.',
    ),
    cache_write_per_1k: price('Alias of `cache_write`; reads always show `cache_write`, and this where it was sent.'),
  },
  { additionalProperties: false, description: 'The price of its tokens. Null: unknown.' },
)
export type Pricing = Static<typeof Pricing>

const ModelWarning = Type.Object(
  {
    code: Choice(['price_unknown', 'shutdown'], { description: '`shutdown`: the provider shuts the model down.' }),
    message: Type.String({ description: 'The risk, and how to avoid it.' }),
  },
  { title: 'ModelWarning' },
)
export type ModelWarning = Static<typeof ModelWarning>

export const TestResult = Type.Object(
  { ok: Type.Boolean(), latency_ms: Type.Integer(), error: Nullable(Type.String()) },
  { title: 'ModelTest', examples: [{ latency_ms: 640 }] },
)
export type TestResult = Static<typeof TestResult>

const LastTest = Type.Object(
  { ...TestResult.properties, tested_at: Timestamp },
  { title: 'LastModelTest', examples: [{ latency_ms: 640 }] },
)

export const Model = Type.Object(
  {
    ...identity('mdl'),
    name: Name,
    provider: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      description: `One of ${knownProviders.join(', ')}; any other name needs an \`endpoint\` with the OpenAI API.`,
    }),
    model_id: Type.String({ minLength: 1, maxLength: 200, description: "The provider's name of the model." }),
    type: Derived(
      Choice(['chat', 'embedding', 'rerank'], {
        description: 'By default inferred from `model_id`, such as `embedding` for `text-embedding-3-small`.',
      }),
    ),
    api_key: WriteOnly(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 4000,
          pattern: '^[\\x21-\\x7e]+$',
          description: 'Kept encrypted, never read back.',
        }),
      ),
    ),
    api_key_set: ReadOnly(Type.Boolean()),
    api_key_hint: ReadOnly(Nullable(Type.String({ description: 'The last four characters of the key.' }))),
    endpoint: Nullable(
      Type.String({
        maxLength: 2000,
        description: 'URL of the provider. Changing it requires sending `api_key` again.',
      }),
    ),
    pricing: Derived(
      Nullable({
        ...Pricing,
        description:
          "By default known for well-known models at their provider's own address. Null: unknown, so calls are counted as free, and refused by blocking cost thresholds. A free model has a price of 0.",
      }),
    ),
    context_window: Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000, description: 'In tokens.' })),
    input_modalities: Derived(
      Type.Array(Choice(inputModalities), {
        minItems: 1,
        maxItems: inputModalities.length,
        description:
          'The kinds of input that a chat model takes: images only if `image` is listed. Documents are read by the service and given as text, whether or not `file` is listed. By default known for well-known models, else `["text"]`.',
        examples: [['text', 'image']],
      }),
    ),
    is_default: Type.Boolean({
      default: false,
      description: 'Used where no model is named. There is one default of each type.',
    }),
    options: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      maxProperties: 100,
      default: {},
      description: 'Further settings passed to the provider. Not a place for secrets.',
    }),
    last_test: ReadOnly(
      Nullable({
        ...LastTest,
        description: 'The result of the last test. Null if it was not tested since its address or key changed.',
      }),
    ),
    warnings: ReadOnly(Type.Array(ModelWarning, { examples: [[]] })),
    ...timestamps,
  },
  { title: 'Model' },
)
export type Model = Static<typeof Model>

export const AvailableQuery = Type.Object(
  {
    provider: Model.properties.provider,
    endpoint: Type.Optional(Model.properties.endpoint),
    api_key: Type.Optional(Model.properties.api_key),
    model: Type.Optional(
      Type.String({ maxLength: 100, description: 'The id of a model whose key is used if none is given.' }),
    ),
  },
  {
    title: 'AvailableModelsQuery',
    additionalProperties: false,
    examples: [{ provider: 'openai', api_key: 'sk-your-key' }],
  },
)
export type AvailableQuery = Static<typeof AvailableQuery>

export const CheckBody = Type.Object(
  {
    ...AvailableQuery.properties,
    model_id: Model.properties.model_id,
    type: Type.Optional(
      Choice(['chat', 'embedding', 'rerank'], { description: 'By default inferred from `model_id`.' }),
    ),
  },
  {
    title: 'CheckModel',
    additionalProperties: false,
    required: ['provider', 'model_id'],
    examples: [{ provider: 'openai', model_id: 'gpt-4o-mini', api_key: 'sk-your-key' }],
  },
)
export type CheckBody = Static<typeof CheckBody>

const AvailableModel = Type.Object(
  {
    model_id: Type.String({ examples: ['mistral-small-latest'] }),
    type: Choice(['chat', 'embedding', 'rerank']),
    context_window: Nullable(Type.Integer({ examples: [128_000] })),
    pricing: Nullable(Pricing),
    warnings: Type.Array(ModelWarning, { examples: [[]] }),
  },
  { title: 'AvailableModel' },
)

export const AvailableModels = Type.Object(
  {
    status: Choice(['listed', 'refused', 'unavailable'], {
      description: '`refused`: the provider does not accept the key. `unavailable`: it gave no list.',
    }),
    error: Nullable(Type.String({ description: 'Why there is no list.' })),
    models: Type.Array(AvailableModel),
  },
  { title: 'AvailableModels', examples: [{ status: 'listed', error: null }] },
)
export type AvailableModels = Static<typeof AvailableModels>

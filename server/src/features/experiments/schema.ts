import { type Static, Type } from 'typebox'
import { Choice, Description, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

const Variant = Type.Object(
  {
    label: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 63,
          description:
            'A label of the agent: conversations get the version that it names when the experiment starts. It cannot be moved while the experiment runs.',
        }),
      ),
    ),
    version: Type.Optional(
      Nullable(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A version, instead of a label.' })),
    ),
    weight: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1_000_000,
      description: 'The share of people who get it, relative to the other variants.',
    }),
  },
  { additionalProperties: false, title: 'Variant', examples: [{ label: 'canary', weight: 1 }] },
)
export type Variant = Static<typeof Variant>

export const metrics = ['feedback', 'completion', 'latency', 'cost'] as const

export const Experiment = Type.Object(
  {
    ...identity('exp'),
    name: Name,
    description: Description,
    agent_id: Type.String({ minLength: 1, maxLength: 200, description: 'The agent whose versions are compared.' }),
    variants: Type.Array(Variant, {
      minItems: 2,
      maxItems: 5,
      description: 'Others are compared with the first one. They cannot be changed once the experiment has started.',
      examples: [
        [
          { label: 'production', version: null, weight: 9 },
          { label: 'canary', version: null, weight: 1 },
        ],
      ],
    }),
    metric: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        '`feedback` (the share of thumbs up), `completion` (the share of conversations that are completed and whose last reply is), `latency` (milliseconds of a reply), `cost` (US dollars of a conversation), or the scorer of a monitor of the agent.',
      examples: ['feedback'],
    }),
    status: ReadOnly(Choice(['draft', 'running', 'stopped'])),
    started_at: ReadOnly(Nullable(Timestamp)),
    stopped_at: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'Experiment' },
)
export type Experiment = Static<typeof Experiment>

export const PromoteBody = Type.Object(
  {
    variant: Type.Unsafe<string | number>({
      type: ['string', 'integer'],
      minLength: 1,
      maxLength: 63,
      description: 'The label or the version number of the variant.',
    }),
  },
  { additionalProperties: false, title: 'PromoteVariant', required: ['variant'], examples: [{ variant: 'canary' }] },
)

const Interval = Nullable(
  Type.Array(Type.Number(), {
    description: 'It holds for all looks together: it may be read at any time. Null below 50 people in a variant.',
    examples: [[0.71, 0.93]],
  }),
)
const VariantName = Type.String({ description: 'The label or the version number of a variant.', examples: ['canary'] })

export const Results = Type.Object(
  {
    variants: Type.Array(
      Type.Object({
        label: Nullable(Type.String()),
        version: Nullable(
          Type.Integer({
            description:
              'For a label: the version that it named when the experiment started; in a draft, that it names now.',
          }),
        ),
        weight: Type.Number(),
        conversations: Type.Integer(),
        people: Type.Integer({
          description:
            'People with a value, each with the mean of their conversations. Without a `user_id` each conversation counts as one.',
        }),
        mean: Nullable(Type.Number()),
        ci95: Interval,
      }),
    ),
    differences: Type.Array(
      Type.Object({
        variant: VariantName,
        against: VariantName,
        difference: Nullable(Type.Number({ description: 'The mean of `variant` less the mean of `against`.' })),
        ci95: Interval,
        p_value: Nullable(
          Type.Number({
            description:
              'By a sequential test, corrected for the number of differences. It may be read at any time. Null below 50 people in a variant.',
          }),
        ),
        significant: Type.Boolean(),
        better: Nullable(Type.Boolean({ description: 'Whether `variant` is better; null if that is not known yet.' })),
      }),
    ),
    unpriced_requests: Type.Integer({
      description:
        'With the metric `cost`: the calls of the agent since the start whose price was not known. They add nothing to the means. Otherwise 0.',
    }),
    enough_data: Type.Boolean({ description: 'Whether every variant has as many values as the test needs.' }),
    conclusion: Type.String({ description: 'The result in words.', examples: ['Not enough data yet.'] }),
  },
  { title: 'ExperimentResults' },
)
export type Results = Static<typeof Results>

import { type Static, Type } from 'typebox'
import { DayParameter } from '../../kernel/dates.ts'
import { Choice, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'
import { windows } from './windows.ts'

export const UsageQuery = Type.Object(
  {
    start_date: DayParameter('From this day on (UTC).'),
    end_date: DayParameter('Up to this day, which is included (UTC).'),
    entity_type: Type.Optional(
      Choice(['agent', 'model', 'conversation', 'user', 'token', 'tool', 'evaluation'], {
        description: 'The kind of thing that used tokens.',
      }),
    ),
    entity_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Without `entity_type`, its prefix says what it is; an id without a known prefix is a user.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type UsageQuery = Static<typeof UsageQuery>

export const CostsQuery = Type.Object(
  {
    ...UsageQuery.properties,
    group_by: Type.Optional(
      Choice(['model', 'agent', 'user'], {
        description:
          'Splits each day of `daily` into `groups`. Only for the whole workspace, without `entity_type` and `entity_id`.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CostsQuery = Static<typeof CostsQuery>

const UnpricedRequests = Type.Integer({
  description:
    'The calls whose price was not known when they were made. They add nothing to the cost, which is at least the sum shown.',
})
const Figures = {
  tokens: Type.Integer(),
  cost: Type.Number({ description: 'US dollars.' }),
  requests: Type.Integer(),
  unpriced_requests: UnpricedRequests,
}
const ByModel = Type.Record(
  Type.String(),
  Type.Object({
    name: Nullable(Type.String({ description: 'Null if the model was deleted.' })),
    model_id: Nullable(Type.String({ description: "The provider's name for it. Null if the model was deleted." })),
    ...Figures,
    input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
  }),
  {
    description: 'By id of the model.',
    examples: [
      {
        mdl_01k9z8q4m6e3v7t2w5x8y1a4bc: {
          name: 'Mistral Small',
          model_id: 'mistral-small-latest',
          tokens: 16_240,
          cost: 0.0487,
          requests: 20,
          unpriced_requests: 0,
          input_tokens: 14_960,
          output_tokens: 1280,
        },
      },
    ],
  },
)
const ByEntity = Type.Record(Type.String(), Type.Record(Type.String(), Type.Object(Figures)), {
  description: 'By type (agent, user, token, tool, evaluation), then by id.',
  examples: [
    { agent: { agt_01k9z8q4m6e3v7t2w5x8y1a4bc: { tokens: 16_240, cost: 0.0487, requests: 20, unpriced_requests: 0 } } },
  ],
})

const SavedByCache = Type.Number({
  description:
    'US dollars that the caches of providers saved, less what writing to them cost more. Negative if it cost more than it saved.',
})

export const UsageStats = Type.Object(
  {
    total_tokens: Type.Integer(),
    total_cost: Type.Number(),
    saved_by_cache: SavedByCache,
    unpriced_requests: UnpricedRequests,
    by_model: ByModel,
    by_entity: ByEntity,
  },
  {
    title: 'UsageStats',
    examples: [
      {
        total_tokens: 16240,
        total_cost: 0.0487,
        saved_by_cache: 0.0112,
      },
    ],
  },
)
export const UsageCosts = Type.Object(
  {
    currency: Choice(['USD']),
    total_cost: Type.Number(),
    saved_by_cache: SavedByCache,
    unpriced_requests: UnpricedRequests,
    by_model: ByModel,
    by_entity: ByEntity,
    daily: Type.Array(
      Type.Object({
        date: Type.String({ format: 'date' }),
        cost: Type.Number(),
        tokens: Type.Integer(),
        unpriced_requests: UnpricedRequests,
        groups: Type.Optional(
          Type.Array(Type.Object({ id: Type.String(), ...Figures }), {
            description:
              'With `group_by`: the models, agents or users of the day. Calls without an agent or user are left out.',
          }),
        ),
      }),
    ),
  },
  {
    title: 'UsageCosts',
    examples: [
      {
        total_cost: 0.0487,
        saved_by_cache: 0.0112,
        daily: [{ date: '2026-01-31', cost: 0.0487, tokens: 16240, unpriced_requests: 0 }],
      },
    ],
  },
)

/** Up to here nano-dollars are exact integers. */
export const maxDollars = 9_000_000

export const PriceWarning = Type.Object(
  {
    code: Choice(['price_unknown']),
    message: Type.String({ description: 'The risk, and how to avoid it.' }),
    models: Type.Array(Type.String(), { description: 'The ids of the models without a price.' }),
  },
  { title: 'PriceWarning' },
)

export const UsageThreshold = Type.Object(
  {
    ...identity('thr'),
    name: Name,
    entity_type: Choice(['workspace', 'agent', 'model', 'user', 'token'], {
      default: 'workspace',
      description: 'The kind of thing whose usage counts.',
    }),
    entity_id: Nullable(
      Type.String({ minLength: 1, maxLength: 200, description: 'The id of the entity. Omit it for the workspace.' }),
    ),
    metric: Choice(['cost', 'tokens'], { description: 'The quantity that is limited.' }),
    limit: Type.Number({
      minimum: 0,
      maximum: 9_000_000_000_000_000,
      description: `US dollars (up to ${maxDollars}) or tokens.`,
    }),
    window: Choice(windows, { description: 'A UTC day, a UTC month, or all time.' }),
    action: Choice(['notify', 'block'], {
      description:
        '`block` also refuses calls of models that could pass the limit (403 `budget_exceeded`): before each call the most it can come to is reserved. For `cost` it also refuses calls of models without a price (403 `price_unknown`).',
    }),
    used: ReadOnly(Type.Number({ description: 'In this window: US dollars or tokens.' })),
    reserved: ReadOnly(Type.Number({ description: 'The maximum that running calls may use.' })),
    percent: ReadOnly(Type.Number({ description: '`used` as a percentage of `limit`.' })),
    resets_at: ReadOnly(Nullable(Timestamp)),
    exceeded_at: ReadOnly(
      Nullable({ ...Timestamp, description: 'When it was first reached or blocked a call in this window.' }),
    ),
    warnings: ReadOnly(Type.Array(PriceWarning, { examples: [[]] })),
    ...timestamps,
  },
  { title: 'UsageThreshold', examples: [{ used: 12.5, reserved: 0.2, percent: 25 }] },
)
export type UsageThreshold = Static<typeof UsageThreshold>

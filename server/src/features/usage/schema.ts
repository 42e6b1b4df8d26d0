import { type Static, Type } from 'typebox'
import { Choice } from '../../kernel/schema.ts'

const isoDate = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-01-31'] }))

export const UsageQuery = Type.Object(
  {
    start_date: isoDate('From this day on (UTC).'),
    end_date: isoDate('Up to this day, which is included (UTC).'),
    entity_type: Type.Optional(Choice(['agent', 'model', 'conversation', 'user', 'token', 'tool', 'evaluation'])),
    entity_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type UsageQuery = Static<typeof UsageQuery>

const Figures = { tokens: Type.Integer(), cost: Type.Number({ description: 'US dollars.' }), requests: Type.Integer() }
const ByModel = Type.Record(
  Type.String(),
  Type.Object({ ...Figures, input_tokens: Type.Integer(), output_tokens: Type.Integer() }),
)
const ByEntity = Type.Record(Type.String(), Type.Record(Type.String(), Type.Object(Figures)), {
  description: 'By kind (agent, user, token, tool, evaluation), then by id.',
})

export const UsageStats = Type.Object(
  { total_tokens: Type.Integer(), total_cost: Type.Number(), by_model: ByModel, by_entity: ByEntity },
  { title: 'UsageStats' },
)
export const UsageCosts = Type.Object(
  {
    currency: Choice(['USD']),
    total_cost: Type.Number(),
    by_model: ByModel,
    by_entity: ByEntity,
    daily: Type.Array(
      Type.Object({ date: Type.String({ format: 'date' }), cost: Type.Number(), tokens: Type.Integer() }),
    ),
  },
  { title: 'UsageCosts' },
)

import { type ExpressionBuilder, sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { Tables } from '../../kernel/store/database.ts'
import { dollars } from './cost.ts'
import type { UsageQuery } from './schema.ts'

const entityColumns = {
  agent: 'agent_id',
  user: 'user_id',
  token: 'token_id',
  tool: 'tool_id',
  evaluation: 'evaluation_id',
} as const
const filterColumns = { ...entityColumns, model: 'model_id', conversation: 'conversation_id' } as const

interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

const sums = (is: ExpressionBuilder<Tables, 'usage_record'>) => [
  is.fn.sum<number>('input_tokens').as('input'),
  is.fn.sum<number>('output_tokens').as('output'),
  is.fn.sum<number>('cost_nano').as('cost'),
  is.fn.countAll<number>().as('requests'),
]

function rows({ db }: Context, who: Caller, query: UsageQuery) {
  const { start_date: start, end_date: end, entity_type: type, entity_id: id } = query
  if (start && end && start > end) invalid('start_date', 'must not be after end_date')
  if (id !== undefined && type === undefined) invalid('entity_type', 'is required with entity_id')
  let found = db.selectFrom('usage_record').where('workspace_id', '=', who.workspace)
  if (start) found = found.where('day', '>=', start)
  if (end) found = found.where('day', '<=', end)
  if (type)
    found =
      id === undefined ? found.where(filterColumns[type], 'is not', null) : found.where(filterColumns[type], '=', id)
  return found
}

const tokens = (row: Sums) => Number(row.input ?? 0) + Number(row.output ?? 0)
const figures = (row: Sums) => ({
  tokens: tokens(row),
  cost: dollars(Number(row.cost ?? 0)),
  requests: Number(row.requests),
})

async function byModel(ctx: Context, who: Caller, query: UsageQuery) {
  const found = await rows(ctx, who, query)
    .select((is) => ['model_id', ...sums(is)])
    .groupBy('model_id')
    .execute()
  return Object.fromEntries(
    (found as unknown as (Sums & { model_id: string })[]).map((row) => [
      row.model_id,
      { ...figures(row), input_tokens: Number(row.input), output_tokens: Number(row.output) },
    ]),
  )
}

async function byEntity(ctx: Context, who: Caller, query: UsageQuery) {
  const result: Record<string, Record<string, ReturnType<typeof figures>>> = {}
  for (const [type, column] of Object.entries(entityColumns)) {
    const found = await rows(ctx, who, query)
      .where(column, 'is not', null)
      .select((is) => [sql<string>`${sql.ref(column)}`.as('entity'), ...sums(is)])
      .groupBy(column)
      .execute()
    result[type] = Object.fromEntries(
      (found as unknown as (Sums & { entity: string })[]).map((row) => [row.entity, figures(row)]),
    )
  }
  return result
}

async function total(ctx: Context, who: Caller, query: UsageQuery): Promise<Sums> {
  const row = await rows(ctx, who, query)
    .select((is) => sums(is))
    .executeTakeFirstOrThrow()
  return row as unknown as Sums
}

export async function stats(ctx: Context, who: Caller, query: UsageQuery) {
  const all = await total(ctx, who, query)
  return {
    total_tokens: tokens(all),
    total_cost: dollars(Number(all.cost ?? 0)),
    by_model: await byModel(ctx, who, query),
    by_entity: await byEntity(ctx, who, query),
  }
}

export async function costs(ctx: Context, who: Caller, query: UsageQuery) {
  const all = await total(ctx, who, query)
  const daily = await rows(ctx, who, query)
    .select((is) => ['day', ...sums(is)])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return {
    currency: 'USD' as const,
    total_cost: dollars(Number(all.cost ?? 0)),
    by_model: await byModel(ctx, who, query),
    by_entity: await byEntity(ctx, who, query),
    daily: (daily as unknown as (Sums & { day: string })[]).map((row) => ({
      date: row.day,
      cost: dollars(Number(row.cost)),
      tokens: tokens(row),
    })),
  }
}

import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { dollars } from './cost.ts'
import { periodsBetween } from './rollup.ts'
import type { UsageQuery } from './schema.ts'

const entityTypes = ['agent', 'user', 'token', 'tool', 'evaluation'] as const
type EntityType = (typeof entityTypes)[number]

interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

/** What something came to with one model. */
type Part = Sums & { entity_type: EntityType | 'workspace'; entity_id: string; model_id: string }

function check({ start_date: start, end_date: end, entity_type: type, entity_id: id }: UsageQuery): void {
  if (start && end && start > end) invalid('start_date', 'must not be after end_date')
  if (id !== undefined && type === undefined) invalid('entity_type', 'is required with entity_id')
}

/** The sums are by agent, user, token, tool, evaluation and model, and know nothing of conversations. */
function meant({ entity_type: type, entity_id: id }: UsageQuery, workspace: string, from: string, to: string) {
  if (type === undefined || type === 'model') {
    const kinds = type === undefined ? ['workspace', ...entityTypes] : ['workspace']
    const ofModel = id === undefined ? sql`` : sql`and model_id = ${id}`
    return sql`entity_type in (${sql.join(kinds)}) and period >= ${from} and period <= ${to} ${ofModel}`
  }
  if (id === undefined) return sql`entity_type = ${type} and period >= ${from} and period <= ${to}`
  // Periods one by one, because the key has the period before the entity.
  return sql`entity_type = ${type} and entity_id = ${id} and period in (
    select period from usage_rollup
    where workspace_id = ${workspace} and entity_type = 'workspace' and period >= ${from} and period <= ${to})`
}

const rollup = (who: Caller, query: UsageQuery, ranges: [string, string][]) =>
  sql.join(
    ranges.map(
      ([from, to]) => sql`
        select period, entity_type, entity_id, model_id, requests, input_tokens, output_tokens, cost_nano
        from usage_rollup
        where workspace_id = ${who.workspace} and ${meant(query, who.workspace, from, to)}`,
    ),
    sql` union all `,
  )

/** The rows of the ledger that belong to something; all but those of a model are found by an index of their own. */
function ledgerRows(who: Caller, { start_date: start, end_date: end, entity_type: type, entity_id: id }: UsageQuery) {
  const column = sql.ref(`${type}_id`)
  const isThat = id === undefined ? sql`${column} is not null` : sql`${column} = ${id}`
  // Put so that the index of the days is left alone where there is a better one.
  const day = id === undefined || type === 'model' ? sql`day` : sql`day || ''`
  return sql`usage_record where workspace_id = ${who.workspace} and ${isThat}
    and ${day} >= ${start ?? ''} and ${day} <= ${end ?? '9999-99-99'}`
}

const summed = sql`
  sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_nano) as cost, sum(requests) as requests`

async function partsOf(ctx: Context, who: Caller, query: UsageQuery): Promise<Part[]> {
  if (query.entity_type !== undefined) return partsOfEntity(ctx, who, query)
  const found = sql<Part>`
    select entity_type, entity_id, model_id, ${summed}
    from (${rollup(who, query, periodsBetween(query.start_date, query.end_date))}) as parts
    group by entity_type, entity_id, model_id`
  return numbers(await ctx.longReads.rows<Part>(found.compile(ctx.db)))
}

type Combination = Sums & { model_id: string } & Record<`${EntityType}_id`, string | null>

/** What one thing used, also by everything else it had to do with: the sums do not say that, the ledger does. */
async function partsOfEntity(ctx: Context, who: Caller, query: UsageQuery): Promise<Part[]> {
  const columns = sql.raw(['model_id', ...entityTypes.map((type) => `${type}_id`)].join(', '))
  const found = sql<Combination>`
    select ${columns}, sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_nano) as cost, count(*) as requests
    from ${ledgerRows(who, query)} group by ${columns}`
  const combinations = numbers(await ctx.longReads.rows<Combination>(found.compile(ctx.db)))
  return combinations.flatMap(({ model_id, input, output, cost, requests, ...ids }) => {
    const sums = { model_id, input, output, cost, requests }
    const parts: Part[] = [{ ...sums, entity_type: 'workspace', entity_id: '' }]
    for (const type of entityTypes) {
      const id = ids[`${type}_id`]
      if (id !== null) parts.push({ ...sums, entity_type: type, entity_id: id })
    }
    return parts
  })
}

/** Postgres answers with text where a sum might be too large for a number. */
function numbers<Row extends Sums>(rows: Row[]): Row[] {
  for (const row of rows) {
    row.input = Number(row.input)
    row.output = Number(row.output)
    row.cost = Number(row.cost)
    row.requests = Number(row.requests)
  }
  return rows
}

const tokens = (row: Sums) => row.input + row.output
const figures = (row: Sums) => ({ tokens: tokens(row), cost: dollars(row.cost), requests: row.requests })

function sumBy(parts: Part[], keyOf: (part: Part) => string): [string, Sums][] {
  const sums = new Map<string, Sums>()
  for (const part of parts) {
    const key = keyOf(part)
    const sum = sums.get(key)
    if (sum) add(sum, part)
    else sums.set(key, { input: part.input, output: part.output, cost: part.cost, requests: part.requests })
  }
  return [...sums]
}

function add(sum: Sums, row: Sums): void {
  sum.input += row.input
  sum.output += row.output
  sum.cost += row.cost
  sum.requests += row.requests
}

const byModel = (parts: Part[]) =>
  Object.fromEntries(
    sumBy(parts, (part) => part.model_id).map(([id, sum]) => [
      id,
      { ...figures(sum), input_tokens: sum.input, output_tokens: sum.output },
    ]),
  )

const byEntity = (parts: Part[]) =>
  Object.fromEntries(
    entityTypes.map((type) => {
      const ofType = parts.filter((part) => part.entity_type === type)
      return [type, Object.fromEntries(sumBy(ofType, (part) => part.entity_id).map(([id, sum]) => [id, figures(sum)]))]
    }),
  )

function total(parts: Part[]): Sums {
  const sum = { input: 0, output: 0, cost: 0, requests: 0 }
  for (const part of parts) add(sum, part)
  return sum
}

export async function stats(ctx: Context, who: Caller, query: UsageQuery) {
  check(query)
  const parts = await partsOf(ctx, who, query)
  const asked = parts.filter((part) => part.entity_type === 'workspace')
  const all = total(asked)
  return {
    total_tokens: tokens(all),
    total_cost: dollars(all.cost),
    by_model: byModel(asked),
    by_entity: byEntity(parts),
  }
}

async function byDay(ctx: Context, who: Caller, query: UsageQuery): Promise<(Sums & { period: string })[]> {
  const { start_date: start = '', end_date: end = '9999-99-99', entity_type: type } = query
  const kind = entityTypes.find((each) => each === type) ?? 'workspace'
  const source =
    type === 'conversation'
      ? sql`(select 'd' || day as period, 1 as requests, input_tokens, output_tokens, cost_nano from ${ledgerRows(who, query)})`
      : sql`(select * from (${rollup(who, query, [[`d${start}`, `d${end}`]])}) as sums where entity_type = ${kind})`
  const found = sql<Sums & { period: string }>`
    select period, ${summed} from ${source} as parts group by period order by period`
  return numbers(await ctx.longReads.rows<Sums & { period: string }>(found.compile(ctx.db)))
}

export async function costs(ctx: Context, who: Caller, query: UsageQuery) {
  const { total_cost, by_model, by_entity } = await stats(ctx, who, query)
  const daily = await byDay(ctx, who, query)
  return {
    currency: 'USD' as const,
    total_cost,
    by_model,
    by_entity,
    daily: daily.map((row) => ({ date: row.period.slice(1), cost: dollars(row.cost), tokens: tokens(row) })),
  }
}

import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { rowsOf } from '../../kernel/store/database.ts'
import { dollars } from './cost.ts'
import { periodsBetween } from './rollup.ts'
import type { UsageQuery } from './schema.ts'

const entityColumns = {
  agent: 'agent_id',
  user: 'user_id',
  token: 'token_id',
  tool: 'tool_id',
  evaluation: 'evaluation_id',
} as const
const filterColumns = { ...entityColumns, model: 'model_id' } as const
type EntityType = keyof typeof entityColumns
const entityTypes = Object.keys(entityColumns) as EntityType[]

interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

/** What one combination of model, agent, user, token, tool and evaluation came to. */
type Combination = Sums & Record<(typeof filterColumns)[keyof typeof filterColumns], string>

function check({ start_date: start, end_date: end, entity_type: type, entity_id: id }: UsageQuery): void {
  if (start && end && start > end) invalid('start_date', 'must not be after end_date')
  if (id !== undefined && type === undefined) invalid('entity_type', 'is required with entity_id')
}

const ofEntity = ({ entity_type: type, entity_id: id }: UsageQuery) => {
  if (type === undefined) return sql``
  if (type === 'conversation') return sql`and in_conversation = 1`
  const column = sql.ref(filterColumns[type])
  return id === undefined ? sql`and ${column} <> ''` : sql`and ${column} = ${id}`
}

const rollupSource = (who: Caller, query: UsageQuery, ranges: [string, string][]) =>
  sql.join(
    ranges.map(
      ([from, to]) => sql`
        select period, model_id, agent_id, user_id, token_id, tool_id, evaluation_id, requests, input_tokens,
          output_tokens, cost_nano
        from usage_rollup
        where workspace_id = ${who.workspace} and period >= ${from} and period <= ${to} ${ofEntity(query)}`,
    ),
    sql` union all `,
  )

/** One conversation has few rows, and the sums do not know conversations. */
const ledgerSource = (who: Caller, { start_date: start, end_date: end, entity_id: id }: UsageQuery) => sql`
  select 'd' || day as period, model_id, coalesce(agent_id, '') as agent_id, coalesce(user_id, '') as user_id, token_id,
    coalesce(tool_id, '') as tool_id, coalesce(evaluation_id, '') as evaluation_id, 1 as requests, input_tokens,
    output_tokens, cost_nano
  from usage_record
  where workspace_id = ${who.workspace} and conversation_id = ${id}
    and day >= ${start ?? '0000-00-00'} and day <= ${end ?? '9999-99-99'}`

const isOneConversation = (query: UsageQuery) => query.entity_type === 'conversation' && query.entity_id !== undefined

const summed = sql`
  sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_nano) as cost, sum(requests) as requests`

async function combinations(ctx: Context, who: Caller, query: UsageQuery): Promise<Combination[]> {
  const source = isOneConversation(query)
    ? ledgerSource(who, query)
    : rollupSource(who, query, periodsBetween(query.start_date, query.end_date))
  const found = sql<Combination>`
    select model_id, agent_id, user_id, token_id, tool_id, evaluation_id, ${summed} from (${source}) as parts
    group by model_id, agent_id, user_id, token_id, tool_id, evaluation_id`
  return numbers(await rowsOf<Combination>(ctx.db, found.compile(ctx.db)))
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

function sumBy(rows: Combination[], column: (typeof filterColumns)[keyof typeof filterColumns]): [string, Sums][] {
  const sums = new Map<string, Sums>()
  for (const row of rows) {
    const id = row[column]
    if (id === '') continue
    const sum = sums.get(id)
    if (sum) add(sum, row)
    else sums.set(id, { input: row.input, output: row.output, cost: row.cost, requests: row.requests })
  }
  return [...sums]
}

function add(sum: Sums, row: Sums): void {
  sum.input += row.input
  sum.output += row.output
  sum.cost += row.cost
  sum.requests += row.requests
}

const byModel = (rows: Combination[]) =>
  Object.fromEntries(
    sumBy(rows, 'model_id').map(([id, sum]) => [
      id,
      { ...figures(sum), input_tokens: sum.input, output_tokens: sum.output },
    ]),
  )

const byEntity = (rows: Combination[]) =>
  Object.fromEntries(
    entityTypes.map((type) => [
      type,
      Object.fromEntries(sumBy(rows, entityColumns[type]).map(([id, sum]) => [id, figures(sum)])),
    ]),
  )

function total(rows: Combination[]): Sums {
  const sum = { input: 0, output: 0, cost: 0, requests: 0 }
  for (const row of rows) add(sum, row)
  return sum
}

export async function stats(ctx: Context, who: Caller, query: UsageQuery) {
  check(query)
  const rows = await combinations(ctx, who, query)
  const all = total(rows)
  return {
    total_tokens: tokens(all),
    total_cost: dollars(all.cost),
    by_model: byModel(rows),
    by_entity: byEntity(rows),
  }
}

async function byDay(ctx: Context, who: Caller, query: UsageQuery): Promise<(Sums & { period: string })[]> {
  const { start_date: start = '', end_date: end = '9999-99-99' } = query
  const source = isOneConversation(query)
    ? ledgerSource(who, query)
    : rollupSource(who, query, [[`d${start}`, `d${end}`]])
  const found = sql<Sums & { period: string }>`
    select period, ${summed} from (${source}) as parts group by period order by period`
  return numbers(await rowsOf<Sums & { period: string }>(ctx.db, found.compile(ctx.db)))
}

export async function costs(ctx: Context, who: Caller, query: UsageQuery) {
  check(query)
  const rows = await combinations(ctx, who, query)
  const daily = await byDay(ctx, who, query)
  return {
    currency: 'USD' as const,
    total_cost: dollars(total(rows).cost),
    by_model: byModel(rows),
    by_entity: byEntity(rows),
    daily: daily.map((row) => ({ date: row.period.slice(1), cost: dollars(row.cost), tokens: tokens(row) })),
  }
}

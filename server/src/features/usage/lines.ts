import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { periodsBetween, type Scope } from './rollup.ts'

export const entityTypes = ['agent', 'user', 'token', 'tool', 'evaluation'] as const
export type EntityType = (typeof entityTypes)[number] | 'model' | 'conversation'

export interface Sums {
  input: number
  output: number
  cost: number
  /** The cost that caches saved. */
  saved: number
  requests: number
  /** The requests whose price was not known. */
  unpriced: number
}

/** The sums of one model, day or entity. */
export type UsageLine = Sums & { type: EntityType | 'day'; id: string }

/**
 * The entities that are hidden from the caller. Calls for them are not counted, and neither are calls for none of these
 * kinds, such as those that read documents into an index of several tools.
 */
export type Hidden = Record<'agent' | 'tool' | 'evaluation', string[]>

export interface Selection {
  /** By default, every call. */
  type?: EntityType
  /** By default, every call with an entity of this type. */
  id?: string
  /** Days, both included. */
  from?: string
  to?: string
}

const summed = sql`sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_nano) as cost, sum(saved_nano) as saved, sum(unpriced) as unpriced`

type RollupType = Exclude<EntityType, 'conversation'>

/** Usage by model, by entity and, if requested, by day. */
export async function readLines(
  ctx: Context,
  who: Caller,
  selection: Selection,
  hidden: Hidden | undefined,
  withDays: boolean,
): Promise<UsageLine[]> {
  const { type, id, from = '', to = '9999-99-99' } = selection
  if (type === 'conversation') return linesOfLedger(ctx, who, selection, hidden)
  // The widest scope that tells the selected calls apart has the fewest rows.
  const widest: Scope = id !== undefined && (type === 'user' || type === 'token') ? type : 'workspace'
  const scopes: Record<RollupType, Scope> = {
    model: widest,
    agent: widest,
    tool: widest,
    evaluation: widest,
    token: widest === 'workspace' ? 'token' : widest,
    user: 'user',
  }
  const periods = await readPeriods(ctx, who, periodsBetween(selection.from, selection.to))
  const lines: UsageLine[] = []
  for (const [scope, entities] of Map.groupBy(Object.entries(scopes), ([, scope]) => scope)) {
    const types = entities.map(([type]) => type as RollupType)
    lines.push(...(await linesOfScope(ctx, types, callsIn(who, scope, periods, selection, hidden))))
  }
  if (!withDays) return lines
  const days = await readPeriods(ctx, who, [[`d${from}`, `d${to}`]])
  const { rows } = await sql<UsageLine>`
    select 'day' as type, substr(period, 2) as id, ${summed}, sum(requests) as requests
    ${callsIn(who, widest, days, selection, hidden)} group by period order by period`.execute(ctx.longReads)
  return lines.concat(numbers(rows))
}

/** The periods that have calls. The key of the roll-up begins with the period, so each one is looked up. */
async function readPeriods(ctx: Context, who: Caller, ranges: [from: string, to: string][]): Promise<string[]> {
  const isWithin = ranges.map(([from, to]) => sql`(period >= ${from} and period <= ${to})`)
  const { rows } = await sql<{ period: string }>`
    select distinct period from usage_rollup
    where workspace_id = ${who.workspace} and scope = 'workspace' and (${sql.join(isWithin, sql` or `)})`.execute(
    ctx.longReads,
  )
  return rows.map(({ period }) => period)
}

function callsIn(who: Caller, scope: Scope, periods: string[], { type, id }: Selection, hidden: Hidden | undefined) {
  const entity = sql.ref(`${type}_id`)
  // Every call has a token, which the scope of the workspace does not show.
  const isSelected =
    type === undefined || (type === 'token' && id === undefined)
      ? sql``
      : id === undefined
        ? sql`and ${entity} <> ''`
        : sql`and ${entity} = ${id}`
  // The key has the users before the tokens.
  const isLookedUp = scope === 'token' ? sql`and user_id in ('', '*')` : sql``
  return sql`
    from usage_rollup
    where workspace_id = ${who.workspace} and scope = ${scope} and period in (${sql.join(['', ...periods])})
      ${isLookedUp} ${isSelected} ${except(hidden)}`
}

/** Sums each combination of the entities once, and then by each of them. */
async function linesOfScope(
  ctx: Context,
  types: RollupType[],
  calls: ReturnType<typeof callsIn>,
): Promise<UsageLine[]> {
  const columns = sql.join(types.map((type) => sql.ref(`${type}_id`)))
  const { rows } = await sql<Sums & Record<`${RollupType}_id`, string>>`
    select ${columns}, ${summed}, sum(requests) as requests ${calls} group by ${columns}`.execute(ctx.longReads)
  return types.flatMap((type) => {
    const lines = new Map<string, UsageLine>()
    for (const row of numbers(rows)) {
      const id = row[`${type}_id`]
      if (id === '') continue
      const line = lines.get(id) ?? { type, id, input: 0, output: 0, cost: 0, saved: 0, requests: 0, unpriced: 0 }
      line.input += row.input
      line.output += row.output
      line.cost += row.cost
      line.saved += row.saved
      line.requests += row.requests
      line.unpriced += row.unpriced
      lines.set(id, line)
    }
    return [...lines.values()]
  })
}

/** The roll-up has no sums by conversation. The index finds the rows of one within each day. */
async function linesOfLedger(
  ctx: Context,
  who: Caller,
  { id, from = '', to = '9999-99-99' }: Selection,
  hidden: Hidden | undefined,
): Promise<UsageLine[]> {
  const columns = Object.entries({
    model: 'model_id',
    day: 'day',
    ...Object.fromEntries(entityTypes.map((type) => [type, `${type}_id`])),
  })
  const days = (await readPeriods(ctx, who, [[`d${from}`, `d${to}`]])).map((period) => period.slice(1))
  const query = sql<UsageLine>`
    with calls as materialized (
      select ${sql.join(columns.map(([, column]) => sql.ref(column)))}, input_tokens, output_tokens, cost_nano, saved_nano,
        case when price = 'null' then 1 else 0 end as unpriced
      from usage_record where workspace_id = ${who.workspace} and day in (${sql.join(['', ...days])})
        and conversation_id ${id === undefined ? sql`is not null` : sql`= ${id}`} ${except(hidden)})
    ${sql.join(
      columns.map(
        ([type, column]) => sql`
        select ${sql.lit(type)} as type, ${sql.ref(column)} as id, ${summed}, count(*) as requests
        from calls where ${sql.ref(column)} is not null group by ${sql.ref(column)}`,
      ),
      sql` union all `,
    )} order by 1, 2`
  return numbers((await query.execute(ctx.longReads)).rows)
}

export type DayLine = Sums & { day: string; id: string }

/** The models, agents or users of each day, by their cost. */
export async function readGroupsOfDays(
  ctx: Context,
  who: Caller,
  type: 'model' | 'agent' | 'user',
  { from = '', to = '9999-99-99' }: Selection,
  hidden: Hidden | undefined,
): Promise<DayLine[]> {
  const id = sql.ref(`${type}_id`)
  const { rows } = await sql<DayLine>`
    select substr(period, 2) as day, ${id} as id, ${summed}, sum(requests) as requests
    from usage_rollup
    where workspace_id = ${who.workspace} and scope = ${type === 'user' ? type : 'workspace'}
      and period >= ${`d${from}`} and period <= ${`d${to}`} and ${id} <> '' ${except(hidden)}
    group by period, ${id} order by period, 5 desc, 2`.execute(ctx.longReads)
  return numbers(rows)
}

/** The condition that calls are about nothing hidden. The ledger has null and the roll-up an empty text for nothing. */
function except(hidden: Hidden | undefined) {
  if (!hidden) return sql``
  const entities = Object.entries(hidden).map(([type, ids]) => ({
    id: sql`coalesce(${sql.ref(`${type}_id`)}, '')`,
    ids,
  }))
  const isKnown = sql`and (${sql.join(
    entities.map(({ id }) => sql`${id} <> ''`),
    sql` or `,
  )})`
  return sql.join(
    [isKnown, ...entities.map(({ id, ids }) => sql`and ${id} not in (${sql.join(['-', ...ids])})`)],
    sql` `,
  )
}

/** Postgres returns sums of bigint as text. */
function numbers<Line extends Sums>(lines: Line[]): Line[] {
  for (const line of lines) {
    line.input = Number(line.input)
    line.output = Number(line.output)
    line.cost = Number(line.cost)
    line.saved = Number(line.saved)
    line.requests = Number(line.requests)
    line.unpriced = Number(line.unpriced)
  }
  return lines
}

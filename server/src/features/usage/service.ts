import { sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import { dayRange } from '../../kernel/dates.ts'
import { invalid } from '../../kernel/errors.ts'
import { allRows } from '../../kernel/store/list.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { dollars } from './cost.ts'
import { periodsBetween } from './rollup.ts'
import type { CostsQuery, UsageQuery } from './schema.ts'

const entityTypes = ['agent', 'user', 'token', 'tool', 'evaluation'] as const
type EntityType = (typeof entityTypes)[number] | 'model' | 'conversation'

interface Sums {
  input: number
  output: number
  cost: number
  requests: number
}

/** The sums of one model, day or entity. */
type UsageLine = Sums & { type: EntityType | 'day'; id: string }

/**
 * The entities that are hidden from the caller. Calls for them are not counted, and neither are calls for none of these
 * kinds, such as those that read documents into an index of several tools.
 */
type Hidden = Record<'agent' | 'tool' | 'evaluation', string[]>

interface Selection {
  /** By default, every call. */
  type?: EntityType
  /** By default, every call with an entity of this type. */
  id?: string
  /** Days, both included. */
  from?: string
  to?: string
}

// A map, because an id is any text: an object would find `toString`.
const typeByPrefix = new Map<string, EntityType>([
  ['agt', 'agent'],
  ['mdl', 'model'],
  ['cnv', 'conversation'],
  ['tok', 'token'],
  ['rag', 'tool'],
  ['ret', 'tool'],
  ['api', 'tool'],
  ['evl', 'evaluation'],
])

function toSelection({ entity_type, entity_id: id, ...dates }: UsageQuery): Selection {
  const { start, end } = dayRange(dates)
  const type =
    entity_type ?? (id === undefined ? undefined : (typeByPrefix.get(id.split('_', 1)[0] as string) ?? 'user'))
  return {
    ...(type !== undefined && { type }),
    ...(id !== undefined && { id }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  }
}

/** Undefined if the caller sees everything that calls are made for. */
async function hiddenFrom(ctx: Context, who: Caller): Promise<Hidden | undefined> {
  const agent = await findUnseen(ctx, who, 'agt')
  const tool = await findUnseen(ctx, who, 'rag', 'ret')
  const evaluation = await findUnseen(ctx, who, 'evl')
  return agent.length + tool.length + evaluation.length > 0 ? { agent, tool, evaluation } : undefined
}

/** Usage by model, by entity and, if requested, by day. */
async function readLines(
  ctx: Context,
  who: Caller,
  query: UsageQuery,
  hidden: Hidden | undefined,
  withDays: boolean,
): Promise<UsageLine[]> {
  const selection = toSelection(query)
  const { type, id } = selection
  if (hidden || !(type === undefined || (type === 'model' && id === undefined)))
    return linesOfLedger(ctx, who, selection, hidden)
  return [...(await linesOfAll(ctx, who, selection)), ...(withDays ? await daysOfAll(ctx, who, selection) : [])]
}

const summed = sql`sum(input_tokens) as input, sum(output_tokens) as output, sum(cost_nano) as cost`

/** Without a filter the roll-up has all sums. */
async function linesOfAll(ctx: Context, who: Caller, { from, to }: Selection): Promise<UsageLine[]> {
  const ranges = periodsBetween(from, to)
  const sumColumns = (type: string) =>
    sql.join(
      ranges.map(
        ([from, to]) => sql`
          select entity_id, model_id, requests, input_tokens, output_tokens, cost_nano
          from usage_rollup
          where workspace_id = ${who.workspace} and entity_type = ${type} and period >= ${from} and period <= ${to}`,
      ),
      sql` union all `,
    )
  // One group-by per type, because SQLite sorts by one short key much faster than by two.
  const byType = [
    ['workspace', 'model', 'model_id'] as const,
    ...entityTypes.map((type) => [type, type, 'entity_id'] as const),
  ]
  const query = sql<UsageLine>`${sql.join(
    byType.map(
      ([type, label, column]) => sql`
        select ${sql.lit(label)} as type, ${sql.ref(column)} as id, ${summed}, sum(requests) as requests
        from (${sumColumns(type)}) as sums group by ${sql.ref(column)}`,
    ),
    sql` union all `,
  )}`
  return numbers((await query.execute(ctx.longReads)).rows)
}

async function daysOfAll(ctx: Context, who: Caller, selection: Selection): Promise<UsageLine[]> {
  const { from: start = '', to: end = '9999-99-99' } = selection
  const query = sql<UsageLine>`
    select 'day' as type, substr(period, 2) as id, ${summed}, sum(requests) as requests
    from usage_rollup
    where workspace_id = ${who.workspace} and entity_type = 'workspace' and period >= ${`d${start}`} and period <= ${`d${end}`}
    group by period order by period`
  return numbers((await query.execute(ctx.longReads)).rows)
}

/** The roll-up cannot combine filters, so the rows of the ledger are summed. */
async function linesOfLedger(
  ctx: Context,
  who: Caller,
  { type, id, from = '', to = '9999-99-99' }: Selection,
  hidden: Hidden | undefined,
): Promise<UsageLine[]> {
  const columns = Object.entries({
    model: 'model_id',
    day: 'day',
    ...Object.fromEntries(entityTypes.map((type) => [type, `${type}_id`])),
  })
  const entity = sql.ref(`${type}_id`)
  const isSelected =
    type === undefined ? sql`` : id === undefined ? sql`and ${entity} is not null` : sql`and ${entity} = ${id}`
  // The index finds the rows of a conversation within each day.
  const days =
    type === 'conversation'
      ? sql`day in (
        select substr(period, 2) from usage_rollup
        where workspace_id = ${who.workspace} and entity_type = 'workspace' and period >= ${`d${from}`} and period <= ${`d${to}`})`
      : sql`day >= ${from} and day <= ${to}`
  const query = sql<UsageLine>`
    with calls as materialized (
      select ${sql.join(columns.map(([, column]) => sql.ref(column)))}, input_tokens, output_tokens, cost_nano
      from usage_record where workspace_id = ${who.workspace} and ${days} ${isSelected} ${except(hidden)})
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

/** The condition that a row of the ledger is about nothing hidden. */
function except(hidden: Hidden | undefined) {
  if (!hidden) return sql``
  const types = Object.entries(hidden)
  const isSeen = types.map(
    ([type, ids]) => sql`and coalesce(${sql.ref(`${type}_id`)}, '-') not in (${sql.join(['', ...ids])})`,
  )
  const isKnown = sql`and coalesce(${sql.join(types.map(([type]) => sql.ref(`${type}_id`)))}) is not null`
  return sql.join([isKnown, ...isSeen], sql` `)
}

/** Postgres returns sums of bigint as text. */
function numbers(lines: UsageLine[]): UsageLine[] {
  for (const line of lines) {
    line.input = Number(line.input)
    line.output = Number(line.output)
    line.cost = Number(line.cost)
    line.requests = Number(line.requests)
  }
  return lines
}

const tokens = (sums: Sums) => sums.input + sums.output
const metrics = (sums: Sums) => ({ tokens: tokens(sums), cost: dollars(sums.cost), requests: sums.requests })

interface ModelName {
  id: string
  name: string
  model_id: string
}

async function modelNames({ resources, db }: Context, workspace: string): Promise<Map<string, ModelName>> {
  const models = resources.get('mdl')?.table
  const rows = (await models?.first(db, workspace, allRows({}, ['id', 'name', 'model_id']))) ?? []
  return new Map((rows as ModelName[]).map((row) => [row.id, row]))
}

const byModel = (models: UsageLine[], names: Map<string, ModelName>) =>
  Object.fromEntries(
    models.map((line) => {
      const { name = null, model_id = null } = names.get(line.id) ?? {}
      return [line.id, { name, model_id, ...metrics(line), input_tokens: line.input, output_tokens: line.output }]
    }),
  )

function byEntity(lines: UsageLine[]) {
  const totals: Record<string, Record<string, ReturnType<typeof metrics>>> = {}
  for (const type of entityTypes) totals[type] = Object.create(null) // a user id can be any text, such as __proto__
  for (const line of lines) {
    const ofType = totals[line.type]
    if (ofType) ofType[line.id] = metrics(line)
  }
  return totals
}

async function toStats(ctx: Context, who: Caller, lines: UsageLine[]) {
  const models = lines.filter(({ type }) => type === 'model')
  return {
    total_tokens: models.reduce((sum, line) => sum + tokens(line), 0),
    total_cost: dollars(models.reduce((sum, line) => sum + line.cost, 0)),
    by_model: byModel(models, await modelNames(ctx, who.workspace)),
    by_entity: byEntity(lines),
  }
}

export const stats = async (ctx: Context, who: Caller, query: UsageQuery) =>
  toStats(ctx, who, await readLines(ctx, who, query, await hiddenFrom(ctx, who), false))

export async function costs(ctx: Context, who: Caller, { group_by: groupBy, ...query }: CostsQuery) {
  if (groupBy && (query.entity_type ?? query.entity_id) !== undefined)
    invalid('group_by', 'cannot be combined with entity_type or entity_id')
  const hidden = await hiddenFrom(ctx, who)
  const lines = await readLines(ctx, who, query, hidden, true)
  const { total_cost, by_model, by_entity } = await toStats(ctx, who, lines)
  const days = lines.filter(({ type }) => type === 'day')
  const groups = groupBy && (await groupsOfDays(ctx, who, groupBy, toSelection(query), hidden))
  return {
    currency: 'USD' as const,
    total_cost,
    by_model,
    by_entity,
    daily: days.map((line) => ({
      date: line.id,
      cost: dollars(line.cost),
      tokens: tokens(line),
      ...(groups && { groups: groups.get(line.id) ?? [] }),
    })),
  }
}

type DayLine = Sums & { day: string; id: string }

/** The models, agents or users of each day, by their cost. */
async function groupsOfDays(
  ctx: Context,
  who: Caller,
  type: 'model' | 'agent' | 'user',
  selection: Selection,
  hidden: Hidden | undefined,
) {
  const { from: start = '', to: end = '9999-99-99' } = selection
  const column = type === 'model' ? 'model_id' : 'entity_id'
  const ledgerQuery = sql<DayLine>`
    select day, ${sql.ref(`${type}_id`)} as id, ${summed}, count(*) as requests
    from usage_record
    where workspace_id = ${who.workspace} and day >= ${start} and day <= ${end}
      and ${sql.ref(`${type}_id`)} is not null ${except(hidden)}
    group by 1, 2 order by 1, 5 desc, 2`
  const rollupQuery = sql<DayLine>`
    select substr(period, 2) as day, ${sql.ref(column)} as id, ${summed}, sum(requests) as requests
    from usage_rollup
    where workspace_id = ${who.workspace} and entity_type = ${type === 'model' ? 'workspace' : type}
      and period >= ${`d${start}`} and period <= ${`d${end}`}
    group by period, ${sql.ref(column)} order by period, 5 desc, 2`
  const { rows } = await (hidden ? ledgerQuery : rollupQuery).execute(ctx.longReads)
  const groups = new Map<string, ({ id: string } & ReturnType<typeof metrics>)[]>()
  for (const { day, id, ...sums } of rows) {
    const ofDay = groups.get(day) ?? []
    ofDay.push({
      id,
      ...metrics({
        input: Number(sums.input),
        output: Number(sums.output),
        cost: Number(sums.cost),
        requests: Number(sums.requests),
      }),
    })
    groups.set(day, ofDay)
  }
  return groups
}

import { expressionBuilder, sql } from 'kysely'
import type { Caller, Context } from '../../kernel/context.ts'
import type { Tables } from '../../kernel/store/database.ts'
import { isWithin, periodsBetween, type Scope } from './rollup.ts'

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

const { fn } = expressionBuilder<Tables, 'usage_rollup'>()
const summed = [
  fn.sum<number>('input_tokens').as('input'),
  fn.sum<number>('output_tokens').as('output'),
  fn.sum<number>('cost_nano').as('cost'),
  fn.sum<number>('saved_nano').as('saved'),
  fn.sum<number>('unpriced').as('unpriced'),
]
const requests = fn.sum<number>('requests').as('requests')

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
    lines.push(...(await linesOfScope(types, callsIn(ctx, who, scope, periods, selection, hidden))))
  }
  if (!withDays) return lines
  const days = await readPeriods(ctx, who, [[`d${from}`, `d${to}`]])
  const rows = await callsIn(ctx, who, widest, days, selection, hidden)
    .select('period')
    .select([...summed, requests])
    .groupBy('period')
    .orderBy('period')
    .execute()
  return lines.concat(numbers(rows).map(({ period, ...sums }) => ({ type: 'day', id: period.slice(1), ...sums })))
}

/** The periods that have calls. The key of the roll-up begins with the period, so each one is looked up. */
async function readPeriods(ctx: Context, who: Caller, ranges: [from: string, to: string][]): Promise<string[]> {
  const rows = await ctx.longReads
    .selectFrom('usage_rollup')
    .select('period')
    .distinct()
    .where('workspace_id', '=', who.workspace)
    .where('scope', '=', 'workspace')
    .where(isWithin(ranges))
    .execute()
  return rows.map(({ period }) => period)
}

function callsIn(
  { longReads }: Context,
  who: Caller,
  scope: Scope,
  periods: string[],
  { type, id }: Selection,
  hidden: Hidden | undefined,
) {
  let calls = longReads
    .selectFrom('usage_rollup')
    .where('workspace_id', '=', who.workspace)
    .where('scope', '=', scope)
    .where('period', 'in', ['', ...periods])
  // The key has the users before the tokens.
  if (scope === 'token') calls = calls.where('user_id', 'in', ['', '*'])
  if (hidden) calls = calls.where(except(hidden))
  if (type === undefined || type === 'conversation') return calls
  if (id !== undefined) return calls.where(`${type}_id`, '=', id)
  // Every call has a token, which the scope of the workspace does not show.
  return type === 'token' ? calls : calls.where(`${type}_id`, '<>', '')
}

/** Sums each combination of the entities once, and then by each of them. */
async function linesOfScope(types: RollupType[], calls: ReturnType<typeof callsIn>): Promise<UsageLine[]> {
  const columns = types.map((type) => `${type}_id` as const)
  const rows = numbers(
    await calls
      .select(columns)
      .select([...summed, requests])
      .groupBy(columns)
      .execute(),
  )
  return types.flatMap((type) => {
    const lines = new Map<string, UsageLine>()
    for (const row of rows) {
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
  const days = (await readPeriods(ctx, who, [[`d${from}`, `d${to}`]])).map((period) => period.slice(1))
  const columns = ['model_id', 'day', ...entityTypes.map((type) => `${type}_id` as const)] as const
  const calls = ctx.longReads
    .selectFrom('usage_record')
    .select([...columns, 'input_tokens', 'output_tokens', 'cost_nano', 'saved_nano'])
    .select((is) => is.case().when('price', '=', 'null').then(1).else(0).end().as('unpriced'))
    .where('workspace_id', '=', who.workspace)
    .where('day', 'in', ['', ...days])
    .where('conversation_id', id === undefined ? 'is not' : '=', id ?? null)
  const rows = await ctx.longReads
    .with(
      (name) => name('calls').materialized(),
      () => (hidden ? calls.where(except(hidden)) : calls),
    )
    .selectFrom((is) =>
      columns
        .map((column) =>
          is
            .selectFrom('calls')
            .select(sql.lit(column.replace(/_id$/, '') as UsageLine['type']).as('type'))
            .select([sql.ref<string>(column).as('id'), ...summed, fn.countAll<number>().as('requests')])
            .where(column, 'is not', null)
            .groupBy(column),
        )
        .reduce((lines, others) => lines.unionAll(others))
        .as('lines'),
    )
    .selectAll()
    .orderBy('type')
    .orderBy('id')
    .execute()
  return numbers(rows)
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
  const id = `${type}_id` as const
  const rows = await ctx.longReads
    .selectFrom('usage_rollup')
    .select(['period', `${id} as id`])
    .select([...summed, requests])
    .where('workspace_id', '=', who.workspace)
    .where('scope', '=', type === 'user' ? type : 'workspace')
    .where(isWithin([[`d${from}`, `d${to}`]]))
    .where(id, '<>', '')
    .$if(hidden !== undefined, (query) => query.where(except(hidden as Hidden)))
    .groupBy(['period', id])
    .orderBy('period')
    .orderBy('cost', 'desc')
    .orderBy('id')
    .execute()
  return numbers(rows).map(({ period, ...line }) => ({ ...line, day: period.slice(1) }))
}

/** The condition that calls are about nothing hidden. The ledger has null and the roll-up an empty text for nothing. */
function except(hidden: Hidden) {
  const is = expressionBuilder<{ calls: Record<`${keyof Hidden}_id`, string | null> }, 'calls'>()
  const types = ['agent', 'tool', 'evaluation'] as const
  const entities = types.map((type) => ({ id: is.fn.coalesce(`${type}_id`, sql.lit('')), ids: hidden[type] }))
  return is.and([
    is.or(entities.map(({ id }) => is(id, '<>', ''))),
    ...entities.map(({ id, ids }) => is(id, 'not in', ['-', ...ids])),
  ])
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

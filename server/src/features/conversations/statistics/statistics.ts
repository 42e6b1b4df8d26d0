import { type AliasableExpression, expressionBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import type { Tables } from '../../../kernel/store/database.ts'
import { countedRows, type Rollup } from '../../../kernel/store/rollup.ts'
import {
  durationNames,
  messageSums,
  type Step,
  startedConversations,
  steps,
  type ToolSums,
  type Totals,
  toolCallSums,
  toolSumNames,
  totalNames,
} from './rollups.ts'

export { Histogram } from './histogram.ts'
export { type Totals, totalNames } from './rollups.ts'

export interface StatisticsFilter {
  workspace: string
  /** Days, both included. */
  from: string
  to: string
  agentId?: string
  userId?: string
  withEvaluations: boolean
  /** Hidden from the caller: these agents are not counted at all, and calls of these tools are left out. */
  hiddenAgents: string[]
  hiddenTools: string[]
}

/** Histograms are JSON objects with commas between them. */
export type AgentTotals = Totals & { agent_id: string; first_token: string }
export type VersionTotals = Totals & { agent_id: string; agent_version: number; label: string; latency: string }
export type StepTotals = Totals & { at: string; latency: string }
export type ToolStatistics = ToolSums & { tool_id: string; name: string }
export interface TopicStatistics {
  topic: string
  conversations: number
  messages: number
}

export async function totalsByAgent(ctx: Context, filter: StatisticsFilter): Promise<AgentTotals[]> {
  const rows = await conversationSums(ctx, filter, 'day')
    .select(['agent_id', joined('first_token')])
    .select(summed(totalNames))
    .groupBy('agent_id')
    .execute()
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

/** Totals of the replies by version and label of their agents. */
export async function totalsByVersion(ctx: Context, filter: StatisticsFilter): Promise<VersionTotals[]> {
  const rows = await conversationSums(ctx, filter, 'day')
    .select(['agent_id', 'agent_version', 'label', joined('latency')])
    .select(summed(totalNames))
    .where('agent_version', '>', 0)
    .groupBy(['agent_id', 'agent_version', 'label'])
    .having(({ fn }) => fn.sum('replies'), '>', 0)
    .execute()
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

/** Totals by day (2026-01-31) or hour (2026-01-31T12). */
export async function totalsByStep(ctx: Context, filter: StatisticsFilter, step: Step): Promise<StepTotals[]> {
  const rows = await conversationSums(ctx, filter, step)
    .select(['period', joined('latency')])
    .select(summed(totalNames))
    .groupBy('period')
    .execute()
  return rows.map(({ period, ...row }) => ({ ...row, ...numbers(row, totalNames), at: period.slice(1) }))
}

export async function toolStatistics(ctx: Context, filter: StatisticsFilter): Promise<ToolStatistics[]> {
  const { workspace, userId, hiddenTools } = filter
  const columns = { sums: toolSumNames, histograms: [] }
  const sums: AliasableExpression<Tables['tool_call_sums']> =
    userId === undefined
      ? ctx.longReads.selectFrom('tool_call_sums').selectAll().where('workspace_id', '=', workspace)
      : rowsOfUser(ctx, [toolCallSums], columns, workspace, userId, 'day')
  const rows = await ctx.longReads
    .selectFrom(sums.as('sums'))
    .select(['tool_id', 'name'])
    .select(summed(toolSumNames))
    .where(matches(filter, 'day'))
    .$if(hiddenTools.length > 0, (query) => query.where('tool_id', 'not in', hiddenTools))
    .groupBy(['tool_id', 'name'])
    .having(({ fn }) => fn.sum('calls'), '>', 0)
    .execute()
  return rows
    .map((row) => ({ ...row, ...numbers(row, toolSumNames) }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The users and conversations with a question. SQLite counts groups up to a third faster, because it sorts them by conversation. */
export async function distinctCounts(ctx: Context, filter: StatisticsFilter) {
  const groups = questions(ctx, filter).select(['conversation_id', 'user_id']).groupBy(['conversation_id', 'user_id'])
  const row = await ctx.longReads
    .selectFrom(groups.as('groups'))
    .select(({ fn }) => [
      fn.count('user_id').distinct().as('users'),
      fn.count('conversation_id').distinct().as('conversations'),
    ])
    .executeTakeFirstOrThrow()
  return numbers(row, ['users', 'conversations'])
}

export async function topicStatistics(ctx: Context, filter: StatisticsFilter): Promise<TopicStatistics[]> {
  const rows = await questions(ctx, filter)
    .select(({ fn }) => [
      'topic',
      fn.count('conversation_id').distinct().as('conversations'),
      fn.countAll().as('messages'),
    ])
    .where('topic', '<>', '')
    .groupBy('topic')
    .$narrowType<{ topic: string }>()
    .execute()
  return rows
    .map((row) => ({ ...row, ...numbers(row, ['conversations', 'messages']) }))
    .sort((a, b) => b.messages - a.messages || (a.topic < b.topic ? -1 : 1))
}

function conversationSums(ctx: Context, filter: StatisticsFilter, step: Step) {
  const { workspace, userId } = filter
  const columns = { sums: totalNames, histograms: durationNames }
  const sums: AliasableExpression<Tables['conversation_sums']> =
    userId === undefined
      ? ctx.longReads.selectFrom('conversation_sums').selectAll().where('workspace_id', '=', workspace)
      : rowsOfUser(ctx, [startedConversations, messageSums], columns, workspace, userId, step)
  return ctx.longReads.selectFrom(sums.as('sums')).where(matches(filter, step))
}

/**
 * The rows that the roll-up sums, because it has no sums by user. Kysely cannot build them: their columns are the SQL that the
 * triggers of the roll-up run.
 */
function rowsOfUser<Row>(
  { engine, longReads }: Context,
  rollups: Rollup[],
  columns: Parameters<typeof countedRows>[2],
  workspace: string,
  userId: string,
  step: Step,
) {
  // These use the indexes of the lists of conversations.
  const conversations = longReads
    .selectFrom('conversation')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('user_id', '=', userId)
  const messages = longReads
    .selectFrom('message')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('conversation_id', 'in', conversations)
  const rows = rollups.map((rollup) => {
    const level = rollup.levels[steps.indexOf(step)] ?? {}
    const counted = sql.raw(countedRows(rollup, level, columns, engine === 'postgres'))
    const id = sql.ref(rollup.source === 'message_tool_call' ? 'counted.message_id' : 'counted.id')
    return sql`${counted} and ${id} in ${rollup.source === 'conversation' ? conversations : messages}`
  })
  return sql<Row>`(${sql.join(rows, sql` union all `)})`
}

const is = expressionBuilder<{ sums: Tables['conversation_sums'] }, 'sums'>()

const summed = <Name extends string>(names: readonly Name[]) =>
  names.map((name) => is.fn.sum<number>(sql.ref(name)).as(name))

const joined = <Name extends 'latency' | 'first_token'>(name: Name) =>
  is.fn.agg<string>('string_agg', [name, sql.lit(',')]).as(name)

function matches({ from, to, agentId, withEvaluations, hiddenAgents }: StatisticsFilter, step: Step) {
  const [first, last] = step === 'day' ? [`d${from}`, `d${to}`] : [`h${from}T00`, `h${to}T23`]
  return is.and([
    is.between('period', first, last),
    ...(agentId === undefined ? [] : [is('agent_id', '=', agentId)]),
    ...(hiddenAgents.length === 0 ? [] : [is('agent_id', 'not in', hiddenAgents)]),
    ...(withEvaluations ? [] : [is('evaluation', '=', 0)]),
  ])
}

/** The first conditions are those of the partial index. */
function questions({ longReads }: Context, filter: StatisticsFilter) {
  const { workspace, from, to, agentId, userId, withEvaluations, hiddenAgents } = filter
  return longReads
    .selectFrom('message')
    .where('role', '=', sql.lit('user'))
    .where(({ and, not }) => and([not('superseded'), not('asked_by_agent')]))
    .where('timestamp', '>=', `${from}T00:00:00Z`)
    .where('timestamp', '<=', `${to}T23:59:59Z`)
    .where(({ and }) =>
      and({
        workspace_id: workspace,
        ...(agentId !== undefined && { agent_id: agentId }),
        ...(userId !== undefined && { user_id: userId }),
        ...(!withEvaluations && { evaluation_id: null }),
      }),
    )
    .$if(hiddenAgents.length > 0, (query) =>
      query.where(({ fn, val }) => fn.coalesce('agent_id', val('')), 'not in', hiddenAgents),
    )
}

/** Postgres returns sums of bigint as text. */
const numbers = <Name extends string>(row: Record<Name, unknown>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<Name, number>

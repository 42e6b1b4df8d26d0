import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
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
  const { rows } = await sql<AgentTotals>`
    select agent_id, ${selectSums(totalNames)}, string_agg(first_token, ',') as first_token
    from ${conversationSums(ctx, filter, 'day')} as sums where ${matches(filter, 'day')} group by agent_id`.execute(
    ctx.longReads,
  )
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

/** Totals of the replies by version and label of their agents. */
export async function totalsByVersion(ctx: Context, filter: StatisticsFilter): Promise<VersionTotals[]> {
  const { rows } = await sql<VersionTotals>`
    select agent_id, agent_version, label, ${selectSums(totalNames)}, string_agg(latency, ',') as latency
    from ${conversationSums(ctx, filter, 'day')} as sums
    where ${matches(filter, 'day')} and agent_version > 0 group by 1, 2, 3 having sum(replies) > 0`.execute(
    ctx.longReads,
  )
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

/** Totals by day (2026-01-31) or hour (2026-01-31T12). */
export async function totalsByStep(ctx: Context, filter: StatisticsFilter, step: Step): Promise<StepTotals[]> {
  const { rows } = await sql<StepTotals>`
    select substr(period, 2) as at, ${selectSums(totalNames)}, string_agg(latency, ',') as latency
    from ${conversationSums(ctx, filter, step)} as sums where ${matches(filter, step)} group by period`.execute(
    ctx.longReads,
  )
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

export async function toolStatistics(ctx: Context, filter: StatisticsFilter): Promise<ToolStatistics[]> {
  const columns = { sums: toolSumNames, histograms: [] }
  const { rows } = await sql<ToolStatistics>`
    select tool_id, name, ${selectSums(toolSumNames)}
    from ${sums(ctx, [toolCallSums], columns, filter, 'day')} as sums
    where ${matches(filter, 'day')} and ${isNotIn('tool_id', filter.hiddenTools)}
    group by 1, 2 having sum(calls) > 0`.execute(ctx.longReads)
  return rows
    .map((row) => ({ ...row, ...numbers(row, toolSumNames) }))
    .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** The users and conversations with a question. */
export async function distinctCounts(ctx: Context, filter: StatisticsFilter) {
  const { rows } = await sql<{ users: number; conversations: number }>`
    select count(distinct user_id) as users, count(distinct conversation_id) as conversations
    ${questions(filter)}`.execute(ctx.longReads)
  return { users: Number(rows[0]?.users), conversations: Number(rows[0]?.conversations) }
}

export async function topicStatistics(ctx: Context, filter: StatisticsFilter): Promise<TopicStatistics[]> {
  const { rows } = await sql<TopicStatistics>`
    select topic, count(distinct conversation_id) as conversations, count(*) as messages
    ${questions(filter)} and topic <> '' group by topic`.execute(ctx.longReads)
  return rows
    .map((row) => ({ ...row, ...numbers(row, ['conversations', 'messages']) }))
    .sort((a, b) => b.messages - a.messages || (a.topic < b.topic ? -1 : 1))
}

const conversationSums = (ctx: Context, filter: StatisticsFilter, step: Step) =>
  sums(ctx, [startedConversations, messageSums], { sums: totalNames, histograms: durationNames }, filter, step)

/** The roll-up. It has no sums by user, so for one user the rows themselves are counted. */
function sums(
  { engine }: Context,
  rollups: [Rollup, ...Rollup[]],
  columns: Parameters<typeof countedRows>[2],
  { workspace, userId }: StatisticsFilter,
  step: Step,
) {
  if (userId === undefined) return sql`(select * from ${sql.table(rollups[0].table)} where workspace_id = ${workspace})`
  const rows = rollups.map((rollup) => {
    const level = rollup.levels[steps.indexOf(step)] ?? {}
    const counted = sql.raw(countedRows(rollup, level, columns, engine === 'postgres'))
    return sql`${counted} and ${isOfUser(rollup, workspace, userId)}`
  })
  return sql`(${sql.join(rows, sql` union all `)})`
}

/** Uses the indexes of the lists of conversations. */
function isOfUser({ source }: Rollup, workspace: string, userId: string) {
  const conversations = sql`select id from conversation where workspace_id = ${workspace} and user_id = ${userId}`
  const messages = sql`select id from message where workspace_id = ${workspace} and conversation_id in (${conversations})`
  if (source === 'conversation') return sql`counted.id in (${conversations})`
  return source === 'message' ? sql`counted.id in (${messages})` : sql`counted.message_id in (${messages})`
}

const selectSums = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const isNotIn = (column: string, ids: string[]): RawBuilder<boolean> =>
  ids.length === 0 ? sql`true` : sql`${sql.ref(column)} not in (${sql.join(ids)})`

const matches = ({ from, to, agentId, withEvaluations, hiddenAgents }: StatisticsFilter, step: Step) => sql`
  ${step === 'day' ? isWithin(`d${from}`, `d${to}`) : isWithin(`h${from}T00`, `h${to}T23`)}
  and ${agentId === undefined ? sql`true` : sql`agent_id = ${agentId}`}
  and ${isNotIn('agent_id', hiddenAgents)} and ${withEvaluations ? sql`true` : sql`evaluation = 0`}`

const isWithin = (first: string, last: string) => sql`period >= ${first} and period <= ${last}`

/** The conditions are those of the partial index. */
const questions = ({ workspace, from, to, agentId, userId, withEvaluations, hiddenAgents }: StatisticsFilter) => sql`
  from message
  where workspace_id = ${workspace} and role = 'user' and not superseded and not asked_by_agent
    and timestamp >= ${`${from}T00:00:00Z`} and timestamp <= ${`${to}T23:59:59Z`}
    ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
    ${hiddenAgents.length === 0 ? sql`` : sql`and coalesce(agent_id, '') not in (${sql.join(hiddenAgents)})`}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${withEvaluations ? sql`` : sql`and evaluation_id is null`}`

/** Postgres returns sums of bigint as text. */
const numbers = <Name extends string>(row: Record<Name, unknown>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<Name, number>

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { countedRows, type Rollup } from '../../../kernel/store/rollup.ts'
import { Histogram, type Percentiles } from './histogram.ts'
import {
  type DurationKind,
  durationRollups,
  messageSums,
  startedConversations,
  type ToolSums,
  type Totals,
  toolCallSums,
  toolSumNames,
  totalNames,
} from './rollups.ts'

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

export type StepTotals = Totals & { at: string; agent_id: string }
export interface StepDurations {
  latency: Percentiles
  firstToken: Percentiles
  /** The percentiles of the latency by the start of each step that has a completed reply. */
  latencyByStep: Map<string, Percentiles>
}
export type ToolStatistics = ToolSums & { tool_id: string; name: string }
export interface TopicStatistics {
  topic: string
  conversations: number
  messages: number
}

/** Totals by agent and by day (2026-01-31) or hour (2026-01-31T12). */
export async function totalsByStep(ctx: Context, filter: StatisticsFilter, byHour: boolean): Promise<StepTotals[]> {
  const { rows } = await sql<StepTotals>`
    select agent_id, ${stepOf(byHour)} as at, ${sumsOf(totalNames)}
    from ${sums([startedConversations, messageSums], totalNames, filter)} as sums
    where ${matches(filter)} and ${withinHours(filter)} group by 1, 2`.execute(ctx.longReads)
  return rows.map((row) => ({ ...row, ...numbers(row, totalNames) }))
}

export async function durations(
  ctx: Context,
  filter: StatisticsFilter,
  byHour: boolean,
  stepStart: (at: string) => string,
): Promise<StepDurations> {
  const { rows } = await sql<{ at: string; kind: DurationKind; bucket: number; replies: number }>`
    select ${stepOf(byHour)} as at, kind, bucket, sum(replies) as replies
    from ${sums(durationRollups, ['replies'], filter)} as sums
    where ${matches(filter)} and ${withinHours(filter)} group by 1, 2, 3 having sum(replies) > 0`.execute(ctx.longReads)
  const all = { latency: new Histogram(), first_token: new Histogram() }
  const steps = new Map<string, Histogram>()
  for (const { at, kind, bucket, replies } of rows) {
    all[kind].add(bucket, Number(replies))
    if (kind === 'first_token') continue
    const start = stepStart(at)
    const ofStep = steps.get(start) ?? new Histogram()
    ofStep.add(bucket, Number(replies))
    steps.set(start, ofStep)
  }
  return {
    latency: all.latency.percentiles(),
    firstToken: all.first_token.percentiles(),
    latencyByStep: new Map([...steps].map(([start, histogram]) => [start, histogram.percentiles()])),
  }
}

export async function toolStatistics(ctx: Context, filter: StatisticsFilter): Promise<ToolStatistics[]> {
  const { from, to, hiddenTools } = filter
  const { rows } = await sql<ToolStatistics>`
    select tool_id, name, ${sumsOf(toolSumNames)}
    from ${sums([toolCallSums], toolSumNames, filter)} as sums
    where ${matches(filter)} and ${isNotIn('tool_id', hiddenTools)} and day >= ${from} and day <= ${to}
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

/** The roll-up. It has no sums by user, so for one user the rows themselves are counted. */
function sums(rollups: Rollup[], names: readonly string[], { workspace, userId }: StatisticsFilter) {
  if (userId === undefined)
    return sql`(select * from ${sql.table(rollups[0]?.table ?? '')} where workspace_id = ${workspace})`
  const rows = rollups.map(
    (rollup) => sql`${sql.raw(countedRows(rollup, names))} and ${isOfUser(rollup, workspace, userId)}`,
  )
  return sql`(${sql.join(rows, sql` union all `)})`
}

/** Uses the indexes of the lists of conversations. */
function isOfUser({ source }: Rollup, workspace: string, userId: string) {
  const conversations = sql`select id from conversation where workspace_id = ${workspace} and user_id = ${userId}`
  const messages = sql`select id from message where workspace_id = ${workspace} and conversation_id in (${conversations})`
  if (source === 'conversation') return sql`counted.id in (${conversations})`
  return source === 'message' ? sql`counted.id in (${messages})` : sql`counted.message_id in (${messages})`
}

const stepOf = (byHour: boolean) => (byHour ? sql`hour` : sql`substr(hour, 1, 10)`)
const withinHours = ({ from, to }: StatisticsFilter) => sql`hour >= ${`${from}T00`} and hour <= ${`${to}T23`}`
const sumsOf = (names: readonly string[]) =>
  sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const isNotIn = (column: string, ids: string[]): RawBuilder<boolean> =>
  ids.length === 0 ? sql`true` : sql`${sql.ref(column)} not in (${sql.join(ids)})`

const matches = ({ agentId, withEvaluations, hiddenAgents }: StatisticsFilter) => sql`
  ${agentId === undefined ? sql`true` : sql`agent_id = ${agentId}`}
  and ${isNotIn('agent_id', hiddenAgents)} and ${withEvaluations ? sql`true` : sql`evaluation = 0`}`

/** The conditions are those of the partial index. */
const questions = ({ workspace, from, to, agentId, userId, withEvaluations, hiddenAgents }: StatisticsFilter) => sql`
  from message
  where workspace_id = ${workspace} and role = 'user' and not superseded
    and timestamp >= ${`${from}T00:00:00Z`} and timestamp <= ${`${to}T23:59:59Z`}
    ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
    ${hiddenAgents.length === 0 ? sql`` : sql`and coalesce(agent_id, '') not in (${sql.join(hiddenAgents)})`}
    ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${withEvaluations ? sql`` : sql`and evaluation_id is null`}`

/** Postgres returns sums of bigint as text. */
const numbers = <Name extends string>(row: Record<Name, unknown>, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<Name, number>

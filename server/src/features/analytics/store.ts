import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { Occurrences } from './percentiles.ts'

/** Which messages and conversations are meant. */
export interface Scope {
  workspace: string
  /** Timestamps, both included. */
  from: string
  to: string
  agentId: string | undefined
  userId: string | undefined
  withEvaluations: boolean
  /** How much of a moment is told: its hour, or only its day, which is found faster. */
  byHour: boolean
}

/** What happened with one agent in one hour (or on one day). */
export interface HourOfMessages {
  hour: string
  agent_id: string
  shown: number
  asked: number
  answered: number
  replies: number
  errors: number
  input: number
  output: number
  cost: number
  up: number
  down: number
}

export interface HourOfConversations {
  hour: string
  agent_id: string
  status: string
  conversations: number
}

export interface ToolFigures {
  tool_id: string | null
  name: string
  calls: number
  failures: number
  latency: number | null
}

export interface TopicFigures {
  topic: string
  conversations: number
  messages: number
}

const of = ({ agentId, userId }: Scope): RawBuilder<unknown> => sql`
  ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
  ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}`

const ofPeople = ({ withEvaluations }: Scope) => (withEvaluations ? sql`` : sql`and evaluation_id is null`)

const inScope = (scope: Scope) => sql`
  workspace_id = ${scope.workspace} and timestamp >= ${scope.from} and timestamp <= ${scope.to} ${of(scope)}
  ${ofPeople(scope)}`

const conversationsInScope = (scope: Scope) => sql`
  workspace_id = ${scope.workspace} and created_at >= ${scope.from} and created_at <= ${scope.to} ${of(scope)}
  ${ofPeople(scope)}`

const moment = (column: string, { byHour }: Scope) => sql.raw(`substr(${column}, 1, ${byHour ? 13 : 10})`)
const count = (condition: string) => sql.raw(`sum(case when ${condition} then 1 else 0 end)`)
const isReply = "role = 'assistant' and status not in ('running', 'awaiting_approval')"

const read = <Row>(ctx: Context, query: RawBuilder<Row>): Promise<Row[]> =>
  ctx.longReads.rows<Row>(query.compile(ctx.db))

/** All that can be added up, by hour and agent: one walk along the index. */
export const messagesByHour = (ctx: Context, scope: Scope) =>
  read(
    ctx,
    sql<HourOfMessages>`
      select ${moment('timestamp', scope)} as hour, coalesce(agent_id, '') as agent_id,
        ${count('not superseded')} as shown,
        ${count("role = 'user'")} as asked,
        ${count("role = 'assistant' and not superseded")} as answered,
        ${count(isReply)} as replies,
        ${count("role = 'assistant' and status in ('failed', 'interrupted')")} as errors,
        coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output,
        coalesce(sum(cost_nano), 0) as cost,
        ${count("rating = 'up'")} as up, ${count("rating = 'down'")} as down
      from message where ${inScope(scope)}
      group by ${moment('timestamp', scope)}, coalesce(agent_id, '')`,
  )

export const conversationsByHour = (ctx: Context, scope: Scope) =>
  read(
    ctx,
    sql<HourOfConversations>`
      select ${moment('created_at', scope)} as hour, agent_id, status, count(*) as conversations
      from conversation where ${conversationsInScope(scope)}
      group by ${moment('created_at', scope)}, agent_id, status`,
  )

/** How often each duration occurs: all that an exact percentile needs. */
export const durations = (ctx: Context, scope: Scope, column: 'latency_ms' | 'time_to_first_token_ms') =>
  read(
    ctx,
    sql<Occurrences>`
      select ${sql.ref(column)} as value, count(*) as count
      from message
      where ${inScope(scope)} and role = 'assistant' and status = 'completed' and ${sql.ref(column)} is not null
      group by ${sql.ref(column)}`,
  )

export async function people(ctx: Context, scope: Scope): Promise<{ users: number; spokenIn: number }> {
  const [found] = await read(
    ctx,
    sql<{ users: number; conversations: number }>`
      select count(distinct user_id) as users, count(distinct conversation_id) as conversations
      from message where ${inScope(scope)} and role = 'user'`,
  )
  return { users: Number(found?.users ?? 0), spokenIn: Number(found?.conversations ?? 0) }
}

export const toolCalls = (ctx: Context, scope: Scope) =>
  read(
    ctx,
    sql<ToolFigures>`
      select tool_id, name, count(*) as calls, ${count('failed')} as failures, avg(latency_ms) as latency
      from message_tool_call where ${inScope(scope)}
      group by tool_id, name order by count(*) desc, name`,
  )

export const topics = (ctx: Context, scope: Scope) =>
  read(
    ctx,
    sql<TopicFigures>`
      select topic, count(distinct conversation_id) as conversations, count(*) as messages
      from message where ${inScope(scope)} and role = 'user' and topic <> ''
      group by topic order by count(*) desc, topic`,
  )

export async function agentNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const found = await read(
    ctx,
    sql<{ id: string; name: string }>`select id, name from agent where workspace_id = ${workspace}`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

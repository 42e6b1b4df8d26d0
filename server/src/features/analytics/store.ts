import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MessageQuestion, MessageStatistics } from './message-dataset.ts'

/** Selects messages and conversations. */
export interface Scope extends MessageQuestion {
  workspace: string
  /** Days, both inclusive. */
  from: string
  to: string
}

/** Started conversations per status and key: the day (2026-01-31), the hour (2026-01-31T12), or the agent. */
export interface StartedConversations {
  key: string
  status: string
  conversations: number
}

const messageDataset = new URL('./message-dataset.ts', import.meta.url)

export const messages = (ctx: Context, { workspace, from, to, ...question }: Scope): Promise<MessageStatistics> =>
  ctx.statistics.query<MessageStatistics>(messageDataset, workspace, { from, to }, question)

/** Caches all days, so that the next query does not have to. */
export const warmUp = (ctx: Context, workspace: string): Promise<MessageStatistics> =>
  ctx.statistics.query<MessageStatistics>(messageDataset, workspace, {}, {
    userId: '',
    withEvaluations: false,
    byHour: false,
  } satisfies MessageQuestion)

const read = <Row>(ctx: Context, query: RawBuilder<Row>): Promise<Row[]> =>
  ctx.longReads.rows<Row>(query.compile(ctx.db))

export async function conversations(
  ctx: Context,
  scope: Scope,
): Promise<{ steps: StartedConversations[]; agents: StartedConversations[] }> {
  const { agentId, userId, withEvaluations, byHour } = scope
  const by = async (expression: string): Promise<StartedConversations[]> => {
    const query = sql<StartedConversations>`
      select ${sql.raw(expression)} as "key", status, count(*) as conversations
      from conversation
      where workspace_id = ${scope.workspace}
        and created_at >= ${`${scope.from}T00:00:00Z`} and created_at <= ${`${scope.to}T23:59:59Z`}
        ${agentId === undefined ? sql`` : sql`and agent_id = ${agentId}`}
        ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
        ${withEvaluations ? sql`` : sql`and evaluation_id is null`}
      group by 1, 2`
    const rows = await read(ctx, query)
    return rows.map((row) => ({ ...row, conversations: Number(row.conversations) }))
  }
  const [steps, agents] = await Promise.all([by(`substr(created_at, 1, ${byHour ? 13 : 10})`), by('agent_id')])
  return { steps, agents }
}

export async function agentNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const found = await read(
    ctx,
    sql<{ id: string; name: string }>`select id, name from agent where workspace_id = ${workspace}`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { MessageAnswer, MessageQuestion } from './message-book.ts'

/** Which messages and conversations are meant. */
export interface Scope extends MessageQuestion {
  workspace: string
  /** Days, both included. */
  from: string
  to: string
}

/** How many conversations began, by one of: the day (2026-01-31) or hour (2026-01-31T12), the agent. */
export interface Begun {
  of: string
  status: string
  conversations: number
}

const messageBook = new URL('./message-book.ts', import.meta.url)

export const messages = (ctx: Context, { workspace, from, to, ...question }: Scope): Promise<MessageAnswer> =>
  ctx.figures.ask<MessageAnswer>(messageBook, workspace, { from, to }, question)

/** Reads what has changed, so that the next question need not. */
export const bringUpToDate = (ctx: Context, workspace: string): Promise<MessageAnswer> =>
  ctx.figures.ask<MessageAnswer>(messageBook, workspace, {}, {
    userId: '',
    withEvaluations: false,
    byHour: false,
  } satisfies MessageQuestion)

const read = <Row>(ctx: Context, query: RawBuilder<Row>): Promise<Row[]> =>
  ctx.longReads.rows<Row>(query.compile(ctx.db))

export async function conversations(ctx: Context, scope: Scope): Promise<{ moments: Begun[]; agents: Begun[] }> {
  const { agentId, userId, withEvaluations, byHour } = scope
  const by = async (expression: string): Promise<Begun[]> => {
    const query = sql<Begun>`
      select ${sql.raw(expression)} as of, status, count(*) as conversations
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
  const [moments, agents] = await Promise.all([by(`substr(created_at, 1, ${byHour ? 13 : 10})`), by('agent_id')])
  return { moments, agents }
}

export async function agentNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const found = await read(
    ctx,
    sql<{ id: string; name: string }>`select id, name from agent where workspace_id = ${workspace}`,
  )
  return new Map(found.map(({ id, name }) => [id, name]))
}

import { sql } from 'kysely'
import type { Context } from '../../kernel/context.ts'
import type { DateRange } from '../../kernel/statistics/dataset.ts'
import type { MessageQuestion, MessageStatistics } from './message-dataset.ts'

const messageDataset = new URL('./message-dataset.ts', import.meta.url)

export const messageStatistics = (
  ctx: Context,
  workspace: string,
  range: Partial<DateRange>,
  question: MessageQuestion,
): Promise<MessageStatistics> => ctx.statistics.query<MessageStatistics>(messageDataset, workspace, range, question)

/** Caches all days, so that the next query does not have to. */
export const warmUp = (ctx: Context, workspace: string): Promise<MessageStatistics> =>
  messageStatistics(ctx, workspace, {}, { userId: '', withEvaluations: false, interval: 'day' })

export async function agentNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const query = sql<{ id: string; name: string }>`select id, name from agent where workspace_id = ${workspace}`
  const found = await ctx.longReads.rows<{ id: string; name: string }>(query.compile(ctx.db))
  return new Map(found.map(({ id, name }) => [id, name]))
}

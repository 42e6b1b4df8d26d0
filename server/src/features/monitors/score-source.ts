import type { ScoreSource } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { scorerLabels } from '../evaluations/scorers/scorers.ts'

/** The scorers of monitors as metrics of experiments. */
export const monitorScores: ScoreSource = {
  count: async ({ db }, workspace, agentId, scorer) => (await monitorsWith(db, workspace, agentId, scorer)).length,

  async values({ db }, workspace, agentId, scorer, { from, to }) {
    const [monitor] = await monitorsWith(db, workspace, agentId, scorer)
    if (monitor === undefined) return new Map()
    const rows = await db
      .selectFrom('monitor_score')
      .select(['conversation_id', (is) => is.fn.avg<number>('score').as('value')])
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agentId)
      .where('monitor_id', '=', monitor)
      .where('scorer', '=', scorer)
      .where('replied_at', '>=', from)
      .where('replied_at', '<=', to)
      .groupBy('conversation_id')
      .execute()
    return new Map(rows.map(({ conversation_id: id, value }) => [id, Number(value)]))
  },
}

/** The ids of the monitors of an agent that have this scorer, the oldest first. */
async function monitorsWith(db: Db, workspace: string, agentId: string, scorer: string): Promise<string[]> {
  const rows = await db
    .selectFrom('monitor')
    .select(['id', 'scorers'])
    .where('workspace_id', '=', workspace)
    .where('agent_id', '=', agentId)
    .orderBy('id')
    .execute()
  const found = rows.filter(({ scorers }) => scorerLabels(JSON.parse(scorers) as { type: string }[]).includes(scorer))
  return found.map(({ id }) => id)
}

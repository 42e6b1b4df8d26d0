import type { ScoreSource } from '../../kernel/context.ts'
import { scorerLabels } from '../evaluations/scorers/scorers.ts'

/** The scorers of monitors as metrics of experiments. */
export const monitorScores: ScoreSource = {
  async has({ db }, workspace, agentId, scorer) {
    const rows = await db
      .selectFrom('monitor')
      .select('scorers')
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agentId)
      .execute()
    return rows.some(({ scorers }) => scorerLabels(JSON.parse(scorers) as { type: string }[]).includes(scorer))
  },

  async values({ db }, workspace, agentId, scorer, { from, to }) {
    const rows = await db
      .selectFrom('monitor_score')
      .select(['conversation_id', (is) => is.fn.avg<number>('score').as('value')])
      .where('workspace_id', '=', workspace)
      .where('agent_id', '=', agentId)
      .where('scorer', '=', scorer)
      .where('replied_at', '>=', from)
      .where('replied_at', '<=', to)
      .groupBy('conversation_id')
      .execute()
    return new Map(rows.map(({ conversation_id: id, value }) => [id, Number(value)]))
  },
}

import type { Context } from '../../kernel/context.ts'
import type { Payer, Purpose } from './purpose.ts'
import type { UsageThreshold } from './schema.ts'

export interface Threshold extends Pick<UsageThreshold, 'id' | 'name' | 'metric' | 'limit' | 'window' | 'action'> {
  workspace_id: string
  entity_type: UsageThreshold['entity_type']
  entity_id: string | null
  /** In nano-dollars or tokens. */
  limit_units: number
}

const columns = [
  'id',
  'workspace_id',
  'name',
  'entity_type',
  'entity_id',
  'metric',
  'limit',
  'limit_units',
  'window',
  'action',
] as const

/**
 * The thresholds of a workspace by id, which is the order in which they are locked. A payer without a revision of the
 * configuration gets them as they are now.
 */
export const readThresholds = (ctx: Context, payer: Omit<Payer, 'token' | 'tab'>): Promise<Threshold[]> =>
  ctx.cache.get(payer, 'thresholds', () =>
    ctx.db
      .selectFrom('usage_threshold')
      .select(columns)
      .where('workspace_id', '=', payer.workspace)
      .orderBy('id')
      .execute(),
  )

/** Whether a call counts towards the threshold. */
export function applies(threshold: Threshold, who: Payer, purpose: Purpose, modelId: string): boolean {
  switch (threshold.entity_type) {
    case 'workspace':
      return true
    case 'agent':
      return isAgentIn(purpose, threshold.entity_id)
    case 'user':
      return threshold.entity_id === purpose.userId
    case 'token':
      return threshold.entity_id === who.token
    case 'model':
      return threshold.entity_id === modelId
  }
}

/** An agent that is asked as a tool also spends the budgets of the agents that led to it. */
const isAgentIn = ({ agentId, callers = [] }: Purpose, id: string | null): boolean =>
  id === agentId || callers.some(({ agent_id }) => agent_id === id)

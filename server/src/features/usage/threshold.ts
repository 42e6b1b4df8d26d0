import type { Context } from '../../kernel/context.ts'
import { dollars } from './cost.ts'
import type { Allowance, Payer, Purpose } from './purpose.ts'
import type { UsageThreshold } from './schema.ts'

export interface Threshold extends Pick<UsageThreshold, 'id' | 'name' | 'metric' | 'limit' | 'window' | 'action'> {
  workspace_id: string
  entity_type: UsageThreshold['entity_type']
  entity_id: string | null
  /** In nano-dollars or tokens. */
  limit_units: number
  /** Publishes no events. */
  quiet?: true
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

/** The thresholds that calls of a purpose may count towards, with its allowance, in the order in which they are locked. */
export async function thresholdsFor(
  ctx: Context,
  payer: Omit<Payer, 'token' | 'tab'>,
  { allowance }: Purpose,
): Promise<Threshold[]> {
  const thresholds = await readThresholds(ctx, payer)
  return allowance
    ? [...thresholds, asThreshold(payer, allowance)].sort((one, other) => (one.id < other.id ? -1 : 1))
    : thresholds
}

/** Only calls with the allowance get to see it, so it applies to all of them, as a threshold of the workspace does. */
const asThreshold = ({ workspace }: Pick<Payer, 'workspace'>, { id, name, limit }: Allowance): Threshold => ({
  id,
  workspace_id: workspace,
  name,
  entity_type: 'workspace',
  entity_id: null,
  metric: 'cost',
  limit: dollars(limit),
  limit_units: limit,
  window: 'day',
  action: 'block',
  quiet: true,
})

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

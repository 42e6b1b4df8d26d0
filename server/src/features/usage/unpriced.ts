import type { Context } from '../../kernel/context.ts'
import { allRows } from '../../kernel/store/list.ts'
import { findReferrerIds } from '../../kernel/store/references.ts'
import { isWithin, periodsBetween } from './rollup.ts'
import { readThresholds, type Threshold } from './threshold.ts'

/** Whether a threshold refuses the calls of models without a price, because it could not limit them. */
export const needsPrices = ({ action, metric }: Pick<Threshold, 'action' | 'metric'>): boolean =>
  action === 'block' && metric === 'cost'

interface UnpricedModel {
  id: string
  name: string
  type: string
  is_default: boolean
}

async function unpricedModels({ resources, db }: Context, workspace: string): Promise<UnpricedModel[]> {
  const fields = ['id', 'name', 'type', 'is_default', 'pricing']
  const rows = await resources.get('mdl')?.table.first(db, workspace, allRows({}, fields))
  return ((rows ?? []) as (UnpricedModel & { pricing: unknown })[]).filter(({ pricing }) => pricing === null)
}

/** Keeps those of these models that the agent is set to use. */
async function usedByAgent(
  { resources, db }: Context,
  workspace: string,
  agentId: string,
  models: UnpricedModel[],
): Promise<UnpricedModel[]> {
  const agent = await resources.get('agt')?.table.find(db, workspace, agentId)
  const hasDefault = (agent as { model_id?: string | null } | undefined)?.model_id === null
  const used: UnpricedModel[] = []
  for (const model of models) {
    const isDefault = hasDefault && model.is_default && model.type === 'chat'
    if (isDefault || (await findReferrerIds(db, workspace, [model.id])).includes(agentId)) used.push(model)
  }
  return used
}

type Counting = Pick<Threshold, 'id' | 'action' | 'metric' | 'entity_type' | 'entity_id'>

/** The warnings of thresholds, by their ids. */
export async function thresholdWarnings(ctx: Context, workspace: string, thresholds: readonly Counting[]) {
  const warnings = new Map<string, { code: 'price_unknown'; message: string; models: string[] }[]>()
  const refusing = thresholds.filter(needsPrices)
  const unpriced = refusing.length > 0 ? await unpricedModels(ctx, workspace) : []
  for (const { id, entity_type, entity_id } of unpriced.length > 0 ? refusing : []) {
    const refused =
      entity_type === 'model'
        ? unpriced.filter((model) => model.id === entity_id)
        : entity_type === 'agent'
          ? await usedByAgent(ctx, workspace, entity_id ?? '', unpriced)
          : unpriced
    if (refused.length === 0) continue
    const names = refused.map(({ name }) => `"${name}"`).join(', ')
    const message = `This budget refuses calls of models that have no price: ${names}. Set their price; if they are free, set it to 0.`
    warnings.set(id, [{ code: 'price_unknown', message, models: refused.map((model) => model.id) }])
  }
  return warnings
}

/** The thresholds that may refuse calls of an agent to models without a price. */
export async function thresholdsNeedingPrices(ctx: Context, workspace: string, agentId: string): Promise<Threshold[]> {
  const all = await readThresholds(ctx, { workspace })
  return all.filter(
    (threshold) => needsPrices(threshold) && (threshold.entity_type !== 'agent' || threshold.entity_id === agentId),
  )
}

interface CallsOfAgents {
  workspace: string
  /** Days, both included. */
  from: string
  to: string
  agentId?: string
  userId?: string
  withEvaluations: boolean
}

/** The calls of agents whose price was not known, by agent. */
export async function unpricedByAgent(ctx: Context, calls: CallsOfAgents): Promise<Map<string, number>> {
  const { workspace, from, to, agentId, userId, withEvaluations } = calls
  const rows = await ctx.longReads
    .selectFrom('usage_rollup')
    .select(({ fn }) => ['agent_id as id', fn.sum('unpriced').as('unpriced')])
    .where(isWithin(periodsBetween(from, to)))
    .where('unpriced', '>', 0)
    .where('agent_id', agentId === undefined ? '<>' : '=', agentId ?? '')
    .where(({ and }) =>
      and({
        workspace_id: workspace,
        scope: userId === undefined ? 'workspace' : 'user',
        ...(userId !== undefined && { user_id: userId }),
        ...(!withEvaluations && { evaluation_id: '' }),
      }),
    )
    .groupBy('agent_id')
    .execute()
  return new Map(rows.map(({ id, unpriced }) => [id, Number(unpriced)]))
}

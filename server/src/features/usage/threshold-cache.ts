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

/** In a cluster another node may change thresholds, so the cache expires soon (milliseconds). */
export const cachedFor = 250

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

/** The thresholds of a workspace by id, which is the order in which they are locked. */
export async function readThresholds(ctx: Context, workspace: string): Promise<Threshold[]> {
  const memory = ctx.state.usage.thresholds
  const remembered = memory.get(workspace)
  const now = performance.now()
  const freshSince = ctx.engine === 'sqlite' ? 0 : now - cachedFor
  if (remembered && remembered.since >= freshSince) return remembered.thresholds
  const ofWorkspace = ctx.db.selectFrom('usage_threshold').where('workspace_id', '=', workspace)
  const thresholds = await ofWorkspace.select(columns).orderBy('id').execute()
  // If the cache was invalidated meanwhile, these may be outdated.
  if (memory.get(workspace) === remembered) memory.set(workspace, { since: now, thresholds })
  return thresholds
}

export const invalidateThresholds = (ctx: Context, workspace: string): void =>
  void ctx.state.usage.thresholds.set(workspace, { since: Number.NEGATIVE_INFINITY, thresholds: [] })

/** Whether a call counts towards the threshold. */
export function applies(threshold: Threshold, who: Payer, purpose: Purpose, modelId: string): boolean {
  switch (threshold.entity_type) {
    case 'workspace':
      return true
    case 'agent':
      return threshold.entity_id === purpose.agentId
    case 'user':
      return threshold.entity_id === purpose.userId
    case 'token':
      return threshold.entity_id === who.token
    case 'model':
      return threshold.entity_id === modelId
  }
}

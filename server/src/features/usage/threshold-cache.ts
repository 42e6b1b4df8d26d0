import type { Context } from '../../kernel/context.ts'
import { rowsOf } from '../../kernel/store/database.ts'
import type { Payer, Purpose } from './ledger.ts'
import type { UsageThreshold } from './schema.ts'

export interface Threshold extends Pick<UsageThreshold, 'id' | 'name' | 'metric' | 'limit' | 'window' | 'action'> {
  workspace_id: string
  entity_type: UsageThreshold['entity_type']
  entity_id: string | null
  /** The limit in what is counted: nano-dollars or tokens. */
  limit_units: number
}

/** In a cluster another node may have written since, so what is known is soon asked for again. */
export const rememberedFor = 250

const columns = 'id, workspace_id, name, entity_type, entity_id, metric, "limit", limit_units, "window", action'

/** The thresholds of a workspace, in the order in which they are always taken. For most workspaces: none, from memory. */
export async function thresholdsOf(ctx: Context, workspace: string): Promise<Threshold[]> {
  const memory = ctx.state.usage.thresholds
  const remembered = memory.get(workspace)
  const now = performance.now()
  const freshSince = ctx.engine === 'sqlite' ? 0 : now - rememberedFor
  if (remembered && remembered.since >= freshSince) return remembered.thresholds
  const { sql, parameters } = ctx.statements.raw(
    `select ${columns} from usage_threshold where workspace_id = ? order by id`,
    [workspace],
  )
  const thresholds = await rowsOf<Threshold>(ctx.db, { sql, parameters })
  // Where somebody wrote meanwhile, this may be what was true before.
  if (memory.get(workspace) === remembered) memory.set(workspace, { since: now, thresholds })
  return thresholds
}

export const forgetThresholds = (ctx: Context, workspace: string): void =>
  void ctx.state.usage.thresholds.set(workspace, { since: Number.NEGATIVE_INFINITY, thresholds: [] })

/** Whether what is spent on a call counts towards the threshold. */
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

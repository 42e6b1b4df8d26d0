import { isDeepStrictEqual } from 'node:util'
import { withoutAudit } from '../../kernel/audit.ts'
import type { Caller, Context, ScoreSource } from '../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../kernel/errors.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { production, readLabels } from '../../kernel/store/labels.ts'
import { findReferrerIds } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { timestamp } from '../../kernel/time.ts'
import { type AgentRow, agents } from '../agents/service.ts'
import { runningExperiment, setRunningExperiment, variantVersion } from '../agents/versions.ts'
import { isReplyMetric } from '../conversations/statistics/experiments.ts'
import { setAgentLabel } from '../labels/service.ts'
import { Experiment, metrics, type Variant } from './schema.ts'

/** The version of each variant since the experiment was started, as JSON. */
type Hidden = { versions: string | null }
export type ExperimentRow = Stored<Experiment & Hidden>

const rows = collection<typeof Experiment, Hidden>({
  name: 'experiment',
  shape: Experiment,
  prefix: 'exp',
  kind: 'experiment',
  hides: async (ctx, who) => findReferrerIds(ctx.db, who.workspace, await agents.unseen(ctx, who)),
  async complete(change) {
    const { next, previous } = change
    next.status ??= 'draft'
    next.started_at ??= null
    next.stopped_at ??= null
    next.versions ??= null
    next.variants = next.variants.map(normalized)
    if (previous && previous.status !== 'draft') refuseChange(next, previous)
    else await checkSettings(change)
  },
  references: ({ agent_id }) => [{ field: 'agent_id', target: agent_id, kind: { noun: 'agent', prefixes: ['agt'] } }],
  async removed({ ctx, tx, who, row }) {
    const agent = row.status === 'running' ? await agents.table.lock(tx, who.workspace, row.agent_id) : undefined
    if (agent) await setRunningExperiment(ctx, tx, who, agent, null)
  },
})

const normalized = ({ label = null, version = null, weight }: Variant): Variant => ({ label, version, weight })

/** The name of a variant: its label or version number. */
export const variantName = ({ label, version }: Variant): string => label ?? String(version)

/** The version that was measured for a variant; of a draft, the one that it stands for now. */
export function measuredVersion(row: ExperimentRow, agent: AgentRow, variant: Variant): number | undefined {
  const versions = row.versions === null ? [] : (JSON.parse(row.versions) as number[])
  return versions[row.variants.indexOf(variant)] ?? variantVersion(agent, variant)
}

/** Results belong to the settings that they were measured with. */
function refuseChange(next: ExperimentRow, previous: ExperimentRow): void {
  for (const field of ['agent_id', 'variants', 'metric'] as const)
    if (!isDeepStrictEqual(next[field], previous[field]))
      invalid(field, 'cannot be changed once the experiment has started; stop it and create another one')
}

async function checkSettings({ ctx, tx, who, next }: Change<ExperimentRow>): Promise<void> {
  const agent = await agents.find(tx, who, next.agent_id)
  if (!agent) unknownReference('agent_id', 'agent', next.agent_id)
  await requireMetric(ctx, who, next)
  for (const [at, { label, version }] of next.variants.entries())
    if (((label ?? null) === null) === ((version ?? null) === null))
      invalid(`variants[${at}]`, 'must have a label or a version')
  const names = next.variants.map(variantName)
  const twice = names.findIndex((name, at) => names.indexOf(name) !== at)
  if (twice >= 0) invalid(`variants[${twice}]`, 'is listed twice')
  requireVersions(agent, next.variants)
}

/** A scorer that two monitors have would be two measures. */
async function requireMetric(ctx: Context, { workspace }: Caller, { agent_id, metric }: ExperimentRow): Promise<void> {
  if (isReplyMetric(metric)) return
  const counts = await Promise.all(ctx.scoreSources.map((source) => source.count(ctx, workspace, agent_id, metric)))
  const count = counts.reduce((sum, each) => sum + each, 0)
  if (count === 0) invalid('metric', `must be ${metrics.join(', ')} or a scorer of a monitor of the agent`)
  if (count > 1) invalid('metric', 'is a scorer of several monitors of the agent; leave it in one of them')
}

/** The feature whose scorer is the metric. */
export async function findScoreSource(
  ctx: Context,
  workspace: string,
  agentId: string,
  scorer: string,
): Promise<ScoreSource | undefined> {
  for (const source of ctx.scoreSources) if ((await source.count(ctx, workspace, agentId, scorer)) > 0) return source
  return undefined
}

/** Refuses variants whose label or version does not exist. */
function requireVersions(agent: AgentRow, variants: Variant[]): void {
  for (const [at, variant] of variants.entries()) {
    const version = variantVersion(agent, variant)
    if (version !== undefined && version <= agent.version) continue
    const field = variant.label ? 'label' : 'version'
    const known = variant.label ? [...readLabels(agent).keys()] : []
    unknownReference(`variants[${at}].${field}`, `${field} of the agent`, variantName(variant), known)
  }
}

export const experiments = {
  kind: rows.kind,
  prefix: rows.prefix,
  table: rows.table,
  list: rows.list,
  get: rows.get,
  create: rows.create,
  update: rows.update,
  remove: rows.remove,
  count: rows.count,
}

type Move = (tx: Db, row: ExperimentRow, agent: AgentRow) => Promise<Partial<ExperimentRow>>

/** Changes the status of an experiment in one transaction with its agent. */
async function move(
  ctx: Context,
  who: Caller,
  id: string,
  audited: { action: string; part?: string },
  change: Move,
): Promise<ExperimentRow> {
  const { agent_id } = await rows.get(ctx, who, id)
  return inTransaction(ctx.db, async (tx) => {
    // The agent first, as changes of its labels do.
    const agent = (await agents.table.lock(tx, who.workspace, agent_id)) ?? notFound(agents.kind, agent_id)
    const row = (await rows.table.lock(tx, who.workspace, id)) ?? notFound(rows.kind, id)
    const changes = await change(tx, row, agent)
    const next = await rows.update(ctx, withoutAudit(who), id, changes, undefined, tx)
    await ctx.audit.record(tx, who, { ...audited, kind: rows.kind, id })
    return next
  })
}

/** New conversations of the agent get a variant. One experiment of an agent runs at a time. */
export const start = (ctx: Context, who: Caller, id: string): Promise<ExperimentRow> =>
  move(ctx, who, id, { action: 'start' }, async (tx, row, agent) => {
    const { variants, status, started_at } = row
    const running = runningExperiment(agent)
    if (status === 'running' || running) throw alreadyRunning(running?.id ?? id)
    if (agent.status === 'archived') invalid('agent_id', 'names an agent that is archived')
    requireVersions(agent, variants)
    await requireMetric(ctx, who, row)
    requireMeasured(row, agent)
    await setRunningExperiment(ctx, tx, who, agent, { id, variants })
    const versions = JSON.stringify(variants.map((variant) => variantVersion(agent, variant)))
    return { status: 'running', versions, started_at: started_at ?? timestamp(ctx.now()), stopped_at: null }
  })

/** An experiment that is started again goes on with the versions that it has measured. */
function requireMeasured(row: ExperimentRow, agent: AgentRow): void {
  for (const [at, variant] of row.variants.entries()) {
    const version = measuredVersion(row, agent, variant)
    if (version !== variantVersion(agent, variant))
      invalid(
        `variants[${at}].label`,
        `names another version than ${version}, which was measured; create another experiment`,
      )
  }
}

const alreadyRunning = (id: string) =>
  new Problem('already_running', 'An experiment already runs with this agent. Stop it first.', {
    details: [{ path: id, message: `Stop it: POST /api/experiments/${id}/stop` }],
  })

/** Conversations that have started stay with their version. */
export const stop = (ctx: Context, who: Caller, id: string): Promise<ExperimentRow> =>
  move(ctx, who, id, { action: 'stop' }, async (tx, row, agent) => {
    if (row.status === 'draft') invalid('status', 'is draft: the experiment has not started')
    return stopped(ctx, tx, who, row, agent)
  })

async function stopped(
  ctx: Context,
  tx: Db,
  who: Caller,
  row: ExperimentRow,
  agent: AgentRow,
): Promise<Partial<ExperimentRow>> {
  if (row.status !== 'running') return {}
  await setRunningExperiment(ctx, tx, who, agent, null)
  return { status: 'stopped', stopped_at: timestamp(ctx.now()) }
}

/** Labels the version of a variant `production`, if its gate allows it, and stops the experiment, so that all people get it. */
export const promote = (ctx: Context, who: Caller, id: string, name: string): Promise<ExperimentRow> =>
  move(ctx, who, id, { action: 'promote', part: name }, async (tx, row, agent) => {
    const known = row.variants.map(variantName)
    const variant = row.variants[known.indexOf(name)] ?? unknownReference('variant', 'variant', name, known)
    const version = measuredVersion(row, agent, variant)
    if (version === undefined) requireVersions(agent, [variant])
    const changes = await stopped(ctx, tx, who, row, agent)
    await setAgentLabel(ctx, withoutAudit(who), agent.id, production, { version: version as number }, tx)
    return changes
  })

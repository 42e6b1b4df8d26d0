import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/store/database.ts'
import { readLabels, type StoredLabel, writeLabels } from '../../kernel/store/labels.ts'
import { saveReferences } from '../../kernel/store/references.ts'
import { getVersion } from '../../kernel/store/versions.ts'
import { type AgentRow, agentReferences, agents, resolveModels, usedBy } from './service.ts'

/** A variant of the experiment that runs with an agent. */
export interface Variant {
  label?: string | null | undefined
  version?: number | null | undefined
  weight: number
}
export interface RunningExperiment {
  id: string
  variants: Variant[]
  /** The resources that the versions use. An experiment from an older release has none. */
  uses?: StoredLabel['uses']
}

/** The agent as it was in a version. Access and status are not part of versions: those of today apply. */
export async function agentVersion(db: Db, who: Caller, agent: AgentRow, version: number): Promise<AgentRow> {
  if (version === agent.version) return agent
  const { snapshot } = await getVersion(db, who.workspace, agent.id, version)
  const { access, status } = agent
  const next = { ...agent, ...snapshot, access, status, version } as AgentRow
  await resolveModels({ tx: db, who, next, input: snapshot, previous: agent })
  return next
}

/** The resources that a version uses, for its label. */
export async function versionUses(
  ctx: Context,
  tx: Db,
  who: Caller,
  agent: AgentRow,
  version: number,
): Promise<StoredLabel['uses']> {
  const references = usedBy(await agentVersion(tx, who, agent, version), ctx)
  return references.map(({ field, target }) => ({ field, target }))
}

/** Stores the labels of an agent that the transaction has locked. They are no part of a version. */
export async function saveAgentLabels(
  ctx: Context,
  tx: Db,
  who: Caller,
  agent: AgentRow,
  labels: Map<string, StoredLabel>,
): Promise<void> {
  await saveBesideVersions(ctx, tx, who, agent, { labels: writeLabels(labels) })
}

async function saveBesideVersions(
  ctx: Context,
  tx: Db,
  who: Caller,
  agent: AgentRow,
  changes: Partial<Pick<AgentRow, 'labels' | 'experiment'>>,
): Promise<void> {
  const { id } = agent
  await agents.table.update(tx, who.workspace, id, changes)
  const references = agentReferences({ ...agent, ...changes }, ctx)
  await saveReferences(ctx.resources, tx, who.workspace, { kind: agents.kind, id }, references)
}

export const runningExperiment = ({ experiment }: Pick<AgentRow, 'experiment'>): RunningExperiment | null =>
  experiment ? (JSON.parse(experiment) as RunningExperiment) : null

/** Lets an experiment choose the versions of new conversations, or ends that. While it runs, they keep what they use. */
export async function setRunningExperiment(
  ctx: Context,
  tx: Db,
  who: Caller,
  agent: AgentRow,
  experiment: Omit<RunningExperiment, 'uses'> | null,
): Promise<void> {
  const uses: StoredLabel['uses'] = []
  for (const variant of experiment?.variants ?? []) {
    const version = variantVersion(agent, variant)
    if (version !== undefined) uses.push(...(await versionUses(ctx, tx, who, agent, version)))
  }
  await saveBesideVersions(ctx, tx, who, agent, { experiment: experiment && JSON.stringify({ ...experiment, uses }) })
}

/** The version that a variant stands for now, undefined if its label is gone. */
export const variantVersion = (agent: AgentRow, { label, version }: Variant): number | undefined =>
  label ? readLabels(agent).get(label)?.version : (version ?? undefined)

/** A label can be neither moved nor deleted while an experiment chooses by it: a variant is one version. */
export function requireUnusedLabel(agent: AgentRow, label: string): void {
  const running = runningExperiment(agent)
  if (!running?.variants.some((variant) => variant.label === label)) return
  throw new Problem('in_use', `The experiment "${running.id}" runs with this label. Stop it first.`, {
    details: [{ path: running.id, message: `Stop it: POST /api/experiments/${running.id}/stop` }],
  })
}

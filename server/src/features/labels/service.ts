import { isDeepStrictEqual } from 'node:util'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, notFound, Problem, unknownReference } from '../../kernel/errors.ts'
import { type Db, inTransaction } from '../../kernel/store/database.ts'
import { production, readLabels, type StoredLabel, writeLabels } from '../../kernel/store/labels.ts'
import { timestamp } from '../../kernel/time.ts'
import { type AgentRow, agents } from '../agents/service.ts'
import { requireUnusedLabel, saveAgentLabels, versionUses } from '../agents/versions.ts'
import { lastFinishedRun } from '../evaluations/runs/service.ts'
import { evaluations } from '../evaluations/service.ts'
import { promptTemplates, requireValues, templateVersion } from '../prompt-templates/service.ts'
import type { Label } from './schema.ts'

const maxLabels = 50

/** A name of digits alone would be taken for a version. */
const labelName = /^[A-Za-z][A-Za-z0-9._-]{0,62}$/

type Gate = StoredLabel['gate']

const present = (label: string, { version, previous_version, gate, updated_at }: StoredLabel): Label => ({
  label,
  version,
  previous_version,
  gate,
  updated_at,
})

const presentAll = (row: { labels?: string }): Label[] =>
  [...readLabels(row)].map(([name, label]) => present(name, label)).sort((a, b) => (a.label < b.label ? -1 : 1))

export const agentLabels = async (ctx: Context, who: Caller, id: string): Promise<Label[]> =>
  presentAll(await agents.get(ctx, who, id))

export const templateLabels = async (ctx: Context, who: Caller, id: string): Promise<Label[]> =>
  presentAll(await promptTemplates.get(ctx, who, id))

/** The labels with one that names a version now. It remembers the version that it named before. */
function withLabel(
  ctx: Context,
  row: { version: number; labels?: string },
  name: string,
  { version, gate, uses }: Pick<StoredLabel, 'version' | 'gate' | 'uses'>,
): Map<string, StoredLabel> {
  if (!labelName.test(name)) invalid('label', 'must be a letter, then up to 62 letters, digits, ".", "_" and "-"')
  const labels = readLabels(row)
  const before = labels.get(name)
  if (!before && labels.size >= maxLabels) invalid('label', `cannot be added: there are ${maxLabels} labels already`)
  const isMoved = before?.version !== version
  const previous_version = (isMoved ? before?.version : before?.previous_version) ?? null
  return labels.set(name, { version, previous_version, gate, uses, updated_at: timestamp(ctx.now()) })
}

/** Names a version of an agent. Its next conversation on every node sees it. */
export async function setAgentLabel(
  ctx: Context,
  who: Caller,
  id: string,
  name: string,
  { version, gate: newGate }: { version: number; gate?: Gate | undefined },
  db: Db = ctx.db,
): Promise<Label> {
  await agents.get(ctx, who, id)
  return inTransaction(db, async (tx) => {
    const agent = (await agents.table.lock(tx, who.workspace, id)) ?? notFound(agents.kind, id)
    const before = readLabels(agent).get(name)
    const gate = newGate === undefined ? (before?.gate ?? null) : newGate
    requireVersion(agent, version)
    if (before?.version !== version) requireUnusedLabel(agent, name)
    if (gate) await requirePassed(tx, who, agent, name, version, gate)
    const uses = await versionUses(ctx, tx, who, agent, version)
    const labels = withLabel(ctx, agent, name, { version, gate, uses })
    await saveAgentLabels(ctx, tx, who, agent, labels)
    const fields = isDeepStrictEqual(gate, before?.gate ?? null) ? [] : ['gate']
    await ctx.audit.record(tx, who, { action: 'label', kind: agents.kind, id, part: `${name} ${version}`, fields })
    return present(name, labels.get(name) as StoredLabel)
  })
}

/** Versions count up from 1 without gaps. */
function requireVersion(row: { version: number }, version: number): void {
  if (version > row.version) unknownReference('version', 'version', String(version), [`1 to ${row.version}`])
}

async function requirePassed(
  tx: Db,
  who: Caller,
  { id }: AgentRow,
  label: string,
  version: number,
  { evaluation_id }: NonNullable<Gate>,
): Promise<void> {
  const evaluation =
    (await evaluations.table.find(tx, who.workspace, evaluation_id)) ??
    unknownReference('gate.evaluation_id', 'evaluation', evaluation_id)
  if (evaluation.target_id !== id) invalid('gate.evaluation_id', 'must be an evaluation of this agent')
  const run = await lastFinishedRun(tx, who, evaluation_id, version)
  if (run?.summary?.verdict === 'passed') return
  const what = run
    ? `has not passed the evaluation "${evaluation.name}"`
    : `has no finished run of "${evaluation.name}"`
  const advice = `Run it for this version (POST /api/evaluations/${evaluation_id}/run?target_version=${version}) or label another one.`
  throw new Problem('gate_failed', `The label "${label}" has a gate, and version ${version} ${what}. ${advice}`, {
    details: [
      { path: 'gate.evaluation_id', message: evaluation_id },
      ...(run ? [{ path: 'run_id', message: run.id }] : []),
    ],
  })
}

export async function removeAgentLabel(ctx: Context, who: Caller, id: string, name: string): Promise<void> {
  await agents.get(ctx, who, id)
  await inTransaction(ctx.db, async (tx) => {
    const agent = (await agents.table.lock(tx, who.workspace, id)) ?? notFound(agents.kind, id)
    const labels = readLabels(agent)
    if (!labels.delete(name)) notFound('label', name)
    requireUnusedLabel(agent, name)
    await saveAgentLabels(ctx, tx, who, agent, labels)
    await ctx.audit.record(tx, who, { action: 'unlabel', kind: agents.kind, id, part: name })
  })
}

/** Names a version of a template. Agents use the one labelled `production` from their next message on. */
export const setTemplateLabel = (
  ctx: Context,
  who: Caller,
  id: string,
  name: string,
  version: number,
): Promise<Label> =>
  inTransaction(ctx.db, async (tx) => {
    const template = (await promptTemplates.table.lock(tx, who.workspace, id)) ?? notFound(promptTemplates.kind, id)
    requireVersion(template, version)
    if (name === production) await requireTemplateValues(ctx, tx, who, id, version)
    const labels = withLabel(ctx, template, name, { version, gate: null, uses: [] })
    await promptTemplates.table.update(tx, who.workspace, id, { labels: writeLabels(labels) })
    await ctx.audit.record(tx, who, { action: 'label', kind: promptTemplates.kind, id, part: `${name} ${version}` })
    return present(name, labels.get(name) as StoredLabel)
  })

export const removeTemplateLabel = (ctx: Context, who: Caller, id: string, name: string): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    const template = (await promptTemplates.table.lock(tx, who.workspace, id)) ?? notFound(promptTemplates.kind, id)
    const labels = readLabels(template)
    if (!labels.delete(name)) notFound('label', name)
    if (name === production) await requireTemplateValues(ctx, tx, who, id, template.version)
    await promptTemplates.table.update(tx, who.workspace, id, { labels: writeLabels(labels) })
    await ctx.audit.record(tx, who, { action: 'unlabel', kind: promptTemplates.kind, id, part: name })
  })

/** The agents that use the template must have all values of the version that they will get. */
async function requireTemplateValues(ctx: Context, tx: Db, who: Caller, id: string, version: number): Promise<void> {
  const template = (await promptTemplates.find(tx, who, id)) ?? notFound(promptTemplates.kind, id)
  const { variables } = await templateVersion(tx, who, template, version)
  await requireValues(ctx, tx, who, id, variables)
}

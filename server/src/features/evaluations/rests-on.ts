import type { Caller, Context } from '../../kernel/context.ts'
import type { Db } from '../../kernel/store/database.ts'
import { findReferrerIds, findTargetIds, reach } from '../../kernel/store/references.ts'
import { agents, usedByArchived } from '../agents/service.ts'
import { hiddenSources, restrictedSamples, seenAmong } from '../knowledge-sources/access/visible.ts'
import { hiddenToolIds } from '../knowledge-tools/hidden.ts'
import { sourceIds, type ToolRow } from '../knowledge-tools/service.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    /** `rests_on`: the ids that its cases and its results rest on, also those that its target no longer uses. */
    evaluation: { id: string; workspace_id: string; rests_on: string }
  }
}

/** An agent uses tools and other agents, and a tool uses sources. */
const users = ['agt', 'rag', 'ret']

const withPrefix = (ids: readonly string[], ...prefixes: string[]): string[] =>
  ids.filter((id) => prefixes.some((prefix) => id.startsWith(`${prefix}_`)))

/** The target of a run, and what the run keeps of it: an agent, a tool with its index, or a model. */
interface Target {
  target_id: string
  pinned: unknown
}

function usedByTarget({ target_id, pinned }: Target): string[] {
  const {
    tools = [],
    handoffs = [],
    tool,
  } = (pinned ?? {}) as {
    tools?: string[]
    handoffs?: string[]
    tool?: ToolRow
  }
  return [target_id, ...tools, ...handoffs, ...(tool ? sourceIds(tool) : [])]
}

/**
 * The agents and sources that some resources use, also through other agents, and restricted documents of these sources: once
 * such a document is deleted, nobody can tell any more who may see what was found in it.
 */
async function basisOfUse(db: Db, workspace: string, ids: readonly string[]): Promise<string[]> {
  const used = await reach(ids, users, async (some) => [
    ...(await findTargetIds(db, workspace, some)),
    ...(await usedByArchived(db, workspace, some)),
  ])
  const sources = withPrefix(used, 'src')
  return [...withPrefix(used, 'agt'), ...sources, ...(await restrictedSamples(db, workspace, sources))]
}

/** An evaluation rests on everything that the target of a run used, even if the target changes later. */
export const addTargetBasis = async (
  tx: Db,
  who: Pick<Caller, 'workspace'>,
  evaluation: { id: string; rests_on: string },
  target: Target,
): Promise<void> => addBasis(tx, who, evaluation, await basisOfUse(tx, who.workspace, usedByTarget(target)))

/** Adds what runs rest on that have started before this was stored: what their targets used then, and use now. */
export async function addMissingBasis(db: Db): Promise<void> {
  const runs = await db
    .selectFrom('evaluation_run')
    .select(['workspace_id as workspace', 'evaluation_id as id', 'target_id', 'pinned'])
    .execute()
  for (const own of Map.groupBy(runs, ({ id }) => id).values()) {
    const [{ workspace, id }] = own as [(typeof own)[number]]
    const targets = own.flatMap((run) => usedByTarget({ ...run, pinned: JSON.parse(run.pinned) }))
    await addBasis(db, { workspace }, { id, rests_on: '[]' }, await basisOfUse(db, workspace, targets))
  }
}

/** Adds ids to those that an evaluation rests on. The caller has locked the evaluation. */
export async function addBasis(
  tx: Db,
  { workspace }: Pick<Caller, 'workspace'>,
  { id, rests_on }: { id: string; rests_on: string },
  ids: readonly string[],
): Promise<void> {
  const known = JSON.parse(rests_on) as string[]
  const all = new Set([...known, ...ids])
  if (all.size === known.length) return
  await tx
    .updateTable('evaluation')
    .set({ rests_on: JSON.stringify([...all]) })
    .where('workspace_id', '=', workspace)
    .where('id', '=', id)
    .execute()
}

/**
 * Results show what the target found, and cases may repeat a reply. So an evaluation is visible only to those who may see all
 * that these rest on: every agent, and every document behind the tools.
 */
export async function hiddenEvaluations(ctx: Context, who: Caller): Promise<string[]> {
  const { workspace } = who
  const unseen = await agents.unseen(ctx, who)
  const hidden = [...unseen, ...(await hiddenSources(ctx, who, { whole: true }))]
  const resting = await reach(hidden, users, (ids) => findReferrerIds(ctx.db, workspace, ids))
  return [...withPrefix(resting, 'evl'), ...(await restingOnHidden(ctx, who, unseen))]
}

/** The evaluations whose stored cases and results rest on something hidden. */
async function restingOnHidden(ctx: Context, who: Caller, unseenAgents: string[]): Promise<string[]> {
  const stored = await ctx.db
    .selectFrom('evaluation')
    .select(['id', 'rests_on'])
    .where('workspace_id', '=', who.workspace)
    .where('rests_on', '!=', '[]')
    .execute()
  if (stored.length === 0) return []
  const rows = stored.map(({ id, rests_on }) => ({ id, basis: JSON.parse(rests_on) as string[] }))
  const all = [...new Set(rows.flatMap(({ basis }) => basis))]
  const documents = withPrefix(all, 'doc')
  const sees = await seenAmong(ctx, who, documents)
  const hidden = new Set([
    ...unseenAgents,
    ...documents.filter((id) => !sees(id)),
    ...(await hiddenSources(ctx, who, { whole: true, among: withPrefix(all, 'src') })),
    ...(await hiddenToolIds(ctx, who, withPrefix(all, 'rag', 'ret'))),
  ])
  return rows.filter(({ basis }) => basis.some((id) => hidden.has(id))).map(({ id }) => id)
}

import { isDeepStrictEqual } from 'node:util'
import { withoutAccess } from '../../kernel/access.ts'
import type { RunToolChoice } from '../../kernel/agent/offer.ts'
import { toolKind } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { invalid, unknownReference } from '../../kernel/errors.ts'
import type { Sampling } from '../../kernel/llm/model.ts'
import { type Change, collection } from '../../kernel/store/collection.ts'
import type { Db } from '../../kernel/store/database.ts'
import { labelReferences } from '../../kernel/store/labels.ts'
import { findReferrers, type Reference, resourcePath } from '../../kernel/store/references.ts'
import type { Stored } from '../../kernel/store/table.ts'
import { lockWorkspace } from '../../kernel/store/workspaces.ts'
import { defaultModel, type ModelRow, models, resolve as resolveModel } from '../models/service.ts'
import { answeringTemplate, promptTemplates, rejectMissing } from '../prompt-templates/service.ts'
import { Agent, defaultContext } from './schema.ts'

declare module '../../kernel/store/database.ts' {
  interface Tables {
    /** The columns that queries outside of the collection read. */
    agent: {
      id: string
      workspace_id: string
      name: string
      topics: string
      status: string
      tools: string
      handoffs: string
    }
  }
}

/** The resolved ids of the models, because callers may also give their names. */
interface Resolved extends Record<string, unknown> {
  resolved_model_id: string | null
  resolved_fallback_ids: string
  /** The labels of its versions and the experiment that runs with it, as JSON: a turn reads them with the agent. */
  labels: string
  experiment: string | null
}
export type AgentRow = Stored<Agent & Resolved>

export const agents = collection<typeof Agent, Resolved>({
  name: 'agent',
  shape: Agent,
  prefix: 'agt',
  kind: 'agent',
  versioned: true,
  guarded: true,
  filters: {
    model_id: (rows, value) =>
      rows.where((is) => is.or([is('model_id', '=', value), is('resolved_model_id', '=', value)])),
  },
  async complete(change) {
    await resolveModels(change)
    await checkPrompt(change)
    change.next.handoffs ??= []
    change.next.labels ??= '{}'
    change.next.experiment ??= null
    change.next.memory ??= null
    change.next.context = { ...defaultContext, ...change.next.context }
    rejectDuplicates('tools', change.next.tools)
    rejectDuplicates('handoffs', change.next.handoffs)
    if (change.next.handoffs.includes(change.next.id)) invalid('handoffs', 'of an agent cannot name itself')
    await rejectCircle(change)
    checkToolChoice(change.next)
  },
  references: agentReferences,
})

/** An archived agent does not keep what it uses from being deleted. It cannot be active again without it. */
const isArchived = ({ status }: AgentRow): boolean => status === 'archived'

const agentKind = { noun: 'agent', prefixes: ['agt'] }

/** Labelled versions and those of a running experiment also keep what they use. */
export function agentReferences(agent: AgentRow, ctx: Context): Reference[] {
  if (isArchived(agent)) return []
  const { uses = [] } = JSON.parse(agent.experiment ?? '{}') as { uses?: Reference[] }
  const inExperiment = uses.map(({ field, target }) => ({ field: `experiment.${field}`, target }))
  return [...usedBy(agent, ctx), ...labelReferences(agent), ...inExperiment]
}

/** The tools and agents that archived ones among some agents use, which `agentReferences` leaves out. */
export async function usedByArchived(db: Db, workspace: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('agent')
    .select(['tools', 'handoffs'])
    .where('workspace_id', '=', workspace)
    .where('id', 'in', ids.concat(''))
    .where('status', '=', 'archived')
    .execute()
  return rows.flatMap(({ tools, handoffs }) => [...JSON.parse(tools), ...JSON.parse(handoffs)] as string[])
}

export function usedBy(agent: AgentRow, ctx: Context): Reference[] {
  return [
    ...(agent.resolved_model_id === null ? [] : [{ field: 'model_id', target: agent.resolved_model_id }]),
    ...fallbackIds(agent).map((target, index) => ({ field: `fallback_model_ids[${index}]`, target })),
    ...(agent.prompt_template_id === null ? [] : [{ field: 'prompt_template_id', target: agent.prompt_template_id }]),
    ...agent.tools.map((target, index) => ({ field: `tools[${index}]`, target, kind: toolKind(ctx) })),
    ...agent.handoffs.map((target, index) => ({ field: `handoffs[${index}]`, target, kind: agentKind })),
  ]
}

const fallbackIds = (agent: Resolved): string[] => JSON.parse(agent.resolved_fallback_ids) as string[]

/** The agent's model, or the default one, then its fallbacks. */
export async function agentModels(
  ctx: Context,
  who: Caller,
  agent: AgentRow,
): Promise<[first: ModelRow, ...fallbacks: ModelRow[]]> {
  const { resolved_model_id: id } = agent
  const first = id === null ? await defaultModel(ctx.db, who, 'chat') : await models.get(ctx, who, id)
  const fallbacks: ModelRow[] = []
  for (const fallback of fallbackIds(agent)) fallbacks.push(await models.get(ctx, who, fallback))
  return [first, ...fallbacks]
}

export async function resolveModels({
  tx,
  who,
  next,
  input,
  previous,
}: Pick<Change<AgentRow>, 'tx' | 'who' | 'next' | 'input' | 'previous'>): Promise<void> {
  const chatModel = async (field: string, reference: string): Promise<string> =>
    (await resolveModel(tx, who, field, reference, 'chat')).id
  if (!previous || (input.model_id !== undefined && input.model_id !== previous.model_id)) {
    next.resolved_model_id = next.model_id === null ? null : await chatModel('model_id', next.model_id)
  }
  if (!previous || !isDeepStrictEqual(previous.fallback_model_ids, next.fallback_model_ids)) {
    const resolved: string[] = []
    for (const [index, reference] of next.fallback_model_ids.entries()) {
      resolved.push(await chatModel(`fallback_model_ids[${index}]`, reference))
    }
    next.resolved_fallback_ids = JSON.stringify(resolved)
  }
}

async function checkPrompt({ tx, who, next }: Change<AgentRow>): Promise<void> {
  if (next.prompt_template_id === null) return
  if (next.system_prompt !== null) invalid('prompt_template_id', 'cannot be combined with system_prompt')
  if (isArchived(next)) return
  // Locks the template first, so that no variable is added to it after the check.
  await promptTemplates.table.lockIfExists(tx, who.workspace, next.prompt_template_id)
  const template = await answeringTemplate(tx, who, next.prompt_template_id)
  if (!template) unknownReference('prompt_template_id', 'prompt template', next.prompt_template_id)
  rejectMissing(template, next.prompt_variables, 'prompt_variables')
}

/** Deletes an agent. While evaluations refer to it, it is archived instead, so that their results keep their target. */
export async function remove(ctx: Context, who: Caller, id: string, ifMatch?: string): Promise<string> {
  const users = await findReferrers(ctx.db, who.workspace, id)
  const [first] = users
  if (!first || users.some(({ source_kind }) => source_kind !== 'evaluation')) {
    await agents.remove(ctx, who, id, ifMatch)
    return 'The agent was deleted.'
  }
  await agents.update(ctx, who, id, { status: 'archived' }, ifMatch)
  const calls = `DELETE ${resourcePath(first.source_kind, first.source_id)}${users.length > 1 ? ' and others' : ''}`
  return `The agent was archived, because evaluations refer to it. To delete it, delete them first (${calls}).`
}

function rejectDuplicates(field: string, ids: string[]): void {
  const index = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (index >= 0) invalid(`${field}[${index}]`, 'is listed twice')
}

const isAgentId = (id: string): boolean => id.startsWith('agt_')

/** Agents that are tools of each other would ask each other without an end. Two changes at once could make a circle, too. */
async function rejectCircle({ tx, who, next, previous }: Change<AgentRow>): Promise<void> {
  if (isDeepStrictEqual(previous?.tools, next.tools) || !next.tools.some(isAgentId)) return
  await lockWorkspace(tx, who.workspace)
  for (const [index, id] of next.tools.entries()) {
    const path = isAgentId(id) ? await toolPath(tx, who, next.id, id) : null
    if (path)
      invalid(`tools[${index}]`, `makes a circle of agents as tools: ${path.map((name) => `"${name}"`).join(' → ')}`)
  }
}

/** The names of the agents from one to another through their tools, or null if there is no path. */
async function toolPath(
  tx: Db,
  who: Caller,
  target: string,
  id: string,
  seen = new Set<string>(),
): Promise<string[] | null> {
  if (seen.has(id)) return null
  seen.add(id)
  const agent = await agents.find(tx, who, id)
  if (id === target) return [agent?.name ?? id]
  for (const tool of agent?.tools.filter(isAgentId) ?? []) {
    const rest = await toolPath(tx, who, target, tool, seen)
    if (rest) return [agent?.name ?? id, ...rest]
  }
  return null
}

const freeChoices = ['auto', 'none', 'required'] as const

function checkToolChoice({ tool_choice, tools }: AgentRow): void {
  if (
    (tool_choice ?? null) === null ||
    tools.includes(tool_choice as string) ||
    freeChoices.some((each) => each === tool_choice)
  )
    return
  invalid('tool_choice', `must be ${freeChoices.join(', ')} or one of the agent's tools`)
}

/** The agent's `tool_choice` for its runs. Null leaves the choice to the model. */
export const agentToolChoice = ({ tool_choice }: AgentRow): RunToolChoice | null =>
  !tool_choice ? null : (freeChoices.find((each) => each === tool_choice) ?? { toolId: tool_choice })

export const agentSampling = (agent: AgentRow): Sampling => ({
  topP: agent.top_p,
  stop: agent.stop ? [agent.stop].flat() : null,
  seed: agent.seed,
  reasoningEffort: agent.reasoning_effort,
  parallelToolCalls: agent.parallel_tool_calls,
})

/** The role `user` sees neither the system prompt nor the template values that it is made from. */
export function present(agent: AgentRow, who: Caller): Partial<AgentRow> {
  const shown = withoutAccess(agent, who)
  if (who.role !== 'user') return shown
  const { system_prompt, prompt_variables, ...visible } = shown
  return visible
}

export const hiddenFields = (who: Caller): readonly string[] =>
  who.role === 'user' ? ['system_prompt', 'prompt_variables'] : []

export async function agentNames(ctx: Context, workspace: string): Promise<Map<string, string>> {
  const rows = await ctx.db.selectFrom('agent').select(['id', 'name']).where('workspace_id', '=', workspace).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Maps the agents that have topics to these, in one workspace or in all. */
export async function agentTopics(ctx: Context, workspace: string | undefined): Promise<Map<string, string[]>> {
  let query = ctx.db.selectFrom('agent').select(['id', 'topics']).where('topics', '<>', '[]')
  if (workspace !== undefined) query = query.where('workspace_id', '=', workspace)
  return new Map((await query.execute()).map(({ id, topics }) => [id, JSON.parse(topics) as string[]]))
}

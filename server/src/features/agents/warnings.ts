import { isBound } from '../../kernel/access.ts'
import { readTraits, type ToolTraits } from '../../kernel/agent/tools.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import type { ListQuery } from '../../kernel/store/list.ts'
import { findReferrers } from '../../kernel/store/references.ts'
import { findUnseen } from '../../kernel/unseen.ts'
import { thresholdsNeedingPrices } from '../usage/unpriced.ts'
import { checkResponseFormat } from './response-format.ts'
import type { Agent, AgentWarning } from './schema.ts'
import { type AgentRow, agentModels, agents } from './service.ts'

type AgentWithWarnings = AgentRow & { warnings: AgentWarning[] }

async function agentWarnings(ctx: Context, who: Caller, agent: AgentRow): Promise<AgentWarning[]> {
  return [
    ...(await leakWarnings(ctx, who, agent.tools, () => untrustedSenders(ctx, who, agent.id))),
    ...(await priceWarnings(ctx, who, agent)),
  ]
}

/**
 * Prompt injection: an agent that reads private data, reads text that others wrote and can send data out can be made
 * to leak the private data.
 */
export async function leakWarnings(
  ctx: Context,
  who: Caller,
  tools: string[],
  findSenders: () => Promise<string[]> = async () => [],
): Promise<AgentWarning[]> {
  const traits = await readTraits(ctx, who, tools)
  const toolsWith = (trait: keyof ToolTraits) => tools.filter((id) => traits.get(id)?.[trait])
  const [secret, sending] = [toolsWith('readsPrivate'), toolsWith('sendsOut')]
  if (secret.length === 0 || sending.length === 0) return []
  const untrusted = [...toolsWith('readsUntrusted'), ...(await findSenders())]
  if (untrusted.length === 0) return []
  const message =
    `This agent reads private data (${secret.join(', ')}), reads text that others may have written ` +
    `(${untrusted.join(', ')}) and can send data out (${sending.join(', ')}). Such text can make it leak private ` +
    'data. Require approval for the tools that send data, or split the agent in two; see docs/security.md.'
  return [{ code: 'data_can_leak', message, tools: [...new Set([...secret, ...untrusted, ...sending])] }]
}

/** The resources, such as triggers, that send the agent text of strangers. */
async function untrustedSenders(ctx: Context, who: Caller, agentId: string): Promise<string[]> {
  const referrers = await findReferrers(ctx.db, who.workspace, agentId)
  const bringsUntrusted = new Set(
    [...ctx.resources.values()].filter((each) => each.bringsUntrusted).map(({ kind }) => kind),
  )
  return referrers.filter(({ source_kind }) => bringsUntrusted.has(source_kind)).map(({ source_id }) => source_id)
}

/** Warns of models without a price, which budgets refuse. Callers who may see no budgets are not told of them. */
async function priceWarnings(ctx: Context, who: Caller, agent: AgentRow): Promise<AgentWarning[]> {
  const thresholds = isBound(who) ? [] : await thresholdsNeedingPrices(ctx, who.workspace, agent.id)
  if (thresholds.length === 0 || agent.status === 'archived') return []
  const all = await agentModels(ctx, who, agent)
  const unpriced = all.filter(({ id, pricing }) => pricing === null && thresholds.some(counts(id)))
  if (unpriced.length === 0) return []
  const refusing = thresholds.filter((threshold) => unpriced.some(({ id }) => counts(id)(threshold)))
  const names = (list: { name: string }[]) => list.map(({ name }) => `"${name}"`).join(', ')
  const message =
    `This agent uses models that have no price (${names(unpriced)}), and blocking cost thresholds ` +
    `(${names(refusing)}) refuse their calls. Set the price of the models; if they are free, set it to 0.`
  return [{ code: 'price_unknown', message, tools: [], models: unpriced.map(({ id }) => id) }]
}

const counts =
  (modelId: string) =>
  ({ entity_type, entity_id }: { entity_type: string; entity_id: string | null }): boolean =>
    entity_type !== 'model' || entity_id === modelId

const withWarnings = async (ctx: Context, who: Caller, agent: AgentRow): Promise<AgentWithWarnings> => ({
  ...agent,
  warnings: await agentWarnings(ctx, who, agent),
})

interface WithTools {
  tools?: unknown
  handoffs?: unknown
  tool_choice?: unknown
}

/** Removes the tools that the caller may not see from agents. */
async function withSeenTools<Row extends WithTools>(ctx: Context, who: Caller, rows: readonly Row[]): Promise<Row[]> {
  const unseen = await findUnseen(ctx, who, 'rag', 'ret', 'agt')
  if (unseen.length === 0) return [...rows]
  const isSeen = (id: unknown): boolean => !unseen.includes(id as string)
  return rows.map((row) => ({
    ...row,
    ...(Array.isArray(row.tools) && { tools: row.tools.filter(isSeen) }),
    ...(Array.isArray(row.handoffs) && { handoffs: row.handoffs.filter(isSeen) }),
    ...(!isSeen(row.tool_choice) && { tool_choice: null }),
  }))
}

async function getAgent(ctx: Context, who: Caller, id: string): Promise<AgentWithWarnings> {
  const [agent] = await withSeenTools(ctx, who, [await agents.get(ctx, who, id)])
  return withWarnings(ctx, who, agent as AgentRow)
}

/** Adds warnings to single agents. Lists have none. */
export const agentsWithWarnings = {
  ...agents,
  get: getAgent,
  list: async (ctx: Context, who: Caller, query: ListQuery) => {
    const page = await agents.list(ctx, who, { ...query, where: { status: 'active', ...query.where } })
    return { ...page, rows: await withSeenTools(ctx, who, page.rows) }
  },
  versions: async (ctx: Context, who: Caller, id: string, paging: { page: number; limit: number }) => {
    const page = await agents.versions(ctx, who, id, paging)
    const snapshots = await withSeenTools(
      ctx,
      who,
      page.rows.map(({ snapshot }) => snapshot),
    )
    return { ...page, rows: page.rows.map((row, at) => ({ ...row, snapshot: snapshots[at] ?? {} })) }
  },
  version: async (ctx: Context, who: Caller, id: string, number: number) => {
    const version = await agents.version(ctx, who, id, number)
    const [snapshot = {}] = await withSeenTools(ctx, who, [version.snapshot])
    return { ...version, snapshot }
  },
  create: async (ctx: Context, who: Caller, body: Partial<Agent>) => {
    await checkResponseFormat(ctx, who, body.response_format)
    return withWarnings(ctx, who, await agents.create(ctx, who, body))
  },
  update: async (ctx: Context, who: Caller, id: string, body: Partial<Agent>, ifMatch?: string) => {
    await checkResponseFormat(ctx, who, body.response_format)
    return withWarnings(ctx, who, await agents.update(ctx, who, id, body, ifMatch))
  },
  restore: async (ctx: Context, who: Caller, id: string, version: number, ifMatch?: string) =>
    withWarnings(ctx, who, await agents.restore(ctx, who, id, version, ifMatch)),
}

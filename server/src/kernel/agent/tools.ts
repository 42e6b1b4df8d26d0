import type { Caller, Context } from '../context.ts'
import { findIds } from '../store/references.ts'
import type { AgentTool, ToolTraits } from './agent-tool.ts'
import type { PendingCall } from './approval.ts'
import { ToolNames } from './tool-names.ts'

export type { Toolbox } from '../context.ts'
export type {
  AgentTool,
  Approvers,
  AskingReply,
  CallPurpose,
  Grants,
  ToolOutput,
  ToolProgress,
  ToolTraits,
} from './agent-tool.ts'

const defaultTraits: Record<string, ToolTraits> = {
  rag: { readsPrivate: true },
  ret: { readsPrivate: true },
  api: { readsUntrusted: true, sendsOut: true },
}

/** The kind of resources that an agent may have as tools, for references. */
export const toolKind = ({ toolboxes }: Context) => ({ noun: 'tool', prefixes: toolboxes.map(({ prefix }) => prefix) })

/** The ids of everything in a workspace that can be a tool, by kind. */
export async function allToolIds(ctx: Context, who: Caller): Promise<string[]> {
  const ids: string[] = []
  for (const { prefix, all } of ctx.toolboxes) {
    ids.push(...(await (all ? all(ctx, who) : findIds(ctx.resources, ctx.db, who.workspace, prefix))))
  }
  return ids
}

/** The traits of tools, by their ids, without making the tools. */
export async function readTraits(ctx: Context, who: Caller, ids: string[]): Promise<Map<string, ToolTraits>> {
  const traits = new Map<string, ToolTraits>()
  for (const prefix of new Set(ids.map((id) => id.split('_', 1)[0] as string))) {
    const these = ids.filter((id) => id.startsWith(`${prefix}_`))
    const toolbox = ctx.toolboxes.find((each) => each.prefix === prefix)
    const own = await toolbox?.traits?.(ctx, who, these)
    for (const id of these) traits.set(id, own?.get(id) ?? defaultTraits[prefix] ?? {})
  }
  return traits
}

/** Loads the tools of an agent with distinct names, ordered by kind. */
export const loadTools = async (
  ctx: Context,
  who: Caller,
  ids: string[],
  others: AgentTool[] = [],
): Promise<AgentTool[]> =>
  ids.length + others.length === 0 ? [] : withDistinctNames([...(await findTools(ctx, who, ids)), ...others])

/** Adds tools to those of an agent. */
export const addTools = (tools: AgentTool[], others: AgentTool[]): AgentTool[] =>
  others.length === 0 ? tools : withDistinctNames([...tools, ...others])

/** Loads the tools under their own names, which may repeat. */
export async function findTools(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]> {
  const tools: AgentTool[] = []
  for (const { prefix, tools: toolsFor } of ctx.toolboxes) {
    const these = ids.filter((id) => id.startsWith(`${prefix}_`))
    if (these.length > 0) tools.push(...(await toolsFor(ctx, who, these)))
  }
  return tools
}

/**
 * The tools of calls that waited for approval, by the id of the call, as they were when they were shown. Calls of tools that
 * the agent no longer has get none.
 */
export async function approvedTools(
  ctx: Context,
  who: Caller,
  pending: PendingCall[],
  tools: AgentTool[],
): Promise<Map<string, AgentTool>> {
  const approved = new Map<string, AgentTool>()
  for (const { id, toolId, name, pin } of pending) {
    const now = tools.filter((tool) => tool.id === toolId)
    const toolbox = ctx.toolboxes.find(({ prefix }) => toolId?.startsWith(`${prefix}_`))
    const pinned = now.length > 0 && pin !== undefined ? await toolbox?.pinned?.(ctx, who, pin) : undefined
    const tool = pinned ?? now.find((each) => each.name === name)
    if (tool && (tool.part === undefined || now.some(({ part }) => part === tool.part)))
      approved.set(id, { ...tool, name })
  }
  return approved
}

/** The model distinguishes tools by name, so a repeated name gets a number. */
function withDistinctNames(tools: AgentTool[]): AgentTool[] {
  const names = new ToolNames()
  return tools.map((tool) => {
    const name = names.add(tool.name)
    return name === tool.name ? tool : { ...tool, name }
  })
}

import type { Caller, Context } from '../context.ts'
import { idsOf } from '../store/references.ts'

/** A passage that a reply rests on. */
interface Citation {
  index: number
  tool_call_id: string
  source: string
  page: number
  document_id: string
  chunk_id: string
  start: number
  end: number
  quote: string
}

export interface ToolOutput {
  /** What the model is told. */
  content: string
  citations?: CitablePassage[]
  /** The same content with its citations numbered from another number than 1. */
  numberedFrom?(first: number): string
}

/** What a tool found that can be cited, with the best words of it for a start. */
interface CitablePassage extends Omit<Citation, 'index' | 'tool_call_id'> {
  /** The whole of it, and where it begins in its document. */
  passage?: { text: string; start: number }
}

/** Something an agent can do. */
export interface AgentTool {
  id: string
  /** What the model calls it. */
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** A person must agree to each call before it is made. */
  requiresApproval?: boolean
  run(input: unknown, signal: AbortSignal): Promise<ToolOutput>
}

/** Turns the resources of a feature into tools. */
export interface Toolbox {
  /** The prefix of the ids of its resources. */
  prefix: string
  tools(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]>
  /** The ids of all its tools in the caller's workspace; by default, those of all its resources. */
  all?(ctx: Context, who: Caller): Promise<string[]>
  /** What these tools can do with data, for those of them that differ from what is usual for their kind. */
  traits?(ctx: Context, who: Caller, ids: string[]): Promise<ReadonlyMap<string, ToolTraits>>
}

/** What a tool can do with data. One tool alone is seldom a danger; what they can do together may be. */
export interface ToolTraits {
  /** Brings what only the workspace knows before the model. */
  readsPrivate?: boolean
  /** Brings text before the model that strangers may have written. */
  readsUntrusted?: boolean
  /** Can carry what the model knows to somewhere else, without a person looking at each call. */
  sendsOut?: boolean
}

const usualTraits: Record<string, ToolTraits> = {
  rag: { readsPrivate: true },
  ret: { readsPrivate: true },
  api: { readsUntrusted: true, sendsOut: true },
}

/** What an agent may have as a tool. */
export const toolKind = ({ toolboxes }: Context) => ({ noun: 'tool', prefixes: toolboxes.map(({ prefix }) => prefix) })

/** The ids of everything in a workspace that can be a tool, by kind. */
export async function allToolIds(ctx: Context, who: Caller): Promise<string[]> {
  const ids: string[] = []
  for (const { prefix, all } of ctx.toolboxes) {
    ids.push(...(await (all ? all(ctx, who) : idsOf(ctx.resources, ctx.db, who.workspace, prefix))))
  }
  return ids
}

/** The traits of tools, by their ids, without making the tools. */
export async function traitsOf(ctx: Context, who: Caller, ids: string[]): Promise<Map<string, ToolTraits>> {
  const traits = new Map<string, ToolTraits>()
  for (const prefix of new Set(ids.map((id) => id.split('_', 1)[0] as string))) {
    const these = ids.filter((id) => id.startsWith(`${prefix}_`))
    const toolbox = ctx.toolboxes.find((each) => each.prefix === prefix)
    const own = await toolbox?.traits?.(ctx, who, these)
    for (const id of these) traits.set(id, own?.get(id) ?? usualTraits[prefix] ?? {})
  }
  return traits
}

/** The tools behind an agent's list of ids, in its order of kinds. */
export async function toolsOf(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]> {
  if (ids.length === 0) return []
  const tools: AgentTool[] = []
  for (const { prefix, tools: toolsFor } of ctx.toolboxes) {
    const these = ids.filter((id) => id.startsWith(`${prefix}_`))
    if (these.length > 0) tools.push(...(await toolsFor(ctx, who, these)))
  }
  return withDistinctNames(tools)
}

const longestName = 64

/** The model tells tools apart by their names, so a name that comes again gets a number. */
function withDistinctNames(tools: AgentTool[]): AgentTool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; taken.has(name); number++) {
      const suffix = `_${number}`
      name = tool.name.slice(0, longestName - suffix.length) + suffix
    }
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}

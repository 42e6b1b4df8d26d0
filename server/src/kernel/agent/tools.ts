import type { Caller, Context } from '../context.ts'

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
export interface CitablePassage extends Omit<Citation, 'index' | 'tool_call_id'> {
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

/** Makes tools of resources: each feature that has such resources enters one, by the prefix of their ids. */
export type Toolbox = (ctx: Context, who: Caller, ids: string[]) => Promise<AgentTool[]>

const toolboxes = new Map<string, Toolbox>()

export const enterToolbox = (prefix: string, toolbox: Toolbox): void => void toolboxes.set(prefix, toolbox)

/** The tools behind an agent's list of ids, in its order of kinds. */
export async function toolsOf(ctx: Context, who: Caller, ids: string[]): Promise<AgentTool[]> {
  if (ids.length === 0) return []
  const tools: AgentTool[] = []
  for (const [prefix, toolbox] of toolboxes) {
    const these = ids.filter((id) => id.startsWith(`${prefix}_`))
    if (these.length > 0) tools.push(...(await toolbox(ctx, who, these)))
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

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
  citations?: Omit<Citation, 'index' | 'tool_call_id'>[]
}

/** Something an agent can do. */
export interface AgentTool {
  id: string
  /** What the model calls it. */
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** A person must agree before it runs. */
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
  return uniquelyNamed(tools)
}

const longestName = 64

/** A model tells tools apart by name alone, and different kinds of resources may bring the same one. */
function uniquelyNamed(tools: AgentTool[]): AgentTool[] {
  const taken = new Set<string>()
  return tools.map((tool) => {
    let { name } = tool
    for (let number = 2; taken.has(name); number++) {
      name = `${tool.name.slice(0, longestName - 1 - String(number).length)}_${number}`
    }
    taken.add(name)
    return name === tool.name ? tool : { ...tool, name }
  })
}

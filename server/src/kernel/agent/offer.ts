import type { ToolChoice, ToolSpec } from '../llm/model.ts'
import type { AgentTool } from './agent-tool.ts'

/** The tools that a model may or must call: any (`auto`), none, at least one, those of one resource, or the one of a name. */
export type RunToolChoice = 'auto' | 'none' | 'required' | { toolId: string } | { name: string }

interface Choosing {
  tools: AgentTool[]
  /** Tools that the caller runs. */
  callerTools?: ToolSpec[]
  toolChoice?: RunToolChoice | null
  maxSteps: number
}

/** The tools that one step offers to the model. */
export interface Offer {
  tools: AgentTool[]
  /** Specifications of all tools, including those of the caller. */
  specs: ToolSpec[]
  toolChoice?: ToolChoice
  /** The model must answer, and a call is an error. */
  isLast: boolean
}

/**
 * After the last step there are no tools, so that the model must answer. A forced call is for the first step only:
 * otherwise the model would call tools until the last step.
 */
export function offerFor(run: Choosing, step: number): Offer {
  const { tools, callerTools = [], toolChoice = null } = run
  const maxSteps = tools.length + callerTools.length === 0 ? 1 : run.maxSteps
  if (step > maxSteps) return { tools: [], specs: [], isLast: true }
  const all = { tools, specs: [...tools.map(toolSpec), ...callerTools], isLast: toolChoice === 'none' }
  if (toolChoice === null) return all
  if (toolChoice === 'auto' || toolChoice === 'none') return { ...all, toolChoice }
  if (step > 1) return all
  if (toolChoice === 'required' || 'name' in toolChoice) return { ...all, toolChoice }
  const chosen = tools.filter(({ id }) => id === toolChoice.toolId)
  const [first] = chosen
  if (!first) return all // for example, the MCP server cannot be reached
  return chosen.length === 1
    ? { ...all, toolChoice: { name: first.name } }
    : { ...all, tools: chosen, specs: chosen.map(toolSpec), toolChoice: 'required' }
}

/** Some providers refuse the keyword `$schema`. */
export const toolSpec = ({ name, description, parameters: { $schema, ...parameters } }: AgentTool): ToolSpec => ({
  name,
  description,
  parameters,
})

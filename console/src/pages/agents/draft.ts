import type { ResponseData } from '@parley/client'
import type { Fields } from '../../parts/form.ts'

export type Agent = ResponseData<'/agents/{id}', 'get'>

/** The editable fields of an agent. */
export type Draft = Pick<
  Agent,
  | 'name'
  | 'description'
  | 'model_id'
  | 'temperature'
  | 'max_tokens'
  | 'max_steps'
  | 'top_p'
  | 'seed'
  | 'reasoning_effort'
  | 'response_format'
  | 'tool_choice'
  | 'parallel_tool_calls'
  | 'tools'
  | 'handoffs'
  | 'memory'
  | 'context'
  | 'topics'
  | 'prompt_template_id'
  | 'fallback_model_ids'
  | 'status'
> & {
  system_prompt: string | null
  prompt_variables: Record<string, string>
  stop: string[] | null
  access: NonNullable<Agent['access']> | null
}

/** The props of each part of the agent editor. */
export interface AgentFields {
  form: Fields<Draft>
}

export const toDraft = (agent: Agent): Draft => ({
  name: agent.name,
  description: agent.description,
  system_prompt: agent.system_prompt ?? null,
  model_id: agent.model_id,
  temperature: agent.temperature,
  max_tokens: agent.max_tokens,
  max_steps: agent.max_steps,
  top_p: agent.top_p,
  stop: agent.stop === null ? null : [agent.stop].flat(),
  seed: agent.seed,
  reasoning_effort: agent.reasoning_effort,
  response_format: agent.response_format,
  tool_choice: agent.tool_choice,
  parallel_tool_calls: agent.parallel_tool_calls,
  tools: agent.tools,
  handoffs: agent.handoffs,
  memory: agent.memory,
  context: agent.context,
  topics: agent.topics,
  prompt_template_id: agent.prompt_template_id,
  prompt_variables: agent.prompt_variables ?? {},
  fallback_model_ids: agent.fallback_model_ids,
  status: agent.status,
  access: agent.access ?? null,
})

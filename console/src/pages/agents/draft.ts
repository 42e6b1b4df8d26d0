import type { DataOf } from '@parley/client'

export type Agent = DataOf<'/agents/{id}', 'get'>

/** What can be changed of an agent. */
export type Draft = Pick<
  Agent,
  | 'name'
  | 'description'
  | 'model_id'
  | 'temperature'
  | 'max_tokens'
  | 'max_steps'
  | 'tools'
  | 'topics'
  | 'prompt_template_id'
  | 'prompt_variables'
  | 'fallback_model_ids'
  | 'status'
> & { system_prompt: string | null }

export const draftOf = (agent: Agent): Draft => ({
  name: agent.name,
  description: agent.description,
  system_prompt: agent.system_prompt ?? null,
  model_id: agent.model_id,
  temperature: agent.temperature,
  max_tokens: agent.max_tokens,
  max_steps: agent.max_steps,
  tools: agent.tools,
  topics: agent.topics,
  prompt_template_id: agent.prompt_template_id,
  prompt_variables: agent.prompt_variables,
  fallback_model_ids: agent.fallback_model_ids,
  status: agent.status,
})

/** Only what differs, so that a field that somebody else has changed is left as it is. */
export function changesOf(agent: Agent, draft: Draft): Partial<Draft> {
  const before = draftOf(agent)
  const changed = Object.entries(draft).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Draft]),
  )
  return Object.fromEntries(changed) as Partial<Draft>
}

import type { RecordedRequest } from './scripted-provider.ts'
import { type Stage, stage } from './stage.ts'

export const prompt = ({ body }: RecordedRequest): string => (body.messages as { content: string }[])[0]?.content ?? ''

/** An agent with three versions, which answer with their prompts. */
export async function versions(): Promise<Stage> {
  const here = await stage((request) => ({ deltas: [prompt(request)] }), undefined, { system_prompt: 'one' })
  for (const system_prompt of ['two', 'three']) await here.put(`/agents/${here.agent}`, { system_prompt })
  return here
}

export const converse = async ({ post, agent }: Stage, more: object = {}): Promise<string> =>
  (await post('/conversations', { agent_id: agent, user_id: 'ada', ...more })).body.data.id

export async function answer(here: Stage, conversation: string): Promise<[string, number]> {
  const { content, agent_version } = (await here.say(conversation, 'Hello')).body.data
  return [content, agent_version]
}

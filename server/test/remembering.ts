import type { Director } from './scripted-provider.ts'
import type { Stage } from './stage.ts'

export const withMemory = (write: 'tool' | 'auto' | 'off', scope = 'user') => ({ memory: { scope, write } })

/** The model is told this in its last request. */
export const prompt = ({ provider, told }: Stage): string => told(provider.requests.length - 1).join('\n')

export const talkAs = async ({ post, agent }: Stage, user_id: string | null, more: object = {}): Promise<string> =>
  (await post('/conversations', { agent_id: agent, user_id, ...more })).body.data.id

/** A model that remembers what it is told to after "Remember:". */
export const remembering: Director = ({ body }) => {
  const messages = body.messages as { role: string; content: string }[]
  const last = messages.at(-1)
  const [, content, replaces] = /Remember: ([^|]*)(?:\|(\S+))?$/.exec(last?.role === 'user' ? last.content : '') ?? []
  if (!content) return { deltas: ['Well.'] }
  return { toolCalls: [{ name: 'remember', arguments: JSON.stringify({ content, replaces }) }] }
}

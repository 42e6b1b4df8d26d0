import { expect } from 'vitest'
import { type Json, until } from './harness.ts'
import { mayCallLoopback, scriptedApi } from './scripted-api.ts'
import { stage } from './stage.ts'

const parameters = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
export const asking = { toolCalls: [{ id: 'call_a', name: 'send_mail', arguments: '{"to":"ada"}' }] }

/** An agent with a tool that sends mails, for which a person is asked. */
export async function mailing(tool: object = {}, start?: Parameters<typeof stage>[1]) {
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const here = await stage(
    { deltas: ['Done'] },
    start ? { environment: mayCallLoopback.environment, ...start } : mayCallLoopback,
  )
  const made = await here.post('/api-tools', {
    name: 'send_mail',
    description: 'Sends a mail.',
    method: 'POST',
    url: `${api.url}/mails`,
    parameters,
    requires_approval: true,
    ...tool,
  })
  expect(made.status).toBe(201)
  await here.put(`/agents/${here.agent}`, { tools: [made.body.data.id] })
  /** Asks the agent, whose reply then waits. With a token, in a conversation of its own. */
  const wait = async (more: Json = asking, token?: string) => {
    here.provider.next(more)
    const as = token === undefined ? {} : { token }
    const own = async () => (await here.post('/conversations', { agent_id: here.agent }, as)).body.data.id
    const conversation: string = token === undefined ? await here.talk() : await own()
    const { data: message } = (await here.say(conversation, 'Write to Ada', {}, as)).body
    expect(message.status).toBe('awaiting_approval')
    const path = `/conversations/${conversation}/messages/${message.id}`
    const over = () =>
      until(async () => {
        const { data } = (await here.get(path)).body
        return data.status !== 'awaiting_approval' && data.status !== 'running' && data
      })
    return { conversation, message, path, over, id: message.tool_calls[0].approval_id as string }
  }
  const list = async (query = '', token?: string) =>
    (await here.get(`/approvals${query}`, token === undefined ? {} : { token })).body.data as Json[]
  const decide = (id: string, approved: boolean, more: object = {}, token?: string) =>
    here.post(`/approvals/${id}`, { approved, ...more }, token === undefined ? {} : { token })
  return { ...here, api, tool: made.body.data as Json, wait, list, decide }
}

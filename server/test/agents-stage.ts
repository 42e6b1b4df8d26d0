import { type Json, type Start, until } from './harness.ts'
import { mayCallLoopback, scriptedApi } from './scripted-api.ts'
import type { Script } from './scripted-provider.ts'
import { type Stage, stage } from './stage.ts'

const mailTool = {
  name: 'send_mail',
  description: 'Sends a mail.',
  method: 'POST',
  parameters: { type: 'object', properties: {} },
  requires_approval: true,
}

/** The call of an agent as a tool. */
export const ask = (id: string, name: string, message = `Go, ${name}`) => ({
  id,
  name,
  arguments: JSON.stringify({ message }),
})

export const mail: Script = { toolCalls: [{ id: 'call_mail', name: 'send_mail', arguments: '{}' }] }

/** Agents on one scripted model. Each has a script of its own, because several answer at the same time. */
export async function agentsStage(start?: Start) {
  const scripts = new Map<string, Script[]>()
  const readSystemPrompt = (body: Json): string =>
    body.messages.find(({ role }: Json) => role === 'system')?.content ?? ''
  const api = await scriptedApi(() => ({ body: { sent: true } }))
  const here: Stage = await stage(
    ({ body }) =>
      scripts.get(readSystemPrompt(body as Json))?.shift() ?? { deltas: [`Done by ${readSystemPrompt(body as Json)}`] },
    start ? { environment: mayCallLoopback.environment, ...start } : mayCallLoopback,
  )
  /** Creates an agent whose system prompt is its name. */
  const agent = async (name: string, more: object = {}): Promise<string> =>
    (await here.post('/agents', { name, model_id: here.model, system_prompt: name, ...more })).body.data.id
  const mailer = async (): Promise<string> =>
    (await here.post('/api-tools', { ...mailTool, url: `${api.url}/mails` })).body.data.id
  const converse = async (agent_id: string): Promise<string> =>
    (await here.post('/conversations', { agent_id, user_id: 'ada' })).body.data.id
  return {
    ...here,
    api,
    agent,
    mailer,
    converse,
    script: (name: string, ...next: Script[]) => scripts.set(name, next),
    /** The requests that the model of an agent got. */
    listRequests: (name: string): Json[] =>
      here.provider.requests.flatMap(({ body }) => (readSystemPrompt(body as Json) === name ? [body as Json] : [])),
    send: async (conversation: string, message = 'Go', more: object = {}): Promise<Json> =>
      (await here.post(`/conversations/${conversation}/messages`, { message, ...more })).body,
    read: async (conversation: string): Promise<Json> => (await here.get(`/conversations/${conversation}`)).body.data,
  }
}

/** An agent that waits for an approval inside of another one. */
export async function waitingAgents() {
  const here = await agentsStage()
  const one = await here.agent('One', { tools: [await here.mailer()] })
  const two = await here.agent('Two')
  const top = await here.agent('Top', { tools: [one, two] })
  here.script('Top', { toolCalls: [ask('a', 'One'), ask('b', 'Two')] }, { deltas: ['The end'] })
  here.script('One', mail, { deltas: ['Mailed'] })
  const conversation = await here.converse(top)
  const { data } = await here.send(conversation)
  const path = `/conversations/${conversation}/messages/${data.id}`
  const over = () =>
    until(async () => {
      const { data } = (await here.get(path)).body
      return data.status !== 'awaiting_approval' && data.status !== 'running' && data
    })
  return { ...here, data, path, over, one, two, top, conversation }
}

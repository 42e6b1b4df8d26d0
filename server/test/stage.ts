import { onTestFinished } from 'vitest'
import { type Service, type Start, startService } from './harness.ts'
import { type Director, type Script, type ScriptedProvider, scriptedProvider } from './scripted-provider.ts'

export interface Stage extends Service {
  provider: ScriptedProvider
  agent: string
  model: string
  /** The contents of the messages in the model's nth request. */
  told(request: number): string[]
  talk(): Promise<string>
  say(
    conversation: string,
    message: string,
    more?: object,
    options?: Parameters<Service['post']>[2],
  ): ReturnType<Service['post']>
}

/** A service with an agent on a scripted model. */
export async function stage(script?: Script | Director, start?: Start, agentMore: object = {}): Promise<Stage> {
  return stageOn(await startService(start), script, agentMore)
}

/** Adds a scripted model and an agent to a running service. */
export async function stageOn<S extends Pick<Service, 'post'>>(
  service: S,
  script?: Script | Director,
  agentMore: object = {},
): Promise<S & Omit<Stage, keyof Service>> {
  const provider = await scriptedProvider(script)
  onTestFinished(() => provider.close())
  const model = (
    await service.post('/models', {
      name: 'Scripted',
      provider: 'openai-compatible',
      model_id: 'scripted-1',
      endpoint: provider.url,
      pricing: { input: 0.001, output: 0.002, cached_input: 0.0005 },
    })
  ).body.data.id
  const agent = (await service.post('/agents', { name: 'A', model_id: model, system_prompt: 'Be kind.', ...agentMore }))
    .body.data.id
  return {
    ...service,
    provider,
    agent,
    model,
    told: (request) => {
      const messages = (provider.requests[request]?.body.messages ?? []) as { content: string }[]
      return messages.map(({ content }) => content)
    },
    talk: async () => (await service.post('/conversations', { agent_id: agent, user_id: 'ada' })).body.data.id,
    say: (conversation, message, more = {}, options = {}) =>
      service.post(`/conversations/${conversation}/messages`, { message, ...more }, options),
  }
}

import OpenAI, { type APIError } from 'openai'
import { describe, expect, it } from 'vitest'
import { readEvents } from '../../../test/event-stream.ts'
import { library } from '../../../test/handbook.ts'
import { stage } from '../../../test/stage.ts'

const busy = (seconds?: number) => ({
  status: 429,
  body: { error: { message: 'Slow down.' } },
  ...(seconds !== undefined && { headers: { 'retry-after': String(seconds) } }),
})

describe('a provider that limits requests', () => {
  it('is passed on to official clients at once, because they retry by themselves', async () => {
    const here = await stage(busy(2))
    const { chat, responses, embeddings } = new OpenAI({
      baseURL: `${here.url}/api/openai/v1`,
      apiKey: here.token,
      maxRetries: 0,
    })
    const wire = { provider: 'openai-compatible', endpoint: here.provider.url }
    await here.post('/models', { name: 'E', model_id: 'embed-1', type: 'embedding', ...wire })
    const model = here.agent
    const messages = [{ role: 'user' as const, content: 'Hi' }]
    for (const ask of [
      () => chat.completions.create({ model, messages }),
      () => chat.completions.create({ model, messages, stream: true }),
      () => responses.create({ model, input: 'Hi' }),
      () => responses.create({ model, input: 'Hi', store: false }),
      () => embeddings.create({ model: 'embed-1', input: 'Hi' }),
    ]) {
      const before = here.provider.requests.length
      const error = (await ask().catch((thrown) => thrown)) as APIError
      expect(error).toMatchObject({ status: 429, code: 'provider_rate_limited', type: 'rate_limit_error' })
      expect(error.message).toContain('Slow down.')
      expect(error.headers?.get('retry-after')).toBe('2')
      expect(here.provider.requests.length).toBe(before + 1)
    }
    const stream = await responses.create({ model, input: 'Hi', stream: true })
    let last: OpenAI.Responses.ResponseStreamEvent | undefined
    for await (const event of stream) last = event
    expect(last).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: expect.stringContaining('Slow') } },
    })
  })

  it('is named in conversations, and not waited out', async () => {
    const here = await stage(busy(20))
    const conversation = await here.talk()
    const { status, headers, body } = await here.say(conversation, 'Hi')
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'provider_rate_limited', '20'])
    expect(here.provider.requests).toHaveLength(1)
    const [, reply] = (await here.get(`/conversations/${conversation}`)).body.data.messages
    expect(reply).toMatchObject({ status: 'failed', code: 'provider_rate_limited' })
    const tried = await here.post(`/agents/${here.agent}/try`, { messages: [{ role: 'user', content: 'Hi' }] })
    expect([tried.status, tried.headers.get('retry-after')]).toEqual([429, '20'])
    const streamed = await fetch(`${here.url}/api/conversations/${conversation}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Again', stream: true }),
    })
    expect((await readEvents(streamed)).at(-1)?.data).toMatchObject({
      type: 'message.failed',
      code: 'provider_rate_limited',
    })
  })

  it('names a time to wait even if the provider does not', async () => {
    const here = await stage(busy())
    const { status, headers } = await here.say(await here.talk(), 'Hi')
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  })

  it('is named by RAG tools', async () => {
    const here = await stage(busy(30))
    const { ragTool } = await library(here)
    const tool = await ragTool({ model_id: here.model })
    const { status, body, headers } = await here.post(`/rag-tools/${tool}/query`, { query: 'Where are bicycles kept?' })
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'provider_rate_limited', '30'])
  })
})

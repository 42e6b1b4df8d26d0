import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { echoTool } from '../../../test/echo-tool.ts'
import { embeddingOf } from '../../../test/scripted-answers.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

const client = ({ url, token }: { url: string; token: string }) =>
  new OpenAI({ baseURL: `${url}/api/openai/v1`, apiKey: token, maxRetries: 0 })
const reply = { deltas: ['Hel', 'lo'], usage: { input: 20, output: 2, cachedInput: 0 } } as Script

describe('the official OpenAI client', () => {
  it('talks to an agent as to a model', async () => {
    const here = await stage(reply)
    const completion = await client(here).chat.completions.create({
      model: here.agent,
      messages: [
        { role: 'developer', content: 'Answer in English.' },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      ],
      temperature: 0.5,
      max_tokens: 10,
    })
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: here.agent,
      choices: [{ message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 20, completion_tokens: 2, total_tokens: 22 },
    })
    expect(here.told(0)).toEqual(['Be kind.', 'Answer in English.', 'Hi'])
    expect(here.provider.requests[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 10 })
    expect((await here.get('/usage/stats')).body.data.total_tokens).toBe(22)
  })

  it('streams', async () => {
    const here = await stage(reply)
    const stream = await client(here).chat.completions.create({
      model: 'A',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let finish: string | null | undefined
    let tokens = 0
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      finish = chunk.choices[0]?.finish_reason ?? finish
      tokens = chunk.usage?.total_tokens ?? tokens
    }
    expect([text, finish, tokens]).toEqual(['Hello', 'stop', 22])
  })

  it('gets the answer of an agent that uses tools', async () => {
    const echo = echoTool()
    const here = await stage(reply, { features: [echo.feature] })
    const tool = await echo.create(here)
    await here.put(`/agents/${here.agent}`, { tools: [tool] })
    here.provider.next({ toolCalls: [{ name: 'echo', arguments: '{"text":"ping"}' }] }, { deltas: ['It said ping'] })
    const runner = await client(here).chat.completions.create({
      model: here.agent,
      messages: [{ role: 'user', content: 'Echo' }],
    })
    expect(runner.choices[0]?.message.content).toBe('It said ping')
    expect(here.told(1).at(-1)).toBe('ping')
  })

  it('lists agents, embeds texts, and hears what is wrong', async () => {
    const here = await stage(reply)
    const openai = client(here)
    const models = await openai.models.list()
    expect(models.data.map((model) => model.id)).toEqual([here.agent])
    await here.post('/models', {
      name: 'E',
      provider: 'openai-compatible',
      model_id: 'embedder',
      type: 'embedding',
      endpoint: here.provider.url,
    })
    const { data } = await openai.embeddings.create({ model: 'embedder', input: ['one', 'two'] })
    expect(data.map((each) => each.embedding)).toEqual([[...embeddingOf('one')], [...embeddingOf('two')]])
    for (const [model, dimensions] of [
      ['all-MiniLM-L6-v2', 384],
      ['parley-static-256', 256],
    ] as const) {
      const local = await openai.embeddings.create({ model, input: ['one', 'two'] })
      expect(local.data.map((each) => each.embedding.length)).toEqual([dimensions, dimensions])
      expect(local.usage.total_tokens).toBeGreaterThan(0)
    }
    await expect(
      openai.chat.completions.create({ model: 'none', messages: [{ role: 'user', content: 'Hi' }] }),
    ).rejects.toMatchObject({ status: 404 })
    await expect(client({ ...here, token: 'wrong' }).models.list()).rejects.toMatchObject({ status: 401 })
    here.provider.next({ status: 401 })
    await expect(
      openai.chat.completions.create({ model: here.agent, messages: [{ role: 'user', content: 'Hi' }] }),
    ).rejects.toMatchObject({ status: 502 })
    const image = { type: 'image_url', image_url: { url: 'data:' } } as const
    await expect(
      openai.chat.completions.create({ model: here.agent, messages: [{ role: 'user', content: [image] }] }),
    ).rejects.toMatchObject({ status: 400 })
  })

  it('stops the provider when it goes away', async () => {
    const here = await stage({ deltas: Array(500).fill('word '), delay: 10 })
    const stream = await client(here).chat.completions.create({
      model: here.agent,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    })
    for await (const _ of stream) break
    await here.provider.requests[0]?.gone
  })
})

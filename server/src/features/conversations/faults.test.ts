import { describe, expect, it } from 'vitest'
import { until } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import type { Timeouts } from '../../kernel/llm/http.ts'
import { second } from '../../kernel/time.ts'

const failing: [string, Script, number, string, string][] = [
  ['a refused request', { status: 400, body: { error: { message: 'Bad prompt.' } } }, 502, 'provider_error', ''],
  ['a wrong key', { status: 401, body: { error: { message: 'Wrong key.' } } }, 502, 'provider_error', ''],
  [
    'a reply cut in the middle',
    { deltas: ['Half', ' more'], fault: 'cut', after: 1, delay: 1 },
    502,
    'provider_error',
    'Half',
  ],
  [
    'a piece that is not JSON',
    { deltas: ['One', 'Two'], fault: 'malformed', after: 1, delay: 1 },
    502,
    'provider_error',
    'One',
  ],
  ['an error in the stream', { deltas: ['One'], fault: 'error', after: 1, delay: 1 }, 502, 'provider_error', 'One'],
  ['something that is not HTTP', { fault: 'noise' }, 502, 'provider_error', ''],
]

describe('when the provider fails', () => {
  it.each(failing)(
    'with %s, the message says so and the conversation goes on',
    async (_, script, status, code, content) => {
      const { say, talk, get, provider } = await stage(script)
      const id = await talk()
      const answer = await say(id, 'Hi')
      expect([answer.status, answer.body.code]).toEqual([status, code])
      const { data } = (await get(`/conversations/${id}`)).body
      expect(data.messages[1]).toMatchObject({ id: answer.body.details[0].message, status: 'failed', code, content })
      provider.next({ deltas: ['Better'] })
      expect((await say(id, 'Again')).body.data.content).toBe('Better')
    },
  )

  it.each<[string, Script, Partial<Timeouts>, string]>([
    ['before it begins', { fault: 'hang' }, { firstByte: 200 }, ''],
    ['in the middle of a reply', { deltas: ['Half', ' more'], fault: 'stall' }, { idle: 200 }, 'Half'],
  ])('by silence %s, the time runs out, and the conversation goes on', async (_, script, providerTimeouts, content) => {
    const { say, talk, get, put, provider, post, agent } = await stage(script, { providerTimeouts })
    const id = await talk()
    const answer = await say(id, 'Hi')
    expect([answer.status, answer.body.code]).toEqual([504, 'provider_timeout'])
    const { data } = (await get(`/conversations/${id}`)).body
    expect(data.messages[1]).toMatchObject({ status: 'failed', code: 'provider_timeout', content })
    await provider.requests[0]?.gone
    const throughTheDoor = { model: agent, messages: [{ role: 'user', content: 'Hi' }] }
    expect((await post('/openai/v1/chat/completions', throughTheDoor)).status).toBe(504)
    // The local model has no provider that could be too slow.
    const [local] = (await get('/models?provider=local&type=chat')).body.data
    await put(`/agents/${agent}`, { model_id: local.id })
    expect((await say(id, 'Again')).body.data.status).toBe('completed')
  })

  it('and a reply is cancelled while it waits for the next attempt, it costs nothing', async () => {
    const busy = { status: 503, headers: { 'retry-after': '60' }, body: { error: { message: 'Busy.' } } }
    const { say, talk, get, post, provider } = await stage(busy)
    const id = await talk()
    const said = say(id, 'Hi')
    const message = await until(async () => (await get(`/conversations/${id}`)).body.data.messages[1])
    const attempts = async () =>
      (await get(`/conversations/${id}/messages/${message.id}/trace`)).body.data.steps.find(
        ({ type }: { type: string }) => type === 'model',
      )?.attempts
    await until(async () => provider.requests.length === 1 && (await attempts()) === 2)
    await post(`/conversations/${id}/messages/${message.id}/cancel`)
    expect((await said).body.data).toMatchObject({ status: 'cancelled', usage: null })
    expect(provider.requests).toHaveLength(1)
    expect((await get('/usage/stats')).body.data.total_tokens).toBe(0)
  })

  it('by taking too long in all, the reply ends at the limit of the operator', async () => {
    const slow: Script = { deltas: ['Half', ' more'], fault: 'stall' }
    const { say, talk, get, post, agent, ctx } = await stage(slow, { own: true })
    const id = await talk()
    const said = say(id, 'Hi')
    await until(async () => (await get(`/conversations/${id}`)).body.data.messages[1]?.content === 'Half')
    ctx.config.turnTimeout = second // only now, so that the limit cannot come before the text
    const answer = await said
    expect([answer.status, answer.body.code]).toEqual([504, 'turn_timeout'])
    expect(answer.body.error).toContain('1 second')
    const [, reply] = (await get(`/conversations/${id}`)).body.data.messages
    expect(reply).toMatchObject({ status: 'failed', code: 'turn_timeout', content: 'Half' })
    expect(reply.usage.output_tokens).toBeGreaterThan(0)
    const chat = { model: agent, messages: [{ role: 'user', content: 'Hi' }] }
    const direct = await post('/openai/v1/chat/completions', chat)
    expect([direct.status, direct.body.error.code]).toEqual([504, 'turn_timeout'])
  })

  it('is asked again after a passing failure', async () => {
    const { say, talk, provider } = await stage()
    const id = await talk()
    provider.next({ status: 429, headers: { 'retry-after': '1' } }, { deltas: ['Patience'] })
    expect((await say(id, 'Hi')).body.data.content).toBe('Patience')
    provider.next({ status: 500 }, { fault: 'refuse' }, { deltas: ['Third time'] })
    expect((await say(id, 'Hi')).body.data.content).toBe('Third time')
  })

  it('gives way to the models to fall back on', async () => {
    const broken = await stage({ status: 401, body: { error: { message: 'No.' } } })
    const working = await stage({ deltas: ['From the second'] })
    const second = (
      await broken.post('/models', {
        name: 'Second',
        provider: 'openai-compatible',
        model_id: 'two',
        endpoint: working.provider.url,
      })
    ).body.data.id
    await broken.put(`/agents/${broken.agent}`, { fallback_model_ids: [second] })
    const { data } = (await broken.say(await broken.talk(), 'Hi')).body
    expect(data).toMatchObject({ content: 'From the second', model_id: second, status: 'completed' })
  })

  it('does not wait long for a model that is busy when there is another', async () => {
    const busy = { status: 429, headers: { 'retry-after': '20' }, body: { error: { message: 'Later.' } } }
    const { post, put, agent, say, talk, provider } = await stage(({ body }) =>
      body.model === 'two' ? { deltas: ['From the second'] } : busy,
    )
    const wire = { provider: 'openai-compatible', endpoint: provider.url }
    const second = (await post('/models', { name: 'Second', model_id: 'two', ...wire })).body.data.id
    await put(`/agents/${agent}`, { fallback_model_ids: [second] })
    expect((await say(await talk(), 'Hi')).body.data).toMatchObject({ content: 'From the second', model_id: second })
    expect(provider.requests).toHaveLength(2)
  })

  it('takes counts that cannot be for none, and estimates', async () => {
    const { say, talk, provider } = await stage()
    provider.next({ deltas: ['Some words'], usage: { input: -5, output: -1 } })
    const { usage } = (await say(await talk(), 'Hi there')).body.data
    expect([usage.input_tokens > 0, usage.output_tokens > 0]).toEqual([true, true])
  })

  it('takes text that no database could keep, and keeps what it shows', async () => {
    const { say, talk, get, provider } = await stage()
    const id = await talk()
    provider.next({ deltas: ['a\0b ', '\ud800 c', ' \ud83d', '\ude42'] })
    const { body, status } = await say(id, 'Odd')
    expect([status, body.data.content]).toEqual([200, 'a\ufffdb \ufffd c 🙂'])
    expect((await get(`/conversations/${id}/messages/${body.data.id}`)).body.data).toEqual(body.data)
    expect((await say(id, 'After')).body.data.content).toBe('Hello')
  })

  it('takes replies of every shape', async () => {
    const { say, talk, provider } = await stage()
    const id = await talk()
    const word = 'naïve 🙂 日本語 '
    provider.next({ deltas: [word.repeat(50)], bytes: 7 }, { deltas: [] }, { deltas: ['x'.repeat(1_000_000)] })
    expect((await say(id, 'Split')).body.data.content).toBe(word.repeat(50))
    expect((await say(id, 'Empty')).body.data).toMatchObject({ content: '', status: 'completed' })
    expect((await say(id, 'Long')).body.data.content.length).toBe(1_000_000)
    expect((await say(id, 'After')).body.data.content).toBe('Hello')
  })

  it('never sees more than fits its model', async () => {
    const { say, talk, put, model, told } = await stage({ deltas: ['ok'] })
    await put(`/models/${model}`, { context_window: 1000 })
    const id = await talk()
    for (let n = 0; n < 12; n++)
      expect((await say(id, `Message ${n}: ${'some words of text '.repeat(30)}`)).status).toBe(200)
    const last = told(11)
    expect(last[0]).toBe('Be kind.')
    expect(last.at(-1)).toContain('Message 11')
    expect(last.length).toBeLessThan(20)
    expect(last.some((text) => text.startsWith('Message 0:'))).toBe(false)
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { languageModel } from './create-model.ts'
import { createProviderPool, type ProviderPool } from './http.ts'
import type { LanguageModel } from './model.ts'

let provider: ScriptedProvider
let pool: ProviderPool
let model: LanguageModel

beforeAll(async () => {
  provider = await scriptedProvider()
  pool = createProviderPool()
})
afterAll(async () => {
  await pool.close()
  await provider.close()
})

const address = () => ({
  provider: 'openai-compatible',
  model_id: 'scripted-1',
  type: 'chat' as const,
  endpoint: provider.url,
  apiKey: 'sk-secret-key',
})

beforeEach(() => {
  model = languageModel(address(), pool)
})
afterEach(() => {
  provider.requests.length = 0
})

const lastBody = () => provider.requests.at(-1)?.body

describe('a request to the OpenAI API', () => {
  it('contains the key and only the necessary fields', async () => {
    await model.generate(modelRequest())
    const [request] = provider.requests
    expect(request?.path).toBe('/v1/chat/completions')
    expect(request?.headers.authorization).toBe('Bearer sk-secret-key')
    expect(request?.body).toEqual({
      model: 'scripted-1',
      messages: [{ role: 'user', content: 'Hello?' }],
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('has no authorization without a key, and keeps the query of the endpoint', async () => {
    const open = languageModel({ ...address(), apiKey: null, endpoint: `${provider.url}/?api-version=3` }, pool)
    await open.generate(modelRequest())
    expect(provider.requests[0]?.headers).not.toHaveProperty('authorization')
    expect(provider.requests[0]?.path).toBe('/v1/chat/completions?api-version=3')
  })

  it('contains its own messages whatever options the model has', async () => {
    const tuned = languageModel({ ...address(), options: { user: 'u', messages: 'never' } }, pool)
    await tuned.generate(modelRequest({ messages: [{ role: 'user', content: 'Say "hi"\n\u2028' }], temperature: 0 }))
    expect(lastBody()).toEqual({
      user: 'u',
      model: 'scripted-1',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      messages: [{ role: 'user', content: 'Say "hi"\n\u2028' }],
    })
  })

  it('contains settings, options and tools', async () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const tuned = languageModel({ ...address(), options: { seed: 7, model: 'not this' } }, pool)
    const tools = [{ name: 'weather', description: 'Tells the weather.', parameters }]
    await tuned.generate(modelRequest({ temperature: 0, maxTokens: 50, tools }))
    expect(lastBody()).toMatchObject({
      model: 'scripted-1',
      seed: 7,
      temperature: 0,
      max_tokens: 50,
      tools: [{ type: 'function', function: { name: 'weather', description: 'Tells the weather.', parameters } }],
    })
  })

  it('contains sampling and the choice of a tool', async () => {
    const tools = [{ name: 'weather', description: '', parameters: { type: 'object' } }]
    const sampling = {
      topP: 0.2,
      stop: ['END'],
      seed: 0,
      reasoningEffort: 'low' as const,
      parallelToolCalls: false,
    }
    await model.generate(modelRequest({ sampling, tools, toolChoice: { name: 'weather' } }))
    expect(lastBody()).toMatchObject({
      top_p: 0.2,
      stop: ['END'],
      seed: 0,
      reasoning_effort: 'low',
      parallel_tool_calls: false,
      tool_choice: { type: 'function', function: { name: 'weather' } },
    })
    // Servers refuse these without tools.
    await model.generate(modelRequest({ sampling, toolChoice: 'required' }))
    expect(lastBody()).not.toHaveProperty('tool_choice')
    expect(lastBody()).not.toHaveProperty('parallel_tool_calls')
  })

  it('contains the whole conversation, with valid arguments where the model wrote invalid ones', async () => {
    await model.generate(
      modelRequest({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Weather?' },
          {
            role: 'assistant',
            content: '',
            toolCalls: [
              { id: 'a', name: 'weather', arguments: '{"city":"Rome"}' },
              { id: 'b', name: 'weather', arguments: '{"city":' },
            ],
          },
          { role: 'tool', toolCallId: 'a', name: 'weather', content: 'Sunny' },
          { role: 'tool', toolCallId: 'b', name: 'weather', content: 'No such city' },
          { role: 'assistant', content: 'Sunny in Rome.' },
        ],
      }),
    )
    const call = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: text },
    })
    expect(lastBody()?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call('a', '{"city":"Rome"}'), call('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'Sunny' },
      { role: 'tool', tool_call_id: 'b', content: 'No such city' },
      { role: 'assistant', content: 'Sunny in Rome.' },
    ])
  })
})

describe('a server with its own dialect', () => {
  const refused = (message: string, status = 400) => ({ status, body: { error: { message } } })

  it('that refuses stream_options gets no more of them', async () => {
    provider.next(refused('Unrecognized request argument supplied: stream_options'))
    await model.generate(modelRequest())
    await model.generate(modelRequest())
    expect(provider.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false, false])
  })

  it('that refuses stream_options as an extra input gets none', async () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }]
    provider.next({ status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error' } })
    expect((await model.generate(modelRequest())).text).toBe('Hello')
  })

  it('that wants max_completion_tokens gets it', async () => {
    provider.next(
      refused(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ),
    )
    await model.generate(modelRequest({ maxTokens: 9 }))
    await model.generate(modelRequest({ maxTokens: 8 }))
    expect(provider.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [9, undefined],
      [undefined, 9],
      [undefined, 8],
    ])
  })

  it('that refuses both gets neither in the same turn', async () => {
    provider.next(refused('unknown field max_tokens'), refused('unknown field stream_options'))
    await model.generate(modelRequest({ maxTokens: 9 }))
    expect(lastBody()).toMatchObject({ max_completion_tokens: 9 })
    expect(lastBody()).not.toHaveProperty('stream_options')
  })

  it('that keeps refusing is not retried for ever', async () => {
    for (let time = 0; time < 5; time++) provider.next(refused('stream_options and max_tokens are not supported'))
    await expect(model.generate(modelRequest({ maxTokens: 9 }))).rejects.toMatchObject({ status: 400 })
    expect(provider.requests).toHaveLength(3)
    // The two that are left: without a limit there is only one thing to change.
    await expect(model.generate(modelRequest())).rejects.toMatchObject({ status: 400 })
  })

  it.each([
    [
      'temperature',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ],
    ['top_p', "Unsupported parameter: 'top_p' is not supported with this model."],
    ['seed', 'seed: Extra inputs are not permitted'],
    ['stop', "Unsupported parameter: 'stop' is not supported with this model."],
    ['reasoning_effort', 'Unrecognized request argument supplied: reasoning_effort'],
    ['parallel_tool_calls', "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
    ['tool_choice', 'tool_choice `required` is not supported by this model'],
    ['top_p', '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'],
  ])('that refuses %s gets no more of it', async (name, message) => {
    const request = {
      temperature: 0.2,
      maxTokens: 9,
      sampling: { topP: 0.5, stop: ['x'], seed: 1, reasoningEffort: 'high' as const, parallelToolCalls: true },
      tools: [{ name: 'weather', description: '', parameters: { type: 'object' } }],
      toolChoice: 'required' as const,
    }
    provider.next(refused(message))
    for (let time = 0; time < 2; time++) await model.generate(modelRequest(request))
    const [first, ...later] = provider.requests.map(({ body }) => Object.keys(body))
    expect(first).toContain(name)
    for (const sent of later) expect([...sent, name].sort()).toEqual([...(first ?? [])].sort())
    expect(later).toHaveLength(2)
  })

  it('that refuses one schema gets the next one', async () => {
    const format = { name: 'place', schema: { type: 'object' } }
    provider.next(refused("Invalid schema for response_format 'place': 'additionalProperties' is required."))
    for (let time = 0; time < 2; time++) await model.generate(modelRequest({ format }))
    expect(provider.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false, true])
  })

  it('that takes no format beside tools gets it without them', async () => {
    const format = { name: 'place', schema: { type: 'object' } }
    const tools = [{ name: 'weather', description: '', parameters: { type: 'object' } }]
    provider.next(refused('response_format is not supported with tools'))
    for (let time = 0; time < 2; time++) await model.generate(modelRequest({ format, tools }))
    await model.generate(modelRequest({ format }))
    expect(provider.requests.map(({ body }) => 'response_format' in body)).toEqual([true, false, false, true])
  })

  it('that names the refused parameter beside its message gets no more of it', async () => {
    provider.next({ status: 400, body: { error: { message: 'Invalid request.', param: 'seed' } } })
    await model.generate(modelRequest({ sampling: { seed: 1, topP: 0.1 } }))
    expect(provider.requests.map(({ body }) => [body.seed, body.top_p])).toEqual([
      [1, 0.1],
      [undefined, 0.1],
    ])
  })

  it.each([
    "Invalid 'temperature': decimal above maximum value. Expected a value <= 1, but got 2 instead.",
    'temperature: Input should be less than or equal to 1',
  ])('that refuses only a value says so to the caller', async (message) => {
    provider.next(refused(message))
    await expect(model.generate(modelRequest({ temperature: 2 }))).rejects.toMatchObject({ status: 400 })
    expect(provider.requests).toHaveLength(1)
  })

  it('that finds the limit too high gets no other field', async () => {
    provider.next(refused('max_tokens is too large: 100000. This model supports at most 4096 completion tokens.'))
    await expect(model.generate(modelRequest({ maxTokens: 100_000 }))).rejects.toMatchObject({ status: 400 })
    expect(provider.requests).toHaveLength(1)
  })
})

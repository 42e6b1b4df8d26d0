import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { failure, modelRequest } from '../../../test/model-request.ts'
import { embedText } from '../../../test/scripted-answers.ts'
import { type Script, type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { embeddingModel, languageModel } from './create-model.ts'
import { createProviderPool, type ProviderPool, type Timeouts } from './http.ts'
import type { ModelMessage, ToolCall } from './model.ts'

let provider: ScriptedProvider
let pool: ProviderPool

beforeAll(async () => {
  provider = await scriptedProvider()
  pool = createProviderPool()
})
afterEach(() => {
  provider.requests.length = 0
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await pool.close()
  await provider.close()
})

const address = (name: string, more: object = {}) => ({
  provider: name,
  model_id: 'scripted-1',
  type: 'chat' as const,
  endpoint: provider.url,
  apiKey: 'secret-key' as string | null,
  ...more,
})

const model = (name: string, timeouts: Partial<Timeouts> = {}) =>
  languageModel(address(name), { ...pool, timeouts: { ...pool.timeouts, ...timeouts } })

const names = ['anthropic', 'google', 'cohere']

/** The same settings in the terms of each provider. Anthropic has no seed, and while it thinks no top_p and no forced call. */
const sampled: Record<string, object> = {
  anthropic: {
    stop_sequences: ['END'],
    thinking: { type: 'enabled' },
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  },
  google: {
    generationConfig: { topP: 0.2, stopSequences: ['END'], seed: 7 },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
  },
  cohere: { p: 0.2, stop_sequences: ['END'], seed: 7, tool_choice: 'REQUIRED', thinking: { type: 'enabled' } },
}

/** How each provider is asked for JSON, and how it answers. Older models of Anthropic answer by a tool. */
const formatted: Record<string, { request(schema: object): object; reply: Script }> = {
  anthropic: {
    request: (input_schema) => ({ tools: [{ name: 'json', input_schema }], tool_choice: { type: 'any' } }),
    reply: { toolCalls: [{ id: 'j', name: 'json', arguments: '{"city":"Bern"}' }] },
  },
  google: {
    request: (responseJsonSchema) => ({
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema },
    }),
    reply: { deltas: ['{"city":', '"Bern"}'] },
  },
  cohere: {
    request: (json_schema) => ({ response_format: { type: 'json_object', json_schema } }),
    reply: { deltas: ['{"city":"Bern"}'] },
  },
}

it('Anthropic receives top_p and a forced call while it does not think', async () => {
  const tools = [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' } }]
  const choose = (toolChoice: 'none' | 'required' | { name: string }) =>
    model('anthropic').generate(modelRequest({ sampling: { topP: 0.2 }, tools, toolChoice }))
  await choose({ name: 'weather' })
  await choose('required')
  await choose('none')
  expect(provider.requests.map(({ body }) => [body.top_p, body.tool_choice])).toEqual([
    [0.2, { type: 'tool', name: 'weather' }],
    [0.2, { type: 'any' }],
    [0.2, { type: 'none' }],
  ])
})

describe.each([
  ['anthropic', '/v1/messages', { 'x-api-key': 'secret-key' }],
  ['google', '/v1/models/scripted-1:streamGenerateContent?alt=sse', { 'x-goog-api-key': 'secret-key' }],
  ['cohere', '/v1/chat', { authorization: 'Bearer secret-key' }],
])('%s', (name, path, headers) => {
  it('streams a reply', async () => {
    provider.next({ deltas: ['Grüße', ' 👋🏽', '!'], delay: 2, usage: { input: 100, output: 30 } })
    const request = modelRequest({ temperature: 0.5, maxTokens: 77 })
    expect(await model(name).generate(request)).toEqual({
      text: 'Grüße 👋🏽!',
      toolCalls: [],
      finishReason: 'stop',
      usage: { input: 100, cachedInput: 0, output: 30, reasoning: 0 },
      ...(name === 'anthropic' && { model: 'scripted-1' }), // the others do not name it
    })
    expect(request.pieces).toEqual(['Grüße', ' 👋🏽', '!'])
    expect(provider.requests[0]).toMatchObject({ path, headers })
    expect(JSON.stringify(provider.requests[0]?.body)).toMatch(/"temperature":0.5.*/)
    expect(JSON.stringify(provider.requests[0]?.body)).toMatch(/:77\b/)
  })

  it('calls tools, several at a time', async () => {
    const toolCalls = [
      { id: 'a', name: 'weather', arguments: '{"city":"Rome"}', pieces: 3 },
      { id: 'b', name: 'weather', arguments: '{"city":"Oslo"}' },
    ]
    provider.next({ deltas: ['Let me see.'], toolCalls })
    const tools = [
      {
        name: 'weather',
        description: 'Tells the weather.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
      },
    ]
    const completion = await model(name).generate(modelRequest({ tools }))
    expect(completion).toMatchObject({ text: 'Let me see.', finishReason: 'tool_calls' })
    expect(completion.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['weather', { city: 'Rome' }],
      ['weather', { city: 'Oslo' }],
    ])
    expect(new Set(completion.toolCalls.map((call) => call.id)).size).toBe(2)
    expect(JSON.stringify(provider.requests[0]?.body)).toContain('Tells the weather.')
  })

  it('receives a whole conversation, even with invalid arguments', async () => {
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '' },
      {
        role: 'assistant',
        content: 'Let me see.',
        toolCalls: [
          { id: 'a', name: 'weather', arguments: '{"city":"Rome"}' },
          { id: 'b', name: 'weather', arguments: '{"city":' },
        ],
      },
      { role: 'tool', toolCallId: 'a', name: 'weather', content: 'Sunny' },
      { role: 'tool', toolCallId: 'b', name: 'weather', content: 'No such city' },
    ]
    expect((await model(name).generate(modelRequest({ messages }))).text).toBe('Hello')
    const sent = JSON.stringify(provider.requests[0]?.body)
    // Cohere takes either words or calls from the assistant.
    const said = name === 'cohere' ? [] : ['Let me see.']
    for (const words of ['Be brief.', 'Weather?', ...said, 'Rome', 'Sunny', 'No such city']) {
      expect(sent).toContain(words)
    }
  })

  it('receives sampling and the choice of a tool, without what it refuses', async () => {
    const tools = [{ name: 'weather', description: 'Tells the weather.', parameters: { type: 'object' } }]
    const request = modelRequest({
      sampling: { topP: 0.2, stop: ['END'], seed: 7, reasoningEffort: 'low', parallelToolCalls: false },
      tools,
      toolChoice: { name: 'weather' },
    })
    const asked = model(name)
    const message = `${name === 'google' ? 'Unknown name "stop_sequences"' : 'stop_sequences: Extra inputs are not permitted'}`
    provider.next({ status: 400, body: name === 'cohere' ? { message } : { type: 'error', error: { message } } })
    for (let time = 0; time < 2; time++) expect((await asked.generate(request)).text).toBe('Hello')
    const [first, ...later] = provider.requests.map(({ body }) => body)
    expect(first).toMatchObject(sampled[name] ?? {})
    expect(later).toHaveLength(2)
    for (const body of later) {
      expect(JSON.stringify(body)).toMatch(/weather/)
      expect(JSON.stringify(body)).not.toMatch(/"END"/)
    }
  })

  it('receives the schema of a reply, or an instruction if it refuses it', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const asked = model(name)
    const ask = () => asked.generate(modelRequest({ format: { name: 'place', schema } }))
    provider.next(formatted[name]?.reply ?? {})
    expect((await ask()).text).toBe('{"city":"Bern"}')
    expect(provider.requests[0]?.body).toMatchObject(formatted[name]?.request(schema) ?? {})
    const message = 'response_format: structured output is not supported by this model'
    provider.next({ status: 400, body: name === 'cohere' ? { message } : { type: 'error', error: { message } } })
    for (let time = 0; time < 2; time++) expect((await ask()).text).toBe('Hello')
    for (const { body } of provider.requests.slice(2)) {
      expect(JSON.stringify(body)).toContain('Answer with JSON only')
      expect(body).not.toMatchObject(formatted[name]?.request(schema) ?? {})
    }
    expect(provider.requests).toHaveLength(4)
  })

  it('may return an empty reply', async () => {
    provider.next({ deltas: [] })
    expect(await model(name).generate(modelRequest())).toMatchObject({ text: '', finishReason: 'stop' })
  })

  it('may return a megabyte', async () => {
    const deltas = Array<string>(50).fill('lorem ipsum '.repeat(2000))
    provider.next({ deltas })
    expect((await model(name).generate(modelRequest())).text).toBe(deltas.join(''))
  })

  it('reports errors with status, message and retry delay, without the key', async () => {
    const error = { message: 'Slow down, secret-key.', type: 'rate_limit_error', code: 429, status: 'X' }
    const body = name === 'cohere' ? error : { type: 'error', error }
    provider.next({ status: 429, headers: { 'retry-after': '3' }, body })
    const thrown = await failure(model(name).generate(modelRequest()))
    expect(thrown).toMatchObject({ kind: 'status', status: 429, retryAfter: 3000, retryable: true })
    expect(thrown.message).toBe('The provider answered 429: Slow down, ***.')
  })

  it.each<[string, Script, Partial<Timeouts>, string[]]>([
    ['connection', { fault: 'refuse' }, {}, []],
    ['timeout', { fault: 'hang' }, { firstByte: 50 }, []],
    ['timeout', { deltas: ['one', 'two'], fault: 'stall' }, { idle: 50 }, ['one']],
    ['cut', { deltas: ['one', 'two'], fault: 'cut' }, {}, ['one']],
    ['cut', { deltas: ['one', 'two'], fault: 'end' }, {}, ['one']],
    ['malformed', { deltas: ['one', 'two'], fault: 'malformed' }, {}, ['one']],
  ])('fails with %s on %j', async (kind, script, timeouts, pieces) => {
    provider.next(script)
    const request = modelRequest()
    expect(await failure(model(name, timeouts).generate(request))).toMatchObject({ kind })
    expect(request.pieces).toEqual(pieces)
  })

  it('drops the connection when it is cancelled', async () => {
    provider.next({ deltas: ['Some ', 'words'], fault: 'stall' })
    const cancel = new AbortController()
    const onText = () => cancel.abort(new Error('Enough.'))
    const generation = model(name).generate(modelRequest({ signal: cancel.signal, onText }))
    await expect(generation).rejects.toThrow('Enough.')
    await provider.requests[0]?.gone
  })

  it('drops the connection when the reader throws', async () => {
    provider.next({ deltas: ['Some ', 'words'], fault: 'stall' })
    const fault = new Error('The reader broke.')
    const onText = () => {
      throw fault
    }
    await expect(model(name).generate(modelRequest({ onText }))).rejects.toBe(fault)
    await provider.requests[0]?.gone
  })

  it('never sends a key that it finds in the environment', async () => {
    for (const each of ['ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'COHERE_API_KEY']) {
      vi.stubEnv(each, 'found-in-the-environment')
    }
    await languageModel(address(name, { apiKey: null }), pool).generate(modelRequest())
    expect(JSON.stringify(provider.requests[0]?.headers)).not.toContain('found-in-the-environment')
  })
})

describe('what only some providers return', () => {
  it('sends the signature that Google adds to a call back with it', async () => {
    provider.next({ toolCalls: [{ name: 'weather', arguments: '{}', signature: 'signed-thoughts' }] })
    const google = model('google')
    const { toolCalls } = await google.generate(modelRequest())
    // A turn that waits for approval is stored as JSON.
    const kept = JSON.parse(JSON.stringify(toolCalls)) as ToolCall[]
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', toolCalls: kept },
      { role: 'tool', toolCallId: kept[0]?.id ?? '', name: 'weather', content: 'Sunny' },
    ]
    await google.generate(modelRequest({ messages }))
    const sent = provider.requests[1]?.body.contents as { parts: Record<string, unknown>[] }[]
    expect(sent[1]?.parts[0]).toMatchObject({ functionCall: { name: 'weather' }, thoughtSignature: 'signed-thoughts' })
    for (const other of ['anthropic', 'cohere']) {
      expect((await model(other).generate(modelRequest({ messages }))).text).toBe('Hello')
    }
  })

  it.each([
    ['anthropic', 'max_tokens', 'length'],
    ['anthropic', 'refusal', 'content_filter'],
    ['google', 'MAX_TOKENS', 'length'],
    ['google', 'SAFETY', 'content_filter'],
    ['cohere', 'MAX_TOKENS', 'length'],
  ])('%s finished with %s: %s', async (name, finishReason, expected) => {
    provider.next({ deltas: ['x'], finishReason })
    expect((await model(name).generate(modelRequest())).finishReason).toBe(expected)
  })

  it.each(['anthropic', 'google'])('%s gets the reasoning before its calls back with their results', async (name) => {
    const toolCalls = [{ id: 'call_1', name: 'clock', arguments: '{}', signature: 'signed' }]
    provider.next({ thoughts: ['I need ', 'the time.'], toolCalls }, { deltas: ['Noon.'] })
    const thoughts: string[] = []
    const tools = [{ name: 'clock', description: 'Tells the time.', parameters: { type: 'object', properties: {} } }]
    const messages: ModelMessage[] = [{ role: 'user', content: 'What time is it?' }]
    const reply = await model(name).generate(
      modelRequest({ messages, tools, onReasoning: (delta: string) => thoughts.push(delta) }),
    )
    expect(thoughts.join('')).toBe('I need the time.')
    expect(reply.reasoning).toMatchObject([{ text: 'I need the time.' }])
    const { text: content, toolCalls: made, reasoning = [] } = reply
    messages.push(
      { role: 'assistant', content, toolCalls: made, reasoning },
      { role: 'tool', toolCallId: made[0]?.id ?? '', name: 'clock', content: '12:00' },
    )
    expect((await model(name).generate(modelRequest({ messages, tools }))).text).toBe('Noon.')
    const body = JSON.stringify(provider.requests[1]?.body)
    expect(body).toContain('I need the time.')
    expect(body).toContain('signed')
  })

  it.each(['anthropic', 'google'])('%s reports cached input', async (name) => {
    provider.next({ deltas: ['x'], usage: { input: 100, cachedInput: 60, output: 30 } })
    expect((await model(name).generate(modelRequest())).usage).toMatchObject({
      input: 100,
      cachedInput: 60,
      output: 30,
    })
  })

  it('Anthropic reports cache writes, also if its reply breaks off', async () => {
    const usage = { input: 100, cachedInput: 60, cacheWrite: 30, output: 5 }
    provider.next({ deltas: ['x'], usage })
    expect((await model('anthropic').generate(modelRequest())).usage).toMatchObject(usage)
    provider.next({ deltas: ['x', 'y'], fault: 'cut', usage })
    const error = await failure(model('anthropic').generate(modelRequest()))
    expect(error).toMatchObject({ usage: { input: 100, cachedInput: 60, cacheWrite: 30 } })
  })

  it('Anthropic is asked to cache the tools, the system prompt and the end of the stable prefix', async () => {
    const tools = ['a', 'b'].map((name) => ({ name, description: name, parameters: { type: 'object' } }))
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hi', parts: [{ type: 'text', text: 'Summary', endsStablePrefix: true }] },
    ]
    await model('anthropic').generate(modelRequest({ messages, tools }))
    const { body } = provider.requests.at(-1) ?? {}
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(body).toMatchObject({
      tools: [{ name: 'a' }, { name: 'b', ...mark }],
      system: [{ text: 'Be kind.', ...mark }],
    })
    expect(body?.messages).toMatchObject([{ content: [{ text: 'Summary', ...mark }, { text: 'Hi' }] }])
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(3)
  })

  it('Google reports reasoning tokens', async () => {
    provider.next({ deltas: ['x'], usage: { input: 10, output: 30, reasoning: 25 } })
    expect((await model('google').generate(modelRequest())).usage).toMatchObject({ output: 30, reasoning: 25 })
  })

  it('Anthropic reports the input even if its reply breaks off', async () => {
    provider.next({ deltas: ['one', 'two'], fault: 'cut', usage: { input: 100, cachedInput: 60, output: 30 } })
    const error = await failure(model('anthropic').generate(modelRequest()))
    expect(error).toMatchObject({ kind: 'cut', usage: { input: 100, cachedInput: 60, output: 1, reasoning: 0 } })
  })

  it('Anthropic may be overloaded in the middle of a reply', async () => {
    const body = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded, secret-key' } }
    for (const after of [0, 1]) {
      provider.next({ deltas: ['one'], fault: 'error', after, body })
      const error = await failure(model('anthropic').generate(modelRequest()))
      expect(error).toMatchObject({ kind: 'status', status: 529, retryable: true })
      expect(error.message).toContain('Overloaded, ***')
    }
  })

  it('options go to the provider', async () => {
    const options = { thinking: { type: 'enabled', budgetTokens: 2048 } }
    await languageModel(address('anthropic', { options }), pool).generate(modelRequest())
    expect(provider.requests[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 } })
  })
})

describe('embeddings', () => {
  const never = new AbortController().signal
  const embeddings = (name: string) => embeddingModel(address(name), pool, { retry: { sleep: async () => undefined } })

  it.each(['google', 'cohere'])('of %s come in order, in batches', async (name) => {
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)
    const { vectors } = await embeddings(name).embed(texts, never)
    expect(vectors).toEqual(texts.map((text) => embedText(text)))
    expect(provider.requests).toHaveLength(3)
    const one = await embeddings(name).embed(['one'], never)
    expect(one.vectors).toEqual([embedText('one')])
  })

  it.each([
    ['google', 'RETRIEVAL_DOCUMENT', 'RETRIEVAL_QUERY'],
    ['cohere', 'search_document', 'search_query'],
  ])('of %s are requested with their purpose', async (name, document, query) => {
    await embeddings(name).embed(['one'], never)
    await embeddings(name).embed(['one'], never, 'query')
    expect(JSON.stringify(provider.requests[0]?.body)).toContain(document)
    expect(JSON.stringify(provider.requests[1]?.body)).toContain(query)
  })

  it('are retried after a transient failure, and fail with the message of the provider', async () => {
    provider.next({ status: 503 }, { fault: 'refuse' })
    expect((await embeddings('cohere').embed(['one'], never)).tokens).toBe(3)
    provider.next({ status: 401, body: { message: 'invalid api token' } })
    const error = await failure(embeddings('cohere').embed(['one'], never))
    expect(error).toMatchObject({ kind: 'status', status: 401 })
    expect(error.message).toContain('invalid api token')
    provider.next({ status: 200, body: '{"embeddings":7}' })
    expect(await failure(embeddings('cohere').embed(['one'], never))).toMatchObject({ kind: 'malformed' })
  })

  it('are dropped when they are cancelled', async () => {
    provider.next({ fault: 'hang' })
    const cancel = new AbortController()
    const embedding = embeddings('google').embed(['one'], cancel.signal)
    await expect.poll(() => provider.requests.length).toBe(1)
    cancel.abort(new Error('Enough.'))
    await expect(embedding).rejects.toThrow('Enough.')
    await provider.requests[0]?.gone
  })
})

it('no provider leaves a connection open after an error', async () => {
  const own = createProviderPool()
  const before = provider.openSockets
  for (const name of names) {
    provider.next({ deltas: ['one', 'two'], fault: 'malformed', delay: 1 })
    await failure(languageModel(address(name), own).generate(modelRequest()))
  }
  await provider.whenSockets(before)
  await own.close()
})

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { modelRequest } from '../../../test/model-request.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { languageModel } from './create-model.ts'
import { createProviderPool, type ProviderPool } from './http.ts'
import { type Completion, type LanguageModel, ProviderError } from './model.ts'

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

const frames = (...chunks: unknown[]) => [
  ...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`),
  'data: [DONE]\n\n',
]

describe('a reply of the OpenAI API', () => {
  it('streams text and reports usage', async () => {
    provider.next({
      deltas: ['Good ', 'morning', '!'],
      delay: 1,
      usage: { input: 100, cachedInput: 40, output: 30, reasoning: 20 },
    })
    const request = modelRequest()
    expect(await model.generate(request)).toEqual({
      text: 'Good morning!',
      toolCalls: [],
      finishReason: 'stop',
      usage: { input: 100, cachedInput: 40, output: 30, reasoning: 20 },
      model: 'scripted-1',
    })
    expect(request.pieces).toEqual(['Good ', 'morning', '!'])
  })

  it('is the same with other line ends and split at any byte', async () => {
    const deltas = ['Grüße ', '👋🏽', ' 你好', '\n"\\']
    for (const bytes of [1, 2, 3, 7]) {
      provider.next({ deltas, bytes, lineEnd: '\r\n' })
      const request = modelRequest()
      expect((await model.generate(request)).text).toBe(deltas.join(''))
      expect(request.pieces).toEqual(deltas)
    }
  })

  it('may contain several tool calls with streamed arguments', async () => {
    provider.next({
      deltas: ['Let me see.'],
      toolCalls: [
        { id: 'call_a', name: 'weather', arguments: '{"city":"Zürich"}', pieces: 5 },
        { id: 'call_b', name: 'time', arguments: '' },
        { id: 'call_c', name: 'search', arguments: '{"query": not json' },
      ],
    })
    expect(await model.generate(modelRequest())).toMatchObject({
      text: 'Let me see.',
      finishReason: 'tool_calls',
      toolCalls: [
        { id: 'call_a', name: 'weather', arguments: '{"city":"Zürich"}' },
        { id: 'call_b', name: 'time', arguments: '{}' },
        { id: 'call_c', name: 'search', arguments: '{"query": not json' },
      ],
    })
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['function_call', 'tool_calls'],
    ['insufficient_system_resource', 'other'],
  ])('with the finish reason %s has the finish reason %s', async (finishReason, expected) => {
    provider.next({ deltas: ['x'], finishReason })
    expect((await model.generate(modelRequest())).finishReason).toBe(expected)
  })

  it('with tool calls has the finish reason tool_calls even if the server says stop', async () => {
    provider.next({ toolCalls: [{ name: 'time', arguments: '{}' }], finishReason: 'stop' })
    expect((await model.generate(modelRequest())).finishReason).toBe('tool_calls')
  })

  it('may be empty, and without usage', async () => {
    provider.next({ deltas: [], usage: null })
    const request = modelRequest()
    expect(await model.generate(request)).toMatchObject({ text: '', toolCalls: [], finishReason: 'stop', usage: null })
    expect(request.pieces).toEqual([])
  })

  it('may be megabytes long', async () => {
    const deltas = Array.from({ length: 400 }, (_, index) => `${index} ${'lorem ipsum '.repeat(1000)}`)
    provider.next({ deltas })
    const { text } = await model.generate(modelRequest())
    expect(text.length).toBeGreaterThan(4_000_000)
    expect(text).toBe(deltas.join(''))
  })

  it('may be one delta of a megabyte', async () => {
    const delta = 'é'.repeat(1024 * 1024)
    provider.next({ deltas: [delta] })
    expect((await model.generate(modelRequest())).text).toBe(delta)
  })

  it('may arrive as a whole from a server that does not stream', async () => {
    provider.next({ deltas: ['All ', 'at once'], whole: true, toolCalls: [{ name: 'time', arguments: '{}' }] })
    const request = modelRequest()
    expect(await model.generate(request)).toMatchObject({
      text: 'All at once',
      toolCalls: [{ id: 'call_0', name: 'time', arguments: '{}' }],
      finishReason: 'tool_calls',
      usage: { input: 12, output: 2 },
    })
    expect(request.pieces).toEqual(['All at once'])
  })

  const delta = (value: object) => ({ choices: [{ index: 0, delta: value }] })
  const call = (id: string | undefined, text: string, index?: number) =>
    delta({ tool_calls: [{ index, id, function: { name: id && `tool_${id}`, arguments: text } }] })

  it.each([
    ['no index', [call('a', '{"x":'), call(undefined, '1}'), call('b', '{}')]],
    ['one index for all', [call('a', '{"x":1}', 0), call('b', '{}', 0)]],
    ['the id on every part', [call('a', '{"x":', 0), call('a', '1}', 0), call('b', '{}', 1)]],
    [
      'parts of several calls in turn',
      [call('a', '{"x":', 0), call('b', '{', 1), call(undefined, '1}', 0), call(undefined, '}', 1)],
    ],
  ])('may number its tool calls with %s', async (_, chunks) => {
    provider.next({ frames: frames(...chunks) })
    expect(await model.generate(modelRequest())).toMatchObject({
      toolCalls: [
        { id: 'a', name: 'tool_a', arguments: '{"x":1}' },
        { id: 'b', name: 'tool_b', arguments: '{}' },
      ],
      finishReason: 'tool_calls',
    })
  })

  it('adds a missing id to a tool call and serializes arguments that are an object', async () => {
    provider.next({
      frames: frames(delta({ tool_calls: [{ function: { name: 'time', arguments: { zone: 'UTC' } } }] })),
    })
    const [only] = (await model.generate(modelRequest())).toolCalls
    expect(only).toMatchObject({ name: 'time', arguments: '{"zone":"UTC"}' })
    expect(only?.id).toMatch(/^call_.{36}$/)
  })

  it('may have content parts, reasoning, comments and unknown fields', async () => {
    const parts = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Well, ' },
    ]
    provider.next({
      frames: [
        ': PROCESSING\n\n',
        'event: hint\ndata: {"choices":[],"error":null}\n\n',
        ...frames(
          delta({ reasoning_content: 'Hm.' }),
          delta({ content: parts }),
          delta({ refusal: 'no.' }),
          delta({ content: null }),
        ),
      ],
    })
    const request = modelRequest()
    expect(await model.generate(request)).toMatchObject({ text: 'Well, no.', finishReason: 'other', usage: null })
    expect(request.pieces).toEqual(['Well, ', 'no.'])
  })

  it.each([
    [
      'reasoning counted apart',
      {
        prompt_tokens: 10,
        completion_tokens: 2,
        total_tokens: 312,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
      { input: 10, cachedInput: 0, output: 302, reasoning: 300 },
    ],
    [
      'reasoning counted within',
      {
        prompt_tokens: 10,
        completion_tokens: 302,
        total_tokens: 312,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
      { input: 10, cachedInput: 0, output: 302, reasoning: 300 },
    ],
    [
      'hits of a cache',
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 2 },
      { input: 10, cachedInput: 8, output: 2, reasoning: 0 },
    ],
    ['nonsense', { prompt_tokens: 'many', completion_tokens: -2, prompt_tokens_details: null }, null],
  ])('may report its usage with %s', async (_, usage, expected) => {
    provider.next({ frames: frames({ choices: [], usage }) })
    expect((await model.generate(modelRequest())).usage).toEqual(expected)
  })

  it('keeps the connection open for the next request', async () => {
    const own = createProviderPool()
    const before = provider.openSockets
    const kept = languageModel(address(), own)
    for (let turn = 0; turn < 20; turn++) await kept.generate(modelRequest())
    // A connection that was just used rests for a moment before it is used again.
    expect(provider.openSockets - before).toBeLessThan(20)
    await own.close()
  })
})

describe('arbitrary JSON from the OpenAI API', () => {
  const value = fc.jsonValue({ maxDepth: 2 })
  const part = fc.oneof(
    value,
    fc.record({ index: value, id: value, function: fc.record({ name: value, arguments: value }) }),
  )
  const delta = fc.oneof(
    value,
    fc.record({ content: value, refusal: value, tool_calls: fc.oneof(value, fc.array(part)) }),
  )
  const choice = fc.oneof(value, fc.record({ delta, finish_reason: value }))
  const chunk = fc.oneof(
    value,
    fc.record({ choices: fc.oneof(value, fc.array(choice)), usage: value }),
    fc.record({ choices: fc.tuple(choice), usage: value, error: value }),
  )

  it('gives a valid completion or a ProviderError', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), fc.boolean(), async (chunks, whole) => {
        provider.next(whole ? { status: 200, body: chunks[0] ?? {} } : { frames: frames(...chunks) })
        const outcome = await model.generate(modelRequest()).catch((error: unknown) => error)
        if (outcome instanceof ProviderError) return
        expect(outcome).toEqual({
          text: expect.any(String),
          toolCalls: expect.any(Array),
          finishReason: expect.any(String),
          usage: expect.toSatisfy((usage) => usage === null || Object.values(usage as object).every(Number.isFinite)),
        })
        for (const each of (outcome as Completion).toolCalls) {
          expect(each).toEqual({ id: expect.any(String), name: expect.any(String), arguments: expect.any(String) })
        }
      }),
      { numRuns: 300 },
    )
  })
})

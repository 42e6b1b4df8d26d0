import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { embedText } from '../../../test/scripted-answers.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { embeddingModel } from './create-model.ts'
import { createProviderPool, type ProviderPool } from './http.ts'

let provider: ScriptedProvider
let pool: ProviderPool

beforeAll(async () => {
  provider = await scriptedProvider()
  pool = createProviderPool()
})
afterEach(() => {
  provider.requests.length = 0
})
afterAll(async () => {
  await pool.close()
  await provider.close()
})

const never = new AbortController().signal
const waits: number[] = []
const retry = { sleep: async (milliseconds: number) => waits.push(milliseconds) }

const model = (options: Record<string, unknown> = {}) =>
  embeddingModel(
    { provider: 'openai-compatible', model_id: 'e', type: 'embedding', endpoint: provider.url, apiKey: 'k', options },
    pool,
    { retry },
  )

describe('embeddings of the OpenAI API', () => {
  it('come in the order of the texts', async () => {
    const texts = ['one', 'two', '', 'three']
    const { vectors, tokens } = await model({ dimensions: 8 }).embed(texts, never)
    expect(vectors).toEqual(['one', 'two', ' ', 'three'].map((text) => embedText(text)))
    expect(tokens).toBe(12)
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: 'Bearer k' },
      body: { model: 'e', input: ['one', 'two', ' ', 'three'], encoding_format: 'base64', dimensions: 8 },
    })
  })

  it('of no texts need no request', async () => {
    expect(await model().embed([], never)).toEqual({ vectors: [], tokens: 0 })
    expect(provider.requests).toHaveLength(0)
  })

  it('are requested in batches of limited count and length', async () => {
    const many = Array.from({ length: 600 }, (_, index) => `text ${index}`)
    expect((await model().embed(many, never)).vectors).toEqual(many.map((text) => embedText(text)))
    expect(provider.requests.map(({ body }) => (body.input as string[]).length)).toEqual([256, 256, 88])

    provider.requests.length = 0
    const long = ['a'.repeat(60_000), 'b'.repeat(60_000), 'c'.repeat(150_000), 'd', 'e']
    expect((await model().embed(long, never)).vectors).toHaveLength(5)
    expect(provider.requests.map(({ body }) => (body.input as string[]).length)).toEqual([1, 1, 1, 2])
  })

  it('are requested as numbers once a server has refused base64', async () => {
    const plain = model()
    provider.next({ status: 400, body: { error: { message: "'encoding_format' must be float" } } })
    expect((await plain.embed(['one'], never)).vectors).toEqual([embedText('one')])
    expect((await plain.embed(['two'], never)).vectors).toEqual([embedText('two')])
    expect(provider.requests.map(({ body }) => body.encoding_format)).toEqual(['base64', undefined, undefined])
  })

  it('may arrive as numbers although base64 was requested', async () => {
    provider.next({ status: 200, body: { data: [{ embedding: [1, 0.5] }, { embedding: [0, 2] }] } })
    expect(await model().embed(['one', 'two'], never)).toEqual({
      vectors: [Float32Array.of(1, 0.5), Float32Array.of(0, 2)],
      tokens: null,
    })
  })

  it('are retried after a transient failure', async () => {
    provider.next({ status: 429, headers: { 'retry-after': '2' } }, { fault: 'refuse' })
    waits.length = 0
    expect((await model().embed(['one'], never)).vectors).toHaveLength(1)
    expect(waits[0]).toBeGreaterThanOrEqual(2000)
    expect(waits).toHaveLength(2)
  })

  it('fail with the message of the provider', async () => {
    provider.next({ status: 401, body: { error: { message: 'Wrong key.' } } })
    await expect(model().embed(['one'], never)).rejects.toMatchObject({ kind: 'status', status: 401 })
  })

  it.each([
    ['no JSON', 'oh no'],
    ['nothing', {}],
    ['null', 'null'],
    ['too few', { data: [{ index: 0, embedding: [1] }] }],
    [
      'one twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    [
      'an index beyond',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 7, embedding: [1] },
        ],
      },
    ],
    ['different lengths', { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    ['empty ones', { data: [{ embedding: [] }, { embedding: [] }] }],
    ['words', { data: [{ embedding: ['a'] }, { embedding: ['b'] }] }],
    ['half a float', { data: [{ embedding: 'AAAA' }, { embedding: 'AAAA' }] }],
  ])('that are %s are malformed', async (_, body) => {
    provider.next({ status: 200, body })
    await expect(model().embed(['one', 'two'], never)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('can be cancelled, which drops the connection', async () => {
    provider.next({ fault: 'hang' })
    const cancel = new AbortController()
    const embedding = model().embed(['one'], cancel.signal)
    await expect.poll(() => provider.requests.length).toBe(1)
    cancel.abort(new Error('Enough.'))
    await expect(embedding).rejects.toThrow('Enough.')
    await provider.requests[0]?.gone
  })
})

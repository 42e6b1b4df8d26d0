import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { scoreRelevance } from '../../../test/scripted-answers.ts'
import { type ScriptedProvider, scriptedProvider } from '../../../test/scripted-provider.ts'
import { reranker } from './create-model.ts'
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
const model = (name = 'cohere') =>
  reranker({ provider: name, model_id: 'r', type: 'rerank', endpoint: provider.url, apiKey: 'k' }, pool, {
    retry: { sleep: async () => undefined },
  })

const query = 'cheap red shoes'
const documents = ['blue hats', 'cheap red shoes', 'red shoes']

describe('a reranker', () => {
  it.each(['cohere', 'openai-compatible'])('of %s gives scores in the order of the documents', async (name) => {
    const { scores, tokens } = await model(name).rerank(query, documents, never)
    expect(scores).toEqual(documents.map((document) => scoreRelevance(query, document)))
    expect(scores[1]).toBe(1)
    expect(tokens).toBe(48)
    expect(provider.requests[0]).toMatchObject({
      path: '/v1/rerank',
      headers: { authorization: 'Bearer k' },
      body: { model: 'r', query, documents },
    })
  })

  it('sends no request without documents', async () => {
    expect(await model().rerank(query, [], never)).toEqual({ scores: [], tokens: 0 })
    expect(provider.requests).toHaveLength(0)
  })

  it('may use a variant of the response format', async () => {
    const data = [
      { index: 1, score: 0.9 },
      { index: 0, score: -0.5 },
    ]
    provider.next({ status: 200, body: { data } })
    expect(await model().rerank(query, ['a', 'b'], never)).toEqual({ scores: [-0.5, 0.9], tokens: null })
    provider.next({ status: 200, body: { results: data, meta: { tokens: { input_tokens: 7 } } } })
    expect((await model().rerank(query, ['a', 'b'], never)).tokens).toBe(7)
  })

  it('is retried after a transient failure', async () => {
    provider.next({ status: 503 }, { fault: 'refuse' })
    expect((await model().rerank(query, documents, never)).scores).toHaveLength(3)
    expect(provider.requests).toHaveLength(3)
  })

  it.each([
    ['no list', {}],
    ['too few scores', { results: [{ index: 0, relevance_score: 1 }] }],
    [
      'a score without number',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 1, relevance_score: 'high' },
        ],
      },
    ],
    [
      'an index beyond',
      {
        results: [
          { index: 0, relevance_score: 1 },
          { index: 2, relevance_score: 1 },
        ],
      },
    ],
  ])('that sends %s is malformed', async (_, body) => {
    provider.next({ status: 200, body })
    await expect(model().rerank(query, ['a', 'b'], never)).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('fails with the message of the provider', async () => {
    provider.next({ status: 400, body: { message: 'too many documents' } })
    await expect(model().rerank(query, documents, never)).rejects.toThrow(
      'The provider answered 400: too many documents',
    )
  })
})

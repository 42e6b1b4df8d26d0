import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunk, handbook, index, newFolder } from '../test/search.ts'
import { openEngine } from './engine.ts'
import type { SearchRequest } from './search.ts'

const engine = openEngine({ file: join(newFolder(), 'search.db'), memory: 2 ** 30, idle: 60_000 })
afterAll(() => engine.close())

/** Of the query, one passage has the direction, one the word, one something of both, one nothing. */
const vectors: Record<string, number[]> = { near: [1, 0], both: [0.6, 0.8], word: [-1, 0], neither: [0, 1] }
beforeAll(async () => {
  await engine.update(index, {
    add: [
      chunk('near', 'one', { metadata: { kind: 'a' } }),
      chunk('both', 'zebra two', { metadata: { kind: 'a' } }),
      chunk('word', 'zebra three', { metadata: { kind: 'b' } }),
      chunk('neither', 'four', { metadata: { kind: 'b' } }),
    ],
  })
  const fine = Object.entries(vectors).map(([chunkId, vector]) => ({ chunkId, vector: Float32Array.from(vector) }))
  await engine.setFineVectors(index, 'model', fine)
})

const search = async (more: Partial<SearchRequest> = {}) => {
  const fine = { model: 'model', vector: Float32Array.of(1, 0) }
  const hits = await engine.search(index, { query: 'zebra', topK: 10, fine, ...more })
  return Object.fromEntries(hits.map(({ chunk, score }) => [chunk.id, Math.round(score * 100) / 100]))
}

describe('fusion', () => {
  it('is half words, half direction', async () => {
    expect(await search()).toEqual({ both: 0.8, near: 0.5, word: 0.5 })
  })

  it('takes other weights', async () => {
    expect(await search({ weights: { vector: 3, keyword: 1 } })).toEqual({ near: 0.75, both: 0.7, word: 0.25 })
    expect(await search({ weights: { vector: 0, keyword: 2 } })).toEqual({ both: 1, word: 1 })
    expect(await search({ weights: { vector: 0, keyword: 0 } })).toEqual(await search())
  })

  it('names both parts', async () => {
    const fine = { model: 'model', vector: Float32Array.of(1, 0) }
    const [best] = await engine.search(index, { query: 'zebra', topK: 1, fine })
    expect(best).toMatchObject({
      chunk: { id: 'both' },
      score: expect.closeTo(0.8, 2),
      parts: { keyword: expect.closeTo(1, 5), vector: expect.closeTo(0.6, 2) },
    })
  })

  it('is relative to the best by words; a search by vectors alone gives the cosine', async () => {
    expect(await search({ mode: 'keyword' })).toEqual({ both: 1, word: 1 })
    expect(await search({ mode: 'vector' })).toEqual({ near: 1, both: 0.6 })
  })

  it('leaves out what is below the threshold', async () => {
    expect(await search({ scoreThreshold: 0.6 })).toEqual({ both: 0.8 })
    expect(await search({ scoreThreshold: 0 })).toEqual(await search())
  })

  it('filters before it ranks, so that the best of what is left is the best', async () => {
    expect(await search({ filters: { kind: 'b' } })).toEqual({ word: 0.5 })
    expect(await search({ filters: { kind: 'a' }, mode: 'keyword' })).toEqual({ both: 1 })
    expect(await search({ filters: { kind: 'none' } })).toEqual({})
  })

  it('does with the static model where the query has no fine vector', async () => {
    const alone = await search({ query: 'one', fine: { model: 'other', vector: Float32Array.of(0, 1) } })
    expect(alone.near).toBe(1)
    const { fine: _, ...plain } = { fine: null, query: 'one', topK: 10 }
    expect(await engine.search(index, plain)).toEqual(
      await engine.search(index, { ...plain, fine: { model: 'model', vector: Promise.reject(new Error('busy')) } }),
    )
  })

  it('waits for a vector that is promised', async () => {
    const vector = Promise.resolve(Float32Array.of(1, 0))
    expect(await search({ fine: { model: 'model', vector } })).toEqual(await search())
  })

  it.each(['', '   ', '?!', '\u0000', 'the of and'])(
    'finds nothing, or something, but does not fail for %j',
    async (query) => {
      for (const mode of ['hybrid', 'keyword', 'vector'] as const) {
        expect(await engine.search(index, { query, mode, topK: 10 })).toBeInstanceOf(Array)
      }
    },
  )
})

describe('while an index is being refined', () => {
  it('passages with and without fine vectors are found side by side', async () => {
    const partly = { workspace: 'wsp_1', key: 'partly' }
    await engine.update(partly, { add: handbook })
    await engine.setFineVectors(partly, 'model', [
      { chunkId: 'wifi', vector: Float32Array.of(0.1, 1) },
      { chunkId: 'sick', vector: Float32Array.of(0.2, 1) },
    ])
    const fine = { model: 'model', vector: Float32Array.of(1, 0) }
    const hits = await engine.search(partly, { query: 'How long is parental leave?', topK: 10, fine })
    expect(hits[0]?.chunk.id).toBe('leave')
    expect(hits.map(({ chunk }) => chunk.id)).toEqual(expect.arrayContaining(['wifi', 'sick']))
  })
})

describe('maximal marginal relevance', () => {
  it('takes one of two that say the same, and keeps the order by score', async () => {
    const twins = { workspace: 'wsp_1', key: 'twins' }
    const places: Record<string, number[]> = { first: [1, 0.1], again: [1, 0.11], other: [0.8, -0.6] }
    await engine.update(twins, { add: Object.keys(places).map((id) => chunk(id, 'zebra')) })
    const given = Object.entries(places).map(([chunkId, vector]) => ({ chunkId, vector: Float32Array.from(vector) }))
    await engine.setFineVectors(twins, 'model', given)
    const request = { query: 'zebra', topK: 2, fine: { model: 'model', vector: Float32Array.of(1, 0) } }
    const plain = await engine.search(twins, request)
    const diverse = await engine.search(twins, { ...request, rerank: 'mmr' })
    expect(plain.map(({ chunk }) => chunk.id)).toEqual(['first', 'again'])
    expect(diverse.map(({ chunk }) => chunk.id)).toEqual(['first', 'other'])
    expect(diverse[0]?.score).toBeGreaterThan(diverse[1]?.score ?? 1)
  })
})

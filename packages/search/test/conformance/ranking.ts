import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IndexName, SearchIndex, SearchRequest } from '../../src/index.ts'
import { chunk, handbook, index, type NewStorage } from '../fixtures.ts'

const model = 'model'
const embedding = { model, vector: Float32Array.of(1, 0) }

/** One passage matches the query's vector, one its word, one both in part, and one neither. */
const vectors: Record<string, number[]> = { near: [1, 0], both: [0.6, 0.8], word: [-1, 0], neither: [0, 1] }

async function setVectors(engine: SearchIndex, name: IndexName, byChunk: Record<string, number[]>): Promise<void> {
  const encoded = Object.entries(byChunk).map(([chunkId, vector]) => ({ chunkId, vector: Float32Array.from(vector) }))
  await engine.setVectors(name, model, encoded)
}

export function rankingCases(newStorage: NewStorage): void {
  let engine: SearchIndex
  beforeAll(async () => {
    engine = await (await newStorage()).open()
    await engine.update(index, {
      add: [
        chunk('near', 'one', { metadata: { kind: 'a' } }),
        chunk('both', 'zebra two', { metadata: { kind: 'a' } }),
        chunk('word', 'zebra three', { metadata: { kind: 'b' } }),
        chunk('neither', 'four', { metadata: { kind: 'b' } }),
      ],
    })
    await setVectors(engine, index, vectors)
  })
  afterAll(() => engine.close())

  const search = async (more: Partial<SearchRequest> = {}) => {
    const hits = await engine.search(index, { query: 'zebra', topK: 10, embedding, ...more })
    return Object.fromEntries(hits.map(({ chunk: { id }, score }) => [id, Math.round(score * 100) / 100]))
  }

  describe('fusion', () => {
    it('weighs vectors a little more than words by default', async () => {
      expect(await search()).toEqual({ near: 0.46, both: 0.38, word: 0 })
    })

    it('takes other weights', async () => {
      // Stored vectors are rounded, by each engine in its own way.
      const mostlyVectors = await search({ weights: { vector: 3, keyword: 1 } })
      expect([mostlyVectors.near, mostlyVectors.both]).toEqual([expect.closeTo(0.9, 1), expect.closeTo(0.1, 1)])
      expect(await search({ weights: { vector: 0, keyword: 2 } })).toEqual({ both: 0.99, word: 0.99 })
      expect(await search({ weights: { vector: 0, keyword: 0 } })).toEqual(await search())
    })

    it('returns both parts of the score', async () => {
      const [, second] = await engine.search(index, { query: 'zebra', topK: 2, embedding })
      expect(second).toMatchObject({
        chunk: { id: 'both' },
        score: expect.closeTo(0.38, 2),
        parts: { keyword: expect.closeTo(0.4, 4), vector: expect.closeTo(0.6, 2) },
      })
    })

    it('gives words and vectors alone a probability too', async () => {
      expect(await search({ mode: 'keyword' })).toEqual({ both: 0.99, word: 0.99 })
      expect(await search({ mode: 'vector' })).toEqual({ near: 1, both: 0.01 })
    })

    it('omits results below the threshold', async () => {
      expect(await search({ scoreThreshold: 0.4 })).toEqual({ near: 0.46 })
      expect(await search({ scoreThreshold: 0 })).toEqual(await search())
    })

    it('filters before it ranks', async () => {
      expect(await search({ filters: { kind: 'b' } })).toEqual({ word: 0.32 })
      expect(await search({ filters: { kind: 'a' }, mode: 'keyword' })).toEqual({ both: 0.99 })
      expect(await search({ filters: { kind: 'none' } })).toEqual({})
    })

    it('uses the static model if the query has no vector of the embedding model', async () => {
      const alone = await search({ query: 'one', embedding: { model: 'other', vector: Float32Array.of(0, 1) } })
      expect(alone.near).toBeGreaterThan(0.9)
      const plain = { query: 'one', topK: 10 }
      const expected = await engine.search(index, plain)
      const failing = { model, vector: Promise.reject<Float32Array>(new Error('busy')) }
      expect(await engine.search(index, { ...plain, embedding: failing })).toEqual(expected)
    })

    it('waits for a vector that is promised', async () => {
      const vector = Promise.resolve(Float32Array.of(1, 0))
      expect(await search({ embedding: { model, vector } })).toEqual(await search())
    })

    it.each(['', '   ', '?!', '\u0000', 'the of and'])('does not fail for the query %j', async (query) => {
      for (const mode of ['hybrid', 'keyword', 'vector'] as const) {
        expect(await engine.search(index, { query, mode, topK: 10 })).toBeInstanceOf(Array)
      }
    })

    it('counts headings double', async () => {
      const name = { ...index, key: 'headings' }
      const text = 'Ask the reception for the form, the reception has it.'
      await engine.update(name, {
        add: [chunk('body', `Bicycle. ${text}`), chunk('headed', text, { headings: ['Office', 'Bicycle'] })],
      })
      const hits = await engine.search(name, { query: 'bicycle', mode: 'keyword', topK: 10 })
      expect(hits.map(({ chunk: { id } }) => id)).toEqual(['headed', 'body'])
    })
  })

  it('finds passages with and without vectors while an index is being embedded', async () => {
    const name = { ...index, key: 'partly' }
    await engine.update(name, { add: handbook })
    await setVectors(engine, name, { wifi: [0.1, 1], sick: [0.2, 1] })
    const hits = await engine.search(name, { query: 'How long is parental leave?', topK: 10, embedding })
    expect(hits[0]?.chunk.id).toBe('leave')
    expect(hits.map(({ chunk: { id } }) => id)).toEqual(expect.arrayContaining(['wifi', 'sick']))
  })

  it('selects one of two similar passages with maximal marginal relevance, and keeps the order', async () => {
    const name = { ...index, key: 'similar' }
    const passages: Record<string, number[]> = { first: [1, 0.1], again: [1, 0.11], other: [0.8, -0.6] }
    await engine.update(name, { add: Object.keys(passages).map((id) => chunk(id, `zebra ${id}`)) })
    await setVectors(engine, name, passages)
    const request = { query: 'zebra', topK: 2, embedding }
    const plain = await engine.search(name, request)
    const diverse = await engine.search(name, { ...request, rerank: 'mmr' })
    expect(plain.map(({ chunk: { id } }) => id)).toEqual(['first', 'again'])
    expect(diverse.map(({ chunk: { id } }) => id)).toEqual(['first', 'other'])
    expect(diverse[0]?.score).toBeGreaterThan(diverse[1]?.score ?? 1)
  })

  it('counts passages with the same text once, in every mode, among those that are allowed', async () => {
    const name = { ...index, key: 'repeated' }
    const copies = Array.from({ length: 240 }, (_, at) =>
      chunk(`copy${at}`, 'The zebra  sleeps.\n', { headings: ['Copy'] }),
    )
    const best = chunk('best', 'The zebra sleeps.', { headings: ['The zebra'] })
    await engine.update(name, { add: [...copies, best, chunk('other', 'A zebra in the long grass of the plains.')] })
    const ids = async (more: Partial<SearchRequest>) =>
      (await engine.search(name, { query: 'zebra sleeps', topK: 3, ...more })).map(({ chunk: { id } }) => id)
    for (const mode of ['hybrid', 'keyword'] as const) expect(await ids({ mode })).toEqual(['best', 'other'])
    expect((await ids({ mode: 'vector' })).toSorted()).toEqual(['best', 'other'])
    expect((await ids({ rerank: 'mmr' })).toSorted()).toEqual(['best', 'other'])
    expect(await ids({ documents: { except: ['doc-of-best', 'doc-of-copy0'] } })).toEqual(['copy1', 'other'])
  })

  it('scores the passages of selected documents as if there were no others', async () => {
    const [name, alone] = [
      { ...index, key: 'selected' },
      { ...index, key: 'alone' },
    ]
    const seen = [
      chunk('zebras', 'Zebras and the keepers of the zoo.'),
      chunk('yaks', 'Yaks live in the mountains, far away from the keepers of the zoo.'),
      chunk('mixed', 'The keepers feed the zebras and the yaks, and then all the lions.'),
    ]
    const unseen = Array.from({ length: 20 }, (_, at) =>
      chunk(`hidden${at}`, `Die Zebras sind nicht da, und das Zebra ist nicht im Haus mit der Nummer ${at}.`),
    )
    await engine.update(alone, { add: seen })
    await engine.update(name, { add: seen })
    await engine.update(name, { add: unseen })
    const scores = async (which: IndexName, more: Partial<SearchRequest>) =>
      (await engine.search(which, { query: 'zebras yaks', topK: 10, explain: true, ...more })).map((hit) => [
        hit.chunk.id,
        hit.score.toFixed(4),
        hit.parts.keyword.toFixed(4),
        hit.matched,
      ])
    const documents = (chunks: typeof seen) => chunks.map(({ documentId }) => documentId)
    for (const mode of ['keyword', 'hybrid'] as const) {
      const expected = await scores(alone, { mode })
      expect(expected).toHaveLength(3)
      expect(await scores(name, { mode, documents: { only: documents(seen) } })).toEqual(expected)
      expect(await scores(name, { mode, documents: { except: documents(unseen) } })).toEqual(expected)
      const [first] = await scores(name, {
        mode,
        documents: { only: documents(seen) },
        filters: { document_id: 'doc-of-yaks' },
      })
      expect(first?.[0]).toBe('yaks')
    }
  })

  it('returns the matched words as they are spelled, if asked to explain', async () => {
    const name = { ...index, key: 'explained' }
    await engine.update(name, { add: [chunk('a', 'Filters for water.', { headings: ['The filter'] })] })
    const request = { query: 'filtering the waters', topK: 1 }
    const [explained] = await engine.search(name, { ...request, explain: true })
    expect(explained?.matched).toEqual(['filter', 'Filters', 'water'])
    expect((await engine.search(name, request))[0]).not.toHaveProperty('matched')
  })
}

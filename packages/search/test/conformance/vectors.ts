import { expect, it } from 'vitest'
import { chunk, handbook, index, type NewStorage, openOnce } from '../fixtures.ts'

export function vectorCases(newStorage: NewStorage): void {
  const vectors = handbook.map(({ id }, at) => ({ chunkId: id, vector: Float32Array.of(at, 1) }))
  const other = { ...index, key: 'other' }
  const vector = new Float32Array([0.6, 0.8, 0])

  it('lists chunks as pending until each has a vector, newest first', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: [...handbook, chunk('headed', 'Text.', { headings: ['A', 'B'] })] })
    const pending = ['A\nB\nText.', handbook.at(-1)?.text]
    expect((await search.pendingChunks(index, 2)).map(({ text }) => text)).toEqual(pending)
    await search.setVectors(index, 'model', vectors)
    expect((await search.pendingChunks(index, 10)).map(({ chunkId }) => chunkId)).toEqual(['headed'])
    expect(await search.describe(index)).toMatchObject({ chunks: 6, embedded: 5, model: 'model' })
    await search.update(index, { add: [chunk('leave', 'A new text needs a new vector.')] })
    expect(await search.describe(index)).toMatchObject({ embedded: 4 })
  })

  it('skips vectors of chunks that were removed', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    const late = [...vectors, { chunkId: 'gone', vector: Float32Array.of(1, 1) }]
    expect(await search.setVectors(index, 'model', late)).toEqual({ stored: 5 })
  })

  it('rejects vectors of another model or size, and says why', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    await search.setVectors(index, 'model', vectors)
    await expect(search.setVectors(index, 'other', vectors)).rejects.toThrow('need an index of their own')
    await expect(search.setVectors(index, 'model', [{ chunkId: 'pump', vector: new Float32Array(3) }])).rejects.toThrow(
      'has 3 dimensions',
    )
    expect(await search.describe(index)).toMatchObject({ embedded: 5, model: 'model' })
  })

  it('reuses vectors for the same text within a workspace, also for chunks that move', async () => {
    const search = await openOnce(newStorage)
    const here = chunk('a', 'The same words.')
    await search.update(index, { add: [here, chunk('b', 'Other words.')], model: 'model' })
    expect(await search.pendingChunks(index, 10, 'model')).toHaveLength(2)
    await search.setVectors(index, 'model', [{ chunkId: 'a', vector }])
    await search.update(index, { add: [{ ...here, span: { start: 5, end: 20 } }], model: 'model' })
    await search.update(other, { add: [chunk('c', 'The same words.')], model: 'model' })
    expect(await search.describe(other)).toMatchObject({ chunks: 1, embedded: 1, model: 'model' })
    expect((await search.pendingChunks(index, 10, 'model')).map(({ chunkId }) => chunkId)).toEqual(['b'])
    expect(await search.documentChunks(index, here.documentId)).toMatchObject([{ span: { start: 5, end: 20 } }])
  })

  it('reuses vectors that were added later, but none of another model or workspace', async () => {
    const search = await openOnce(newStorage)
    const elsewhere = { workspace: 'wsp_2', key: 'handbook' }
    for (const name of [index, other, elsewhere]) await search.update(name, { add: [chunk('a', 'The same words.')] })
    await search.setVectors(index, 'model', [{ chunkId: 'a', vector }])
    expect(await search.pendingChunks(elsewhere, 10, 'model')).toHaveLength(1)
    expect(await search.pendingChunks(other, 10, 'another')).toHaveLength(1)
    expect(await search.pendingChunks(other, 10, 'model')).toEqual([])
    const request = { query: 'x', mode: 'vector', topK: 1, embedding: { model: 'model', vector } } as const
    expect((await search.search(other, request))[0]?.score).toBeCloseTo(1, 2)
  })
}

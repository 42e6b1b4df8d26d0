import { expect, it } from 'vitest'
import { chunk, handbook, index, type NewStorage, openOnce, searchIds } from '../fixtures.ts'

export function changeCases(newStorage: NewStorage): void {
  it('finds added chunks by word and by meaning', async () => {
    const search = await openOnce(newStorage)
    expect(await search.update(index, { add: handbook })).toEqual({ added: 5, removed: 0 })
    expect((await searchIds(search, 'How long is maternity leave?'))[0]).toBe('leave')
    expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    expect((await searchIds(search, 'newborn baby', { mode: 'vector' }))[0]).toBe('leave')
    expect(await search.search(index, { query: 'water', topK: 1 })).toHaveLength(1)
  })

  it('removes by chunk and by document', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    await searchIds(search, 'water')
    expect(await search.update(index, { remove: { chunks: ['pump', 'never-there'] } })).toEqual({
      added: 0,
      removed: 1,
    })
    expect(await searchIds(search, 'water', { mode: 'keyword' })).toEqual(['filter'])
    expect(await search.update(index, { remove: { documents: ['people'] } })).toEqual({ added: 0, removed: 2 })
    expect((await searchIds(search, 'parents ill water password')).sort()).toEqual(['filter', 'wifi'])
    expect(await search.describe(index)).toEqual({ documents: 2, chunks: 2, embedded: 0, model: null })
  })

  it('replaces a chunk with the same id, also within one change', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    await searchIds(search, 'water')
    const [first, last] = [chunk('pump', 'Never mind.'), chunk('pump', 'The compressor replaces the old device.')]
    expect(await search.update(index, { add: [first, last] })).toEqual({ added: 1, removed: 1 })
    expect(await searchIds(search, 'water', { mode: 'keyword' })).toEqual(['filter'])
    expect(await searchIds(search, 'compressor', { mode: 'keyword' })).toEqual(['pump'])
    const [found] = await search.search(index, { query: 'compressor', topK: 1 })
    expect(found?.chunk.text).toBe(last.text)
  })

  it('finds the same after it was opened again', async () => {
    const storage = await newStorage()
    const first = await storage.open()
    await first.load(index)
    await first.update(index, { add: handbook })
    await first.load(index)
    await first.update(index, { add: [chunk('new', 'Water is free in the canteen.')], remove: { chunks: ['filter'] } })
    await first.setVectors(index, 'model', [{ chunkId: 'new', vector: Float32Array.of(1, 0) }])
    const request = {
      query: 'water for parents',
      topK: 10,
      embedding: { model: 'model', vector: Float32Array.of(1, 1) },
    }
    const before = await first.search(index, request)
    await first.close()
    const second = await openOnce(() => storage)
    const after = await second.search(index, request)
    expect(after.map(({ chunk: { id } }) => id)).toEqual(before.map(({ chunk: { id } }) => id))
    after.forEach(({ score }, at) => {
      expect(score).toBeCloseTo(before[at]?.score ?? -1, 5)
    })
  })

  it('keeps workspaces and keys apart', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    for (const other of [
      { workspace: 'wsp_2', key: 'handbook' },
      { workspace: 'wsp_1', key: 'other' },
    ]) {
      expect(await search.search(other, { query: 'water', topK: 10 })).toEqual([])
      expect(await search.describe(other)).toBeUndefined()
      expect(await search.pendingChunks(other, 10)).toEqual([])
      expect(await search.documentChunks(other, 'people')).toEqual([])
      expect(await search.setVectors(other, 'model', [{ chunkId: 'pump', vector: new Float32Array(3) }])).toEqual({
        stored: 0,
      })
    }
  })

  it('drops an index and a workspace, and can create them again', async () => {
    const search = await openOnce(newStorage)
    const [other, elsewhere] = [
      { ...index, key: 'other' },
      { workspace: 'wsp_2', key: 'handbook' },
    ]
    for (const name of [index, other, elsewhere]) await search.update(name, { add: handbook })
    await search.drop(index)
    expect(await searchIds(search, 'water')).toEqual([])
    expect(await search.describe(index)).toBeUndefined()
    expect((await search.describe(other))?.chunks).toBe(5)
    await search.dropWorkspace('wsp_2')
    expect(await search.listIndexes()).toEqual([other])
    await search.update(index, { add: handbook.slice(0, 1) })
    expect(await searchIds(search, 'leave')).toEqual(['leave'])
  })

  it('builds an index beside the one that serves, and switches', async () => {
    const search = await openOnce(newStorage)
    const next = { ...index, key: 'next' }
    await search.update(index, { add: handbook })
    const building = search.update(next, { add: handbook.map((each) => ({ ...each, text: `Revised. ${each.text}` })) })
    expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    await building
    const [hit] = await search.search(next, { query: 'pumps', mode: 'keyword', topK: 1 })
    expect(hit?.chunk.text).toMatch(/^Revised\. The pump/)
    await search.drop(index)
    expect(await search.listIndexes()).toEqual([next])
    expect(await search.search(next, { query: 'water', mode: 'keyword', topK: 10 })).toHaveLength(2)
  })

  it('rolls back a change that fails in the middle', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    await search.load(index)
    const many = Array.from({ length: 500 }, (_, at) => chunk(`c${at}`, `passage ${at} about fire`))
    const unstorable = chunk('odd', 'fire', { metadata: { size: 1n } })
    await expect(search.update(index, { add: [...many, unstorable], remove: { chunks: ['pump'] } })).rejects.toThrow(
      'BigInt',
    )
    expect(await searchIds(search, 'fire', { mode: 'keyword' })).toEqual([])
    expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    expect((await search.describe(index))?.chunks).toBe(5)
    expect(await search.update(index, { add: many })).toEqual({ added: 500, removed: 0 })
  })

  it('returns chunks as they were added', async () => {
    const search = await openOnce(newStorage)
    const odd = chunk('odd', 'Text with \u0000 and 😀 and \ud800', {
      page: 3,
      headings: ['One', 'Two'],
      metadata: { nested: { list: [1, 'two', null] }, title: 'Ünïcode' },
      span: { start: 5, end: 40 },
    })
    await search.update(index, { add: [...handbook, odd] })
    const first = async (query: string) => (await search.search(index, { query, topK: 1 }))[0]?.chunk
    expect(await first('text with 😀')).toEqual({ ...odd, text: 'Text with \u0000 and 😀 and \ufffd' })
    expect(await first('password')).toEqual(handbook[4])
  })

  it('reads a document as a whole and by page, in the order of its text', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    expect((await search.documentChunks(index, 'people')).map(({ id }) => id)).toEqual(['leave', 'sick'])
    await search.update(index, {
      add: [2, 0, 1].map((place) =>
        chunk(`part-${place}`, `Part ${place}`, { documentId: 'long', span: { start: place, end: place + 1 } }),
      ),
    })
    const page = await search.documentPage(index, 'long', { offset: 1, limit: 2 })
    expect([page.chunks.map(({ id }) => id), page.total]).toEqual([['part-1', 'part-2'], 3])
    expect(await search.documentPage(index, 'none', { offset: 0, limit: 2 })).toEqual({ chunks: [], total: 0 })
  })
}

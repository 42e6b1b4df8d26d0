import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chunk, handbook, index, newFolder } from '../test/search.ts'
import { type EngineSettings, openEngine } from './engine.ts'
import { prepare } from './preparation.ts'
import type { SearchIndex } from './search.ts'

const opened: SearchIndex[] = []
function open(settings: Partial<EngineSettings> = {}): SearchIndex {
  const engine = openEngine({ file: join(newFolder(), 'search.db'), memory: 2 ** 30, idle: 60_000, ...settings })
  opened.push(engine)
  return engine
}
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

const ids = async (engine: SearchIndex, query: string, more: object = {}) =>
  (await engine.search(index, { query, topK: 10, ...more })).map(({ chunk }) => chunk.id)

describe('an index', () => {
  it('finds by word and by meaning what was added', async () => {
    const engine = open()
    expect(await engine.update(index, { add: handbook })).toEqual({ added: 5, removed: 0 })
    expect((await ids(engine, 'How long is maternity leave?'))[0]).toBe('leave')
    expect(await ids(engine, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    expect((await ids(engine, 'newborn baby', { mode: 'vector' }))[0]).toBe('leave')
    expect(await engine.search(index, { query: 'water', topK: 1 })).toHaveLength(1)
  })

  it('finds by the headings above a passage, and they count double', async () => {
    const engine = open()
    const text = 'Ask the reception for the form, the reception has it.'
    await engine.update(index, {
      add: [chunk('body', `Bicycle. ${text}`), chunk('headed', text, { headings: ['Office', 'Bicycle'] })],
    })
    expect(await ids(engine, 'bicycle', { mode: 'keyword' })).toEqual(['headed', 'body'])
  })

  it('forgets what was removed, by chunk and by document', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    await ids(engine, 'water')
    expect(await engine.update(index, { remove: { chunks: ['pump', 'never-there'] } })).toEqual({
      added: 0,
      removed: 1,
    })
    expect(await ids(engine, 'water', { mode: 'keyword' })).toEqual(['filter'])
    expect(await engine.update(index, { remove: { documents: ['people'] } })).toEqual({ added: 0, removed: 2 })
    expect((await ids(engine, 'parents ill water password')).sort()).toEqual(['filter', 'wifi'])
    expect(await engine.describe(index)).toEqual({ documents: 2, chunks: 2, refined: 0, fineModel: null })
  })

  it('replaces a chunk that is added again, also within one change', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    await ids(engine, 'water')
    const [first, last] = [chunk('pump', 'Never mind.'), chunk('pump', 'The compressor replaces the old device.')]
    expect(await engine.update(index, { add: [first, last] })).toEqual({ added: 1, removed: 1 })
    expect(await ids(engine, 'water', { mode: 'keyword' })).toEqual(['filter'])
    expect(await ids(engine, 'compressor', { mode: 'keyword' })).toEqual(['pump'])
    const [found] = await engine.search(index, { query: 'compressor', topK: 1 })
    expect(found?.chunk.text).toBe(last.text)
  })

  it('is the same whether it was loaded before the changes or after', async () => {
    const file = join(newFolder(), 'search.db')
    const engine = open({ file })
    await engine.load(index)
    await engine.update(index, { add: handbook })
    await engine.load(index)
    await engine.update(index, { add: [chunk('new', 'Water is free in the canteen.')], remove: { chunks: ['filter'] } })
    await engine.setFineVectors(index, 'model', [{ chunkId: 'new', vector: Float32Array.of(1, 0) }])
    const ask = { query: 'water for parents', topK: 10, fine: { model: 'model', vector: Float32Array.of(1, 1) } }
    const before = await engine.search(index, ask)
    await engine.close()
    opened.pop()
    const after = await open({ file }).search(index, ask)
    expect(after.map(({ chunk }) => chunk.id)).toEqual(before.map(({ chunk }) => chunk.id))
    after.forEach(({ score }, at) => {
      expect(score).toBeCloseTo(before[at]?.score ?? -1, 5)
    })
  })

  it('stays apart from those of other workspaces and keys', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    for (const other of [
      { workspace: 'wsp_2', key: 'handbook' },
      { workspace: 'wsp_1', key: 'other' },
    ]) {
      expect(await engine.search(other, { query: 'water', topK: 10 })).toEqual([])
      expect(await engine.describe(other)).toBeUndefined()
      expect(await engine.unrefined(other, 10)).toEqual([])
      expect(await engine.setFineVectors(other, 'model', [{ chunkId: 'pump', vector: new Float32Array(3) }])).toEqual({
        stored: 0,
      })
    }
  })

  it('gives chunks back as they came', async () => {
    const engine = open()
    const odd = chunk('odd', 'Text with \u0000 and 😀 and \ud800', {
      page: 3,
      headings: ['One', 'Two'],
      metadata: { nested: { list: [1, 'two', null] }, title: 'Ünïcode' },
    })
    await engine.update(index, { add: [...handbook, odd] })
    const first = async (query: string) => (await engine.search(index, { query, topK: 1 }))[0]?.chunk
    expect(await first('text with 😀')).toEqual({ ...odd, text: 'Text with \u0000 and 😀 and \ufffd' })
    expect(await first('password')).toEqual(handbook[4])
  })

  it('is gone after a drop, with all its rows, and can be made again', async () => {
    const file = join(newFolder(), 'search.db')
    const engine = open({ file })
    const other = { workspace: 'wsp_2', key: 'handbook' }
    await engine.update(index, { add: handbook })
    await engine.update(other, { add: handbook })
    await engine.drop(index)
    expect(await ids(engine, 'water')).toEqual([])
    expect(await engine.describe(index)).toBeUndefined()
    expect((await engine.describe(other))?.chunks).toBe(5)
    await engine.dropWorkspace('wsp_2')
    const rows = new BetterSqlite(file, { readonly: true })
    for (const table of ['search_index', 'search_chunk', 'search_text', 'search_fine', 'search_unrefined']) {
      expect(rows.prepare(`select count(*) as count from ${table}`).get()).toEqual({ count: 0 })
    }
    rows.close()
    await engine.update(index, { add: handbook.slice(0, 1) })
    expect(await ids(engine, 'leave')).toEqual(['leave'])
  })

  it('drops what carries over from a drop that was cut short', async () => {
    const file = join(newFolder(), 'search.db')
    const first = open({ file })
    await first.update(index, { add: handbook })
    await first.close()
    opened.pop()
    const rows = new BetterSqlite(file)
    rows.exec('update search_index set workspace = null, key = null')
    open({ file })
    await vi.waitFor(() =>
      expect(rows.prepare('select count(*) as count from search_chunk').get()).toEqual({ count: 0 }),
    )
    rows.close()
  })

  it('lets searches in while much is exchanged, and shows them all of the old or all of the new', async () => {
    const engine = open()
    const passages = (year: number) =>
      Array.from({ length: 3000 }, (_, at) => {
        const passage = chunk(`${year}-${at}`, `Water was cheap in ${year}, page ${at}.`, { documentId: 'report' })
        return { ...passage, prepared: prepare(passage) }
      })
    await engine.update(index, { add: passages(1999) })
    await engine.load(index)
    let isDone = false
    const exchanged = engine.update(index, { add: passages(2024), remove: { documents: ['report'] } }).finally(() => {
      isDone = true
    })
    const seen: string[] = []
    while (!isDone) {
      const found = await ids(engine, 'water', { mode: 'keyword', topK: 5 })
      expect(found).toHaveLength(5)
      const years = new Set(found.map((id) => id.slice(0, 4)))
      expect(years.size).toBe(1)
      seen.push(...years)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await exchanged).toEqual({ added: 3000, removed: 3000 })
    expect(seen.length).toBeGreaterThan(10)
    expect(seen[0]).toBe('1999')
    expect(new Set((await ids(engine, 'water', { topK: 50 })).map((id) => id.slice(0, 4)))).toEqual(new Set(['2024']))
    expect((await engine.describe(index))?.chunks).toBe(3000)
  })

  it('leaves nothing of a deleted document in its files', async () => {
    const file = join(newFolder(), 'search.db')
    const engine = open({ file })
    await engine.update(index, { add: [chunk('a', 'The quokkafish swims.', { documentId: 'd1' })] })
    await engine.update(
      { ...index, key: 'other' },
      { add: [chunk('b', 'The zebrawhale sings.', { documentId: 'd2' })] },
    )
    const holds = (word: string) => [file, `${file}-wal`].some((path) => readFileSync(path).includes(word))
    expect([holds('quokkafish'), holds('zebrawhale')]).toEqual([true, true])
    await engine.update(index, { remove: { documents: ['d1'] } })
    await engine.drop({ ...index, key: 'other' })
    expect([holds('quokkafish'), holds('zebrawhale')]).toEqual([false, false])
  })

  it('is as it was when a change fails in the middle', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    await engine.load(index)
    const many = Array.from({ length: 500 }, (_, at) => chunk(`c${at}`, `passage ${at} about fire`))
    const unstorable = chunk('odd', 'fire', { metadata: { size: 1n } })
    await expect(engine.update(index, { add: [...many, unstorable], remove: { chunks: ['pump'] } })).rejects.toThrow(
      'BigInt',
    )
    expect(await ids(engine, 'fire', { mode: 'keyword' })).toEqual([])
    expect(await ids(engine, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    expect((await engine.describe(index))?.chunks).toBe(5)
    expect(await engine.update(index, { add: many })).toEqual({ added: 500, removed: 0 })
  })

  it('compacts itself when much was removed, and serves meanwhile', async () => {
    const engine = open()
    const many = Array.from({ length: 5000 }, (_, at) => chunk(`c${at}`, `passage number ${at} is about water`))
    await engine.update(index, { add: many })
    await engine.load(index)
    await engine.update(index, { remove: { chunks: many.slice(0, 4000).map(({ id }) => id) } })
    const during = await ids(engine, 'passage 4999', { mode: 'keyword' })
    await engine.update(index, { add: [chunk('late', 'the latecomer is about fire')] })
    expect(during[0]).toBe('c4999')
    expect((await ids(engine, 'passage 4999', { mode: 'keyword' }))[0]).toBe('c4999')
    expect(await ids(engine, 'latecomer', { mode: 'keyword' })).toEqual(['late'])
    expect((await engine.describe(index))?.chunks).toBe(1001)
  })

  it('makes room for others when memory is short', async () => {
    const engine = open({ memory: 1 })
    const others = Array.from({ length: 4 }, (_, at) => ({ workspace: 'wsp_1', key: `index-${at}` }))
    for (const other of others) await engine.update(other, { add: handbook })
    for (const other of [...others, ...others]) {
      expect((await engine.search(other, { query: 'pump', topK: 1 }))[0]?.chunk.id).toBe('pump')
    }
  })

  it('analyses its texts again when the rules have changed', async () => {
    const file = join(newFolder(), 'search.db')
    const first = open({ file })
    await first.update(index, { add: handbook })
    await first.close()
    opened.pop()
    const rows = new BetterSqlite(file)
    rows.exec(`update search_index set analysis = 0; update search_chunk set terms = x'', length = 0`)
    rows.close()
    expect(await ids(open({ file }), 'pumps', { mode: 'keyword' })).toEqual(['pump'])
  })
})

describe('fine vectors', () => {
  const vectors = handbook.map(({ id }, at) => ({ chunkId: id, vector: Float32Array.of(at, 1) }))

  it('are asked for until every chunk has one', async () => {
    const engine = open()
    await engine.update(index, { add: [chunk('headed', 'Text.', { headings: ['A', 'B'] }), ...handbook] })
    expect((await engine.unrefined(index, 2)).map(({ text }) => text)).toEqual(['A\nB\nText.', handbook[0]?.text])
    await engine.setFineVectors(index, 'model', vectors)
    expect((await engine.unrefined(index, 10)).map(({ chunkId }) => chunkId)).toEqual(['headed'])
    expect(await engine.describe(index)).toMatchObject({ chunks: 6, refined: 5, fineModel: 'model' })
    await engine.update(index, { add: [chunk('leave', 'A new text needs a new vector.')] })
    expect(await engine.describe(index)).toMatchObject({ refined: 4 })
  })

  it('pass over chunks that are gone', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    const late = [...vectors, { chunkId: 'gone', vector: Float32Array.of(1, 1) }]
    expect(await engine.setFineVectors(index, 'model', late)).toEqual({ stored: 5 })
  })

  it('of another model or size are refused in words', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    await engine.setFineVectors(index, 'model', vectors)
    await expect(engine.setFineVectors(index, 'other', vectors)).rejects.toThrow('need an index of their own')
    await expect(
      engine.setFineVectors(index, 'model', [{ chunkId: 'pump', vector: new Float32Array(3) }]),
    ).rejects.toThrow('has 3 dimensions')
    expect(await engine.describe(index)).toMatchObject({ refined: 5, fineModel: 'model' })
  })
})

describe('the vectors of one text', () => {
  const other = { ...index, key: 'other' }
  const vector = new Float32Array([0.6, 0.8, 0])

  it('are made once in a workspace, also for chunks that move', async () => {
    const engine = open()
    const here = chunk('a', 'The same words.')
    await engine.update(index, { add: [here, chunk('b', 'Other words.')], model: 'fine' })
    expect(await engine.unrefined(index, 10, 'fine')).toHaveLength(2)
    await engine.setFineVectors(index, 'fine', [{ chunkId: 'a', vector }])
    await engine.update(index, { add: [{ ...here, span: { start: 5, end: 20 } }], model: 'fine' })
    await engine.update(other, { add: [chunk('c', 'The same words.')], model: 'fine' })
    expect(await engine.describe(other)).toMatchObject({ chunks: 1, refined: 1, fineModel: 'fine' })
    expect((await engine.unrefined(index, 10, 'fine')).map(({ chunkId }) => chunkId)).toEqual(['b'])
    expect(await engine.ofDocument(index, here.documentId)).toMatchObject([{ span: { start: 5, end: 20 } }])
  })

  it('are found later too, but never those of another model or workspace', async () => {
    const engine = open()
    const elsewhere = { workspace: 'wsp_2', key: 'handbook' }
    for (const name of [index, other, elsewhere]) await engine.update(name, { add: [chunk('a', 'The same words.')] })
    await engine.setFineVectors(index, 'fine', [{ chunkId: 'a', vector }])
    expect(await engine.unrefined(elsewhere, 10, 'fine')).toHaveLength(1)
    expect(await engine.unrefined(other, 10, 'finer')).toHaveLength(1)
    expect(await engine.unrefined(other, 10, 'fine')).toEqual([])
    const hits = await engine.search(other, { query: 'x', mode: 'vector', topK: 1, fine: { model: 'fine', vector } })
    expect(hits[0]?.score).toBeCloseTo(1, 2)
  })

  it('are told by document and by name of the index', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    await engine.update(other, { add: [chunk('x', 'y')] })
    expect((await engine.ofDocument(index, 'people')).map(({ id }) => id)).toEqual(['leave', 'sick'])
    expect(await engine.names()).toEqual([index, other])
    await engine.update(index, {
      add: [2, 0, 1].map((place) =>
        chunk(`part-${place}`, `Part ${place}`, { documentId: 'long', span: { start: place, end: place + 1 } }),
      ),
    })
    const page = await engine.pageOf(index, 'long', { offset: 1, limit: 2 })
    expect([page.chunks.map(({ id }) => id), page.total]).toEqual([['part-1', 'part-2'], 3])
    expect(await engine.pageOf(index, 'none', { offset: 0, limit: 2 })).toEqual({ chunks: [], total: 0 })
    await engine.drop(other)
    expect(await engine.names()).toEqual([index])
  })

  it('are read with the words that they share with a query', async () => {
    const engine = open()
    await engine.update(index, { add: [chunk('a', 'Filters for water.', { headings: ['The filter'] })] })
    const request = { query: 'filtering the waters', topK: 1 }
    const [explained] = await engine.search(index, { ...request, explained: true })
    expect(explained?.matched).toEqual(['filter', 'Filters', 'water'])
    expect((await engine.search(index, request))[0]).not.toHaveProperty('matched')
  })

  it('meet several filters at once', async () => {
    const engine = open()
    await engine.update(index, { add: handbook })
    const filters = [{ year: { gte: 2021 } }, { year: { lte: 2021 } }]
    expect(await ids(engine, 'water', { filters })).toEqual(['pump'])
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { conformance } from '../../test/conformance.ts'
import { chunk, handbook, index, newFolder, removeFolders, searchIds } from '../../test/fixtures.ts'
import type { SearchIndex } from '../search-index.ts'
import { type EngineSettings, openEngine } from './engine.ts'

const defaults = { maxBytes: 2 ** 30, idleMs: 60_000 }
const opened: SearchIndex[] = []
function open(settings: Partial<EngineSettings> = {}): SearchIndex {
  const engine = openEngine({ ...defaults, file: newFile(), ...settings })
  opened.push(engine)
  return engine
}
async function closeAll(): Promise<void> {
  for (const engine of opened.splice(0)) await engine.close()
}
afterEach(closeAll)
afterAll(removeFolders)

const newFile = (): string => join(newFolder(), 'search.db')

// Without its thread, which would have to start for each of the tests.
conformance('the embedded engine', () => {
  const file = newFile()
  return { open: () => openEngine({ ...defaults, file }) }
})

const tables = ['search_index', 'search_chunk', 'search_text', 'search_vector', 'search_pending']

it('deletes all rows of a dropped index', async () => {
  const file = newFile()
  const engine = open({ file })
  await engine.update(index, { add: handbook })
  await engine.setVectors(index, 'model', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  await engine.drop(index)
  const rows = new BetterSqlite(file, { readonly: true })
  for (const table of tables) {
    expect(rows.prepare(`select count(*) as count from ${table}`).get()).toEqual({ count: 0 })
  }
  rows.close()
})

it('continues a drop that was interrupted', async () => {
  const file = newFile()
  await open({ file }).update(index, { add: handbook })
  await closeAll()
  const rows = new BetterSqlite(file)
  rows.exec('update search_index set workspace = null, key = null')
  open({ file })
  await vi.waitFor(() => expect(rows.prepare('select count(*) as count from search_chunk').get()).toEqual({ count: 0 }))
  rows.close()
})

it('leaves nothing of a deleted document in its files', async () => {
  const file = newFile()
  const engine = open({ file })
  const other = { ...index, key: 'other' }
  await engine.update(index, { add: [chunk('a', 'The quokkafish swims.', { documentId: 'd1' })] })
  await engine.update(other, { add: [chunk('b', 'The zebrawhale sings.', { documentId: 'd2' })] })
  const contains = (word: string) => [file, `${file}-wal`].some((path) => readFileSync(path).includes(word))
  expect([contains('quokkafish'), contains('zebrawhale')]).toEqual([true, true])
  await engine.update(index, { remove: { documents: ['d1'] } })
  await engine.drop(other)
  expect([contains('quokkafish'), contains('zebrawhale')]).toEqual([false, false])
})

it('compacts the index in memory after many removals, and serves meanwhile', async () => {
  const engine = open()
  const many = Array.from({ length: 5000 }, (_, at) => chunk(`c${at}`, `passage number ${at} is about water`))
  await engine.update(index, { add: many })
  await engine.load(index)
  await engine.update(index, { remove: { chunks: many.slice(0, 4000).map(({ id }) => id) } })
  const during = await searchIds(engine, 'passage 4999', { mode: 'keyword' })
  await engine.update(index, { add: [chunk('late', 'the latecomer is about fire')] })
  expect(during[0]).toBe('c4999')
  expect((await searchIds(engine, 'passage 4999', { mode: 'keyword' }))[0]).toBe('c4999')
  expect(await searchIds(engine, 'latecomer', { mode: 'keyword' })).toEqual(['late'])
  expect((await engine.describe(index))?.chunks).toBe(1001)
})

it('searches the words of a large index while its vectors are being loaded', async () => {
  const file = newFile()
  const before = open({ file })
  await before.update(index, { add: handbook })
  await before.setVectors(index, 'model', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  await closeAll()
  const engine = open({ file, wordsFirst: 3 })
  const search = (query: string, mode: 'hybrid' | 'vector') => engine.search(index, { query, topK: 2, mode })
  const [early, byMeaning, byVector] = await Promise.all([
    search('priming pumps', 'hybrid'),
    search('newborn baby', 'hybrid'), // no passage has these words
    search('priming pumps', 'vector'),
  ])
  expect(early).toMatchObject([{ chunk: { id: 'pump' }, wordsOnly: true, parts: { vector: 0 } }])
  for (const hits of [byMeaning, byVector]) {
    expect(hits.length).toBe(2)
    expect(hits[0]).not.toHaveProperty('wordsOnly')
    expect(hits[0]?.parts.vector).toBeGreaterThan(0)
  }
  const [later] = await search('priming pumps', 'hybrid')
  expect(later?.parts.vector).toBeGreaterThan(0.3)
  expect(later).not.toHaveProperty('wordsOnly')
})

it('unloads other indexes when memory is short', async () => {
  const engine = open({ maxBytes: 1 })
  const others = Array.from({ length: 4 }, (_, at) => ({ workspace: 'wsp_1', key: `index-${at}` }))
  for (const other of others) await engine.update(other, { add: handbook })
  for (const other of [...others, ...others]) {
    expect((await engine.search(other, { query: 'pump', topK: 1 }))[0]?.chunk.id).toBe('pump')
  }
})

it('analyses texts again when the rules have changed, and serves meanwhile', async () => {
  const file = newFile()
  await open({ file }).update(index, { add: handbook })
  await closeAll()
  const rows = new BetterSqlite(file)
  rows.exec(`update search_index set analysis = 0; update search_chunk set terms = x'', length = 0`)
  rows.close()
  const engine = open({ file })
  expect((await engine.search(index, { query: 'pumps', topK: 1 })).length).toBe(1) // by the vectors
  await vi.waitFor(async () => expect(await searchIds(engine, 'pumps', { mode: 'keyword' })).toEqual(['pump']))
})

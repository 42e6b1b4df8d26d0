import { join } from 'node:path'
import { miniLmModel } from '@parley/embedding'
import { expect, it, onTestFinished } from 'vitest'
import { handbook, index, newFolder, searchIds } from '../../test/fixtures.ts'
import { expectKillLosesNothing } from '../../test/kill.ts'
import type { SearchIndex } from '../search-index.ts'
import { type EmbeddedSearchOptions, openEmbeddedSearch } from './embedded-search.ts'
import { openEngine } from './engine.ts'

function open(options: Partial<EmbeddedSearchOptions> = {}) {
  const search = openEmbeddedSearch({ dataDir: newFolder(), ...options })
  onTestFinished(() => search.close())
  return search
}

it('answers every call as the engine does without its thread', async () => {
  const answers = async (search: SearchIndex): Promise<unknown[]> => {
    const other = { ...index, key: 'other' }
    const vectors = handbook.map(({ id }, at) => ({ chunkId: id, vector: Float32Array.of(at, 1) }))
    return [
      await search.update(index, { add: handbook }),
      await search.update(other, { add: handbook }),
      await search.pendingChunks(index, 3),
      await search.setVectors(index, 'model', vectors.slice(2)),
      await search.pendingChunks(index, 100, 'model'),
      await search.load(index),
      await search.search(index, { query: 'water', topK: 5 }),
      await search.search(index, {
        query: 'water',
        topK: 5,
        mode: 'hybrid',
        embedding: { model: 'model', vector: Float32Array.of(1, 1) },
      }),
      await search.documentChunks(index, 'people'),
      await search.documentPage(index, 'people', { offset: 1, limit: 1 }),
      await search.describe(index),
      await search.listIndexes(),
      await search.drop(other),
      await search.listIndexes(),
      await search.dropWorkspace(index.workspace),
      await search.listIndexes(),
    ]
  }
  const engine = openEngine({ file: join(newFolder(), 'search.db'), maxBytes: 2 ** 30, idleMs: 60_000 })
  onTestFinished(() => engine.close())
  const expected = await answers(engine)
  expect(expected).toContainEqual([index])
  expect(await answers(open())).toEqual(expected)
})

it('keeps acknowledged changes when the process is killed', async () => {
  const dataDir = newFolder()
  await expectKillLosesNothing(dataDir, () => open({ dataDir }))
})

it('retrieves candidates before the vector of the query is there, and does without one that fails', async () => {
  const search = open()
  await search.update(index, { add: handbook })
  const { id: model, dimensions } = miniLmModel // the static model imitates it
  const axis = (at: number) => Float32Array.from({ length: dimensions }, (_, place) => Number(place === at))
  await search.setVectors(
    index,
    model,
    handbook.map(({ id }, at) => ({ chunkId: id, vector: axis(at) })),
  )
  const late = Promise.withResolvers<Float32Array>()
  const waiting = searchIds(search, 'water', { embedding: { model, vector: late.promise } })
  expect((await searchIds(search, 'water', { embedding: { model, vector: axis(3) } }))[0]).toBe('filter')
  await search.update(index, { remove: { chunks: ['wifi'] } })
  late.resolve(axis(2))
  const found = await waiting
  expect(found[0]).toBe('pump')
  expect(found).not.toContain('wifi')
  const failed = Promise.reject<Float32Array>(new Error('busy'))
  expect(await searchIds(search, 'water', { embedding: { model, vector: failed } })).toEqual(
    await searchIds(search, 'water'),
  )
})

it('closes while a search waits for the vector of its query', async () => {
  const search = open()
  await search.update(index, { add: handbook })
  await search.setVectors(index, 'model', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  const never = new Promise<Float32Array>(() => {})
  const waiting = searchIds(search, 'pumps', { mode: 'hybrid', embedding: { model: 'model', vector: never } })
  await search.close()
  expect((await waiting)[0]).toBe('pump')
})

it('reports errors of the engine, and continues', async () => {
  const search = open()
  await search.update(index, { add: handbook })
  await search.setVectors(index, 'one', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  const wrong = search.setVectors(index, 'two', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
  await expect(wrong).rejects.toThrow('need an index of their own')
  expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
})

it('rejects calls after it was closed', async () => {
  const search = open()
  await search.close()
  await expect(searchIds(search, 'water')).rejects.toThrow('closed')
})

it('says why a data folder cannot be used', async () => {
  const search = open({ dataDir: '/nonexistent/folder' })
  await expect(searchIds(search, 'water')).rejects.toThrow('directory does not exist')
  await expect(searchIds(search, 'water')).rejects.toThrow('directory does not exist')
})

it('needs no thread to say that there is no index', async () => {
  const search = open({ dataDir: '/nonexistent/folder' })
  expect(await search.describe(index)).toBeUndefined()
  expect(await search.listIndexes()).toEqual([])
})

import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { prepare } from '../../src/preparation.ts'
import { chunk, handbook, index, type NewStorage, openOnce, searchIds } from '../fixtures.ts'

export function concurrencyCases(newStorage: NewStorage): void {
  it('takes 32 writers and 64 readers at once', async () => {
    const search = await openOnce(newStorage)
    const writers = Array.from({ length: 32 }, (_, writer) =>
      search.update(index, {
        add: Array.from({ length: 20 }, (_, at) => chunk(`${writer}-${at}`, `writer${writer} says word${at}`)),
      }),
    )
    const readers = Array.from({ length: 64 }, (_, at) => searchIds(search, `word${at % 20}`, { mode: 'keyword' }))
    await Promise.all([...writers, ...readers])
    expect((await search.describe(index))?.chunks).toBe(640)
    expect(await search.search(index, { query: 'word7', mode: 'keyword', topK: 100 })).toHaveLength(32)
    expect(await search.search(index, { query: 'writer7', mode: 'keyword', topK: 100 })).toHaveLength(20)
  })

  it('survives drops while it is being filled', async () => {
    const search = await openOnce(newStorage)
    const fill = () => search.update(index, { add: handbook })
    await Promise.all([fill(), search.drop(index), fill(), searchIds(search, 'water'), search.drop(index)])
    await fill()
    expect((await search.describe(index))?.chunks).toBe(5)
    expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
  })

  it('searches during a large replacement, and finds all of the old or all of the new', async () => {
    const search = await openOnce(newStorage)
    const passages = (year: number) =>
      Array.from({ length: 3000 }, (_, at) => {
        const passage = chunk(`${year}-${at}`, `Water was cheap in ${year}, page ${at}.`, { documentId: 'report' })
        return { ...passage, prepared: prepare(passage) }
      })
    await search.update(index, { add: passages(1999) })
    await search.load(index)
    let isDone = false
    const replaced = search.update(index, { add: passages(2024), remove: { documents: ['report'] } }).finally(() => {
      isDone = true
    })
    while (!isDone) {
      const found = await searchIds(search, 'water', { mode: 'keyword', topK: 5 })
      expect(found).toHaveLength(5)
      expect(new Set(found.map((id) => id.slice(0, 4))).size).toBe(1)
      await setImmediate()
    }
    expect(await replaced).toEqual({ added: 3000, removed: 3000 })
    expect(new Set((await searchIds(search, 'water', { topK: 50 })).map((id) => id.slice(0, 4)))).toEqual(
      new Set(['2024']),
    )
    expect((await search.describe(index))?.chunks).toBe(3000)
  })

  it('applies changes that are made while a search waits for the vector of its query', async () => {
    const search = await openOnce(newStorage)
    await search.update(index, { add: handbook })
    const axis = (at: number) => Float32Array.from(handbook, (_, place) => Number(place === at))
    await search.setVectors(
      index,
      'model',
      handbook.map(({ id }, at) => ({ chunkId: id, vector: axis(at) })),
    )
    const late = Promise.withResolvers<Float32Array>()
    const waiting = searchIds(search, 'water', { embedding: { model: 'model', vector: late.promise } })
    expect((await searchIds(search, 'water', { embedding: { model: 'model', vector: axis(3) } }))[0]).toBe('filter')
    await search.update(index, { remove: { chunks: ['wifi'] } })
    late.resolve(axis(2))
    const found = await waiting
    expect(found[0]).toBe('pump')
    expect(found).not.toContain('wifi')
  })
}

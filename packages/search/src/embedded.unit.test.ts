import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { miniLmModel } from '@parley/embedding'
import { afterEach, describe, expect, it } from 'vitest'
import { chunk, handbook, index, newFolder } from '../test/search.ts'
import { openEmbeddedSearch, type SearchSettings } from './embedded.ts'
import type { SearchIndex } from './search.ts'

const opened: SearchIndex[] = []
function open(settings: Partial<SearchSettings> = {}): SearchIndex {
  const search = openEmbeddedSearch({ dataDir: newFolder(), ...settings })
  opened.push(search)
  return search
}
afterEach(async () => {
  for (const search of opened.splice(0)) await search.close()
})

const ids = async (search: SearchIndex, query: string, more: object = {}) =>
  (await search.search(index, { query, topK: 10, ...more })).map(({ chunk }) => chunk.id)

describe('the search thread', () => {
  it('does all that an index can do', async () => {
    const search = open()
    await search.update(index, { add: handbook })
    expect((await ids(search, 'How long is maternity leave?'))[0]).toBe('leave')
    expect(await ids(search, 'water', { filters: { year: { gte: 2022 } }, mode: 'keyword' })).toEqual(['filter'])
    expect(await search.unrefined(index, 1)).toEqual([{ chunkId: 'leave', text: handbook[0]?.text }])
    expect(await search.describe(index)).toEqual({ documents: 3, chunks: 5, refined: 0, fineModel: null })
    await search.drop(index)
    expect(await search.describe(index)).toBeUndefined()
  })

  it('keeps what was acknowledged when the process is killed', async () => {
    const dataDir = newFolder()
    const script = fileURLToPath(new URL('../test/search-writer.ts', import.meta.url))
    const writer = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    let acknowledged = -1
    for await (const line of createInterface(writer.stdout)) {
      acknowledged = Number(line)
      if (acknowledged === 20) writer.kill('SIGKILL')
    }
    if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
    expect(writer.signalCode).toBe('SIGKILL')

    const search = open({ dataDir })
    const { documents = 0, chunks } = (await search.describe(index)) ?? {}
    expect(documents).toBeGreaterThan(acknowledged)
    expect(chunks).toBe(3 * documents)
    for (const number of [0, 7, acknowledged]) {
      expect((await ids(search, `document${number}`, { mode: 'keyword' })).sort()).toEqual(
        [0, 1, 2].map((part) => `c${number}-${part}`),
      )
    }
    await search.update(index, { remove: { documents: ['d7'] } })
    expect(await ids(search, 'document7', { mode: 'keyword' })).toEqual([])
  })

  it('takes changes and searches at once and ends with everything', async () => {
    const search = open()
    const writers = Array.from({ length: 20 }, (_, writer) =>
      search.update(index, {
        add: Array.from({ length: 20 }, (_, at) => chunk(`${writer}-${at}`, `writer${writer} says word${at}`)),
      }),
    )
    const readers = Array.from({ length: 50 }, (_, at) => ids(search, `word${at % 20}`, { mode: 'keyword' }))
    await Promise.all([...writers, ...readers])
    expect((await search.describe(index))?.chunks).toBe(400)
    expect(await search.search(index, { query: 'word7', mode: 'keyword', topK: 100 })).toHaveLength(20)
    expect(await search.search(index, { query: 'writer7', mode: 'keyword', topK: 100 })).toHaveLength(20)
  })

  it('survives a drop while it is being filled', async () => {
    const search = open()
    const fill = () => search.update(index, { add: handbook })
    await Promise.all([fill(), search.drop(index), fill(), ids(search, 'water'), search.drop(index), fill()])
    expect((await search.describe(index))?.chunks).toBe(5)
    expect(await ids(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
  })

  it('begins before the vector of the query is there, and does without one that fails', async () => {
    const search = open()
    await search.update(index, { add: handbook })
    const size = miniLmModel.dimensions
    const axis = (at: number) => Float32Array.from({ length: size }, (_, place) => Number(place === at))
    await search.setFineVectors(
      index,
      miniLmModel.id,
      handbook.map(({ id }, at) => ({ chunkId: id, vector: axis(at) })),
    )
    const { promise, resolve } = Promise.withResolvers<Float32Array>()
    const waiting = ids(search, 'water', { fine: { model: miniLmModel.id, vector: promise } })
    expect((await ids(search, 'water', { fine: { model: miniLmModel.id, vector: axis(3) } }))[0]).toBe('filter')
    await search.update(index, { remove: { chunks: ['wifi'] } })
    resolve(axis(2))
    expect((await waiting)[0]).toBe('pump')
    const failed = Promise.reject<Float32Array>(new Error('busy'))
    expect(await ids(search, 'water', { fine: { model: miniLmModel.id, vector: failed } })).toEqual(
      await ids(search, 'water'),
    )
  })

  it('tells in words what went wrong, and goes on', async () => {
    const search = open()
    await search.update(index, { add: handbook })
    await search.setFineVectors(index, 'one', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
    const wrong = search.setFineVectors(index, 'two', [{ chunkId: 'pump', vector: Float32Array.of(1) }])
    await expect(wrong).rejects.toThrow('need an index of their own')
    expect(await ids(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
  })

  it('says that it is closed', async () => {
    const search = open()
    await search.close()
    await expect(ids(search, 'water')).rejects.toThrow('closed')
  })

  it('tells why a data folder cannot be used', async () => {
    const search = open({ dataDir: '/nonexistent/folder' })
    await expect(ids(search, 'water')).rejects.toThrow('directory does not exist')
    await expect(ids(search, 'water')).rejects.toThrow('directory does not exist')
  })
})

describe('hostile texts', () => {
  const hostile: Record<string, string> = {
    empty: '',
    blanks: ' \n\t\u00a0\u3000',
    'one long word': 'x'.repeat(2_000_000),
    'marks only': '\u0301'.repeat(10_000),
    'lone surrogates': '\ud800\udc00\ud800 \udfff',
    'zero bytes': 'a\u0000b\u0000',
    'right to left': 'שלום \u202eעולם\u202c مرحبا بالعالم',
    ideographs: '龍'.repeat(50_000),
    emoji: '👩‍👩‍👧‍👦'.repeat(2000),
    'many words': Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' '),
    'words like queries': '" OR 1=1 -- * NEAR(a b) {text}: ^',
    'compatibility bombs': '\ufdfa'.repeat(5000),
    'words like properties': 'constructor __proto__ toString hasOwnProperty',
  }

  it('are added, found by what can be found, and removed', async () => {
    const search = open()
    const add = Object.entries(hostile).map(([id, text]) => chunk(id, text, { headings: [text.slice(0, 100)] }))
    expect(await search.update(index, { add: [...add, ...handbook] })).toEqual({ added: add.length + 5, removed: 0 })
    expect(await ids(search, 'w49999', { mode: 'keyword' })).toEqual(['many words'])
    expect(await ids(search, '龍', { mode: 'keyword' })).toEqual(['ideographs'])
    expect(await ids(search, 'constructor', { mode: 'keyword' })).toEqual(['words like properties'])
    expect(await ids(search, 'עולם', { mode: 'keyword' })).toEqual(['right to left'])
    expect(await ids(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    for (const query of Object.values(hostile)) {
      const hits = await search.search(index, { query: query.slice(0, 20_000), topK: 5 })
      expect(hits.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
    }
    await search.update(index, { remove: { chunks: Object.keys(hostile) } })
    expect((await search.describe(index))?.chunks).toBe(5)
  })

  it('in metadata and names do no harm', async () => {
    const search = open()
    const metadata = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}, "": "empty"}')
    await search.update(index, { add: [chunk("'; drop table search_chunk; --", 'zebra', { metadata })] })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(await ids(search, 'zebra', { filters: { '__proto__.polluted': true } })).toHaveLength(1)
    expect(await ids(search, 'zebra', { filters: { '': 'empty' } })).toEqual(["'; drop table search_chunk; --"])
  })
})

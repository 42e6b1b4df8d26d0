import { expect, it } from 'vitest'
import { chunk, handbook, index, type NewStorage, openOnce, searchIds } from '../fixtures.ts'

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

export function textCases(newStorage: NewStorage): void {
  it('adds, finds and removes hostile texts', async () => {
    const search = await openOnce(newStorage)
    const add = Object.entries(hostile).map(([id, text]) => chunk(id, text, { headings: [text.slice(0, 100)] }))
    expect(await search.update(index, { add: [...add, ...handbook] })).toEqual({ added: add.length + 5, removed: 0 })
    expect(await searchIds(search, 'w49999', { mode: 'keyword' })).toEqual(['many words'])
    expect(await searchIds(search, '龍', { mode: 'keyword' })).toEqual(['ideographs'])
    expect(await searchIds(search, 'constructor', { mode: 'keyword' })).toEqual(['words like properties'])
    expect(await searchIds(search, 'עולם', { mode: 'keyword' })).toEqual(['right to left'])
    expect(await searchIds(search, 'pumps', { mode: 'keyword' })).toEqual(['pump'])
    for (const query of Object.values(hostile)) {
      const hits = await search.search(index, { query: query.slice(0, 20_000), topK: 5 })
      expect(hits.every(({ score }) => score >= 0 && score <= 1)).toBe(true)
    }
    await search.update(index, { remove: { chunks: Object.keys(hostile) } })
    expect((await search.describe(index))?.chunks).toBe(5)
  })

  it('takes hostile metadata and names', async () => {
    const search = await openOnce(newStorage)
    const metadata = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}, "": "empty"}')
    await search.update(index, { add: [chunk("'; drop table search_chunk; --", 'zebra', { metadata })] })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(await searchIds(search, 'zebra', { filters: { '__proto__.polluted': true } })).toHaveLength(1)
    expect(await searchIds(search, 'zebra', { filters: { '': 'empty' } })).toEqual(["'; drop table search_chunk; --"])
  })
}

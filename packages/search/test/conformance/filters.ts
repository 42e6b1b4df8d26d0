import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentSelection, Filters, SearchIndex } from '../../src/index.ts'
import { chunk, index, type NewStorage, searchIds } from '../fixtures.ts'

const text = 'zebra'
const chunks = [
  chunk('0', `${text} 0`, {
    source: 'a.pdf',
    page: 1,
    documentId: 'd1',
    metadata: { year: 2020, tags: ['red', 'blue'], author: { name: 'Ann' } },
  }),
  chunk('1', `${text} 1`, {
    source: 'a.pdf',
    page: 2,
    documentId: 'd1',
    metadata: { year: 2021, tags: ['red'], ok: true },
  }),
  chunk('2', `${text} 2`, {
    source: 'b.html',
    documentId: 'd2',
    metadata: { year: '2020', date: '2024-03-01', ok: false },
  }),
  chunk('3', `${text} 3`, {
    source: 'c.txt',
    documentId: 'd3',
    metadata: { date: '2024-11-30', year: null, source: 'not this' },
  }),
  chunk('4', `${text} 4`, {
    source: 'd.md',
    page: 7,
    documentId: 'd4',
    metadata: { __proto__2: 1, constructor: 'x', note: '' },
  }),
]

export function filterCases(newStorage: NewStorage): void {
  let search: SearchIndex
  beforeAll(async () => {
    search = await (await newStorage()).open()
    await search.update(index, { add: chunks })
  })
  afterAll(() => search.close())

  it.each<[DocumentSelection, number[]]>([
    [{ only: ['d1', 'd3', 'none'] }, [0, 1, 3]],
    [{ only: [] }, []],
    [{ except: ['d1', 'none'] }, [2, 3, 4]],
    [{ except: [] }, [0, 1, 2, 3, 4]],
  ])('the documents %j', async (documents, expected) => {
    for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
      const found = await searchIds(search, text, { mode, topK: 10, documents })
      expect(found.map(Number).sort()).toEqual(expected)
    }
    const one = await searchIds(search, text, { topK: 1, documents, filters: { source: 'c.txt' } })
    expect(one).toEqual(expected.includes(3) ? ['3'] : [])
  })

  it.each<[Filters, number[]]>([
    [{}, [0, 1, 2, 3, 4]],
    [{ source: 'a.pdf' }, [0, 1]],
    [{ source: 'A.PDF' }, []],
    [{ source: ['b.html', 'c.txt', 'z'] }, [2, 3]],
    [{ source: [] }, []],
    [{ source: { ne: 'a.pdf' } }, [2, 3, 4]],
    [{ document_id: 'd1' }, [0, 1]],
    [{ page: 2 }, [1]],
    [{ page: '2' }, []],
    [{ page: null }, [2, 3]],
    [{ page: [null, 7] }, [2, 3, 4]],
    [{ page: { gte: 2 } }, [1, 4]],
    [{ page: { lte: 2 } }, [0, 1]],
    [{ page: { gte: 2, lte: 6 } }, [1]],
    [{ page: { gte: 1, ne: 2 } }, [0, 4]],
    [{ page: { ne: null } }, [0, 1, 4]],
    [{ year: 2020 }, [0]],
    [{ year: '2020' }, [2]],
    [{ year: { gte: 2000 } }, [0, 1]],
    [{ year: { ne: 2020 } }, [1, 2, 3, 4]],
    [{ year: null }, [3, 4]],
    [{ tags: 'red' }, [0, 1]],
    [{ tags: ['blue', 'green'] }, [0]],
    [{ tags: { ne: 'blue' } }, [1, 2, 3, 4]],
    [{ ok: true }, [1]],
    [{ ok: false }, [2]],
    [{ date: { gte: '2024-03-01', lte: '2024-06-30' } }, [2]],
    [{ 'author.name': 'Ann' }, [0]],
    [{ author: 'Ann' }, []],
    [{ note: '' }, [4]],
    [{ constructor: 'x' }, [4]],
    [{ toString: 'x' }, []],
    [{ missing: 'x' }, []],
    [{ missing: null }, [0, 1, 2, 3, 4]],
    [{ missing: { ne: 'x' } }, [0, 1, 2, 3, 4]],
    [{ source: 'a.pdf', tags: 'blue' }, [0]],
    [{ source: 'a.pdf', page: { gte: 5 } }, []],
    [{ year: {} }, [0, 1, 2, 3, 4]],
  ])('%j keeps %j', async (filters, expected) => {
    const found = await searchIds(search, text, { mode: 'keyword', filters })
    expect(found.sort()).toEqual(expected.map(String))
  })

  it('applies several filters at once', async () => {
    const filters = [{ page: { gte: 1 } }, { page: { lte: 1 } }]
    expect(await searchIds(search, text, { mode: 'keyword', filters })).toEqual(['0'])
  })

  it('applies filters to every mode', async () => {
    for (const mode of ['hybrid', 'vector', 'keyword'] as const) {
      expect(await searchIds(search, text, { mode, filters: { page: 7 } })).toEqual(['4'])
    }
  })
}

import { describe, expect, it } from 'vitest'
import { eachBit } from './bitmap.ts'
import { Columns, everyPassage, type Filterable } from './columns.ts'
import type { Filters } from './search.ts'

const passages: Filterable[] = [
  {
    source: 'a.pdf',
    page: 1,
    documentId: 'd1',
    metadata: { year: 2020, tags: ['red', 'blue'], author: { name: 'Ann' } },
  },
  { source: 'a.pdf', page: 2, documentId: 'd1', metadata: { year: 2021, tags: ['red'], ok: true } },
  { source: 'b.html', page: null, documentId: 'd2', metadata: { year: '2020', date: '2024-03-01', ok: false } },
  { source: 'c.txt', page: null, documentId: 'd3', metadata: { date: '2024-11-30', year: null, source: 'not this' } },
  { source: 'd.md', page: 7, documentId: 'd4', metadata: { __proto__2: 1, constructor: 'x', note: '' } },
]

function meeting(filters: Filters): number[] {
  const columns = new Columns()
  for (const [number, passage] of passages.entries()) columns.add(number, passage)
  const allowed = everyPassage(passages.length)
  columns.narrow(allowed, passages.length, filters)
  const found: number[] = []
  eachBit(allowed, (passage) => found.push(passage))
  return found
}

describe('filters', () => {
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
  ])('%j keep %j', (filters, expected) => {
    expect(meeting(filters)).toEqual(expected)
  })

  it('hold for more passages than fit into one word', () => {
    const columns = new Columns()
    for (let passage = 0; passage < 1000; passage++) {
      columns.add(passage, { source: `s${passage % 3}`, page: passage, documentId: 'd', metadata: {} })
    }
    const allowed = everyPassage(1000)
    columns.narrow(allowed, 1000, { source: 's1', page: { gte: 990 } })
    const found: number[] = []
    eachBit(allowed, (passage) => found.push(passage))
    expect(found).toEqual([991, 994, 997])
  })
})

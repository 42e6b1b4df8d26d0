import { expect, it } from 'vitest'
import { allSet, positions } from './bitmap.ts'
import { Columns } from './columns.ts'

it('filters more passages than fit into one word of a bitmap', () => {
  const columns = new Columns()
  for (let passage = 0; passage < 1000; passage++) {
    columns.add(passage, { source: `s${passage % 3}`, page: passage, documentId: 'd', metadata: {} })
  }
  const allowed = allSet(1000)
  columns.filter(allowed, 1000, { source: 's1', page: { gte: 990 } })
  expect([...positions(allowed)]).toEqual([991, 994, 997])
})

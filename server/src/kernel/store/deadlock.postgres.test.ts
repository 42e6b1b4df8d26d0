import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { inTransaction } from './database.ts'

it('transactions that wait for each other are both done in the end', async () => {
  const { ctx, get, post } = await startService()
  const create = async (name: string): Promise<string> => (await post('/agents', { name })).body.data.id
  const agents = { one: await create('One'), two: await create('Two') }
  const holding = { one: Promise.withResolvers<void>(), two: Promise.withResolvers<void>() }
  const describeBoth = (text: string, first: 'one' | 'two', second: 'one' | 'two') =>
    inTransaction(ctx.db, async (tx) => {
      const describe = (name: 'one' | 'two') =>
        sql`update agent set description = ${text} where id = ${agents[name]}`.execute(tx)
      await describe(first)
      holding[first].resolve()
      await holding[second].promise // the other transaction holds the row that this one needs next
      await describe(second)
    })
  await Promise.all([describeBoth('by the first', 'one', 'two'), describeBoth('by the second', 'two', 'one')])
  const descriptions = await Promise.all(
    Object.values(agents).map(async (id) => (await get(`/agents/${id}`)).body.data.description),
  )
  expect(new Set(descriptions).size).toBe(1)
})

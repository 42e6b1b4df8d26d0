import { expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

it('says whether the database and the search answer, without a token and without an envelope', async () => {
  const { ctx, get } = await startService()
  const well = await get('/health', { token: null })
  expect([well.status, well.body]).toEqual([
    200,
    { status: 'healthy', version: ctx.version, database: 'connected', vector_db: 'connected' },
  ])
  await ctx.db.destroy()
  const ill = await get('/health', { token: null })
  expect([ill.status, ill.body]).toEqual([
    503,
    { status: 'unhealthy', version: ctx.version, database: 'disconnected', vector_db: 'connected' },
  ])
  await ctx.search.close()
  expect((await get('/health', { token: null })).body.vector_db).toBe('disconnected')
})

import { expect, it } from 'vitest'
import { onPostgres, startService } from '../../../test/harness.ts'

it('reports whether the database and the search respond, without token and envelope', async () => {
  const { ctx, get } = await startService({ own: true })
  const healthy = await get('/health', { token: null })
  expect([healthy.status, healthy.body]).toEqual([
    200,
    { status: 'healthy', version: ctx.version, database: 'connected', vector_db: 'connected' },
  ])
  await ctx.nodes.close() // it has a connection of its own
  await ctx.db.destroy()
  const vector_db = onPostgres ? 'disconnected' : 'connected' // on Postgres it is the same database
  const unhealthy = await get('/health', { token: null })
  expect([unhealthy.status, unhealthy.body]).toEqual([
    503,
    { status: 'unhealthy', version: ctx.version, database: 'disconnected', vector_db },
  ])
  const live = await get('/health/live', { token: null })
  expect([live.status, live.body]).toEqual([200, { status: 'healthy', version: ctx.version }])
  await ctx.search.close()
  expect((await get('/health', { token: null })).body.vector_db).toBe('disconnected')
})

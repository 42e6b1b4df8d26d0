import { expect, it } from 'vitest'
import { onPostgres, startService } from '../../../test/harness.ts'

it('reports the status of the components and the number of resources', async () => {
  const { get, post, tokenFor } = await startService()
  await post('/agents', { name: 'A' })
  const { status, body } = await get('/status', { token: await tokenFor('user') })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    status: 'operational',
    components: {
      database: {
        status: 'operational',
        engine: onPostgres ? 'postgres' : 'sqlite',
        latency_ms: expect.any(Number),
      },
      jobs: { status: 'operational', engine: onPostgres ? 'postgres' : 'sqlite', latency_ms: expect.any(Number) },
    },
    counts: { agents: 1, knowledge_sources: 0, models: 3, prompt_templates: 0 },
  })
  expect(body.data.uptime_seconds).toBeGreaterThanOrEqual(0)
})

it('is degraded while the database is down', async () => {
  const { ctx, get } = await startService({ own: true })
  expect((await get('/status')).body.data).toMatchObject({ status: 'operational', jobs: { failed: 0 } })
  await ctx.nodes.close() // it has a connection of its own
  await ctx.db.destroy()
  const { status, body } = await get('/status')
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    status: 'degraded',
    components: {
      database: { status: 'degraded', latency_ms: null },
      // On Postgres it is the same database.
      vector_db: onPostgres ? { status: 'degraded' } : { status: 'operational', latency_ms: expect.any(Number) },
      jobs: { status: 'degraded', latency_ms: null },
    },
    jobs: { queued: null, due: null, running: null, failed: null },
    counts: {},
  })
  expect((await get('/status', { token: 'unknown' })).status).not.toBe(200)
})

it('counts and times requests by route for Prometheus', async () => {
  const { get } = await startService({ own: true })
  await get('/agents/agt_1')
  await get('/agents/agt_2')
  const { headers, body } = await get('/metrics')
  expect(headers.get('content-type')).toContain('text/plain')
  expect(body).toContain('parley_http_requests_total{method="GET",route="/api/agents/:id",status="404"} 2')
  expect(body).toMatch(/parley_http_request_duration_seconds_count\{method="GET",route="\/api\/agents\/:id"\} 2/)
  expect(body).not.toContain('agt_1')
})

import pg from 'pg'
import { expect, it } from 'vitest'
import { freshEnvironment, startOn } from './harness.ts'

it('works where the extension may not be created, and says what knowledge needs', async () => {
  const environment = await freshEnvironment({ empty: true })
  const admin = new pg.Client(environment.DATABASE_URL)
  await admin.connect()
  await admin.query(`
    create function refuse() returns event_trigger language plpgsql as 'begin raise exception ''not allowed''; end';
    create event trigger no_extensions on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse()`)
  await admin.end()
  const { get, post, ctx } = await startOn({ ...environment, ADMIN_TOKEN: 'the-owner-of-this-test' })
  expect(ctx.search.problem).toContain('Ask an administrator to run: create extension vector;')
  const health = await get('/health')
  expect([health.status, health.body]).toMatchObject([200, { status: 'healthy', vector_db: 'disconnected' }])
  const { components } = (await get('/status')).body.data
  expect(components.vector_db).toMatchObject({ status: 'degraded', engine: 'postgres' })
  expect((await post('/agents', { name: 'A' })).status).toBe(201)
  const refused = await post('/knowledge-sources', { name: 'S', type: 'file' })
  expect([refused.status, refused.body.code, refused.body.error]).toEqual([503, 'overloaded', ctx.search.problem])
  expect((await get('/rag-tools')).status).toBe(503)
})

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'

it('isolates the resources of each workspace', async () => {
  const { get, post } = await startService()
  const created = await post('/workspaces', { name: 'Acme', description: 'A team' })
  expect(created.status).toBe(201)
  const { id } = created.body.data
  expect(id).toMatch(/^wsp_/)
  const there = { headers: { 'x-workspace': id } }
  const byName = { headers: { 'x-workspace': 'Acme' } }
  const agent = (await post('/agents', { name: 'Theirs' }, there)).body.data.id
  expect((await get(`/agents/${agent}`)).status).toBe(404)
  expect((await get(`/agents/${agent}`, there)).status).toBe(200)
  expect((await get('/agents', byName)).body.pagination.total).toBe(1)
  expect((await get('/agents')).body.pagination.total).toBe(0)
  expect((await get('/models', there)).body.pagination.total).toBe(3)
  const reference = await post('/agents', { name: 'Mine', model_id: (await get('/models', there)).body.data[0].id })
  expect(reference.body.code).toBe('unknown_reference')
  const unknown = await get('/agents', { headers: { 'x-workspace': 'wsp_none' } })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
})

it('keeps its name when a newer workspace has the same one', async () => {
  const { get, post } = await startService()
  const { id } = (await get('/me', { headers: { 'x-workspace': 'default' } })).body.data.workspace
  await post('/workspaces', { name: 'default' })
  expect((await get('/me', { headers: { 'x-workspace': 'default' } })).body.data.workspace.id).toBe(id)
})

it('deletes everything in it, and its tokens stop working at once', async () => {
  const { ctx, get, post, remove } = await startService()
  const { id } = (await post('/workspaces', { name: 'Short-lived' })).body.data
  const there = { headers: { 'x-workspace': id } }
  await post('/agents', { name: 'A' }, { headers: { ...there.headers, 'idempotency-key': 'k' } })
  const { token } = (await post('/tokens', { name: 'T', role: 'admin' }, there)).body.data
  expect((await get('/agents', { token })).status).toBe(200)
  expect((await remove(`/workspaces/${id}`)).status).toBe(200)
  expect((await get('/agents', { token })).body.code).toBe('invalid_token')
  expect((await get('/agents', there)).status).toBe(404)
  for (const table of ['agent', 'model', 'token', 'resource_version', 'reference', 'idempotency']) {
    const left = await sql`select 1 from ${sql.table(table)} where workspace_id = ${id}`.execute(ctx.db)
    expect([table, left.rows]).toEqual([table, []])
  }
})

it('cannot be deleted by a request in it', async () => {
  const { get, post, remove } = await startService()
  const home = (await get('/workspaces')).body.data[0].id
  expect((await remove(`/workspaces/${home}`)).body.code).toBe('in_use')
  const { id } = (await post('/workspaces', { name: 'Other' })).body.data
  const headers = { 'x-workspace': id }
  expect((await remove(`/workspaces/${id}`, { headers })).body.code).toBe('in_use')
  expect((await remove(`/workspaces/${home}`, { headers })).body.code).toBe('in_use')
})

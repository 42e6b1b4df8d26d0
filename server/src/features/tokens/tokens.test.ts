import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { minute } from '../../kernel/time.ts'

describe('tokens', () => {
  it('identify their user, and the workspace of an owner', async () => {
    const { get, post, tokenFor } = await startService({ own: true })
    const user = await get('/me', { token: await tokenFor('user', { name: 'Phone', user_id: 'ada' }) })
    expect(user.status).toBe(200)
    expect(user.body.data).toEqual({
      role: 'user',
      user_id: 'ada',
      groups: [],
      workspace: { id: expect.stringMatching(/^wsp_/), name: 'default' },
      token: { id: expect.stringMatching(/^tok_/), name: 'Phone' },
    })
    const elsewhere = (await post('/workspaces', { name: 'Elsewhere' })).body.data
    const owner = await get('/me', { headers: { 'x-workspace': elsewhere.id } })
    expect(owner.body.data).toMatchObject({ role: 'owner', workspace: { id: elsewhere.id, name: 'Elsewhere' } })
  })

  it('return their secret once and store only a hash', async () => {
    const { ctx, get, post } = await startService({ own: true })
    const { status, body } = await post('/tokens', { name: 'CI', role: 'editor' })
    expect(status).toBe(201)
    expect(body.data.token).toMatch(/^parley_[\w-]{43}$/)
    expect(body.data.secret).toBe(body.data.token)
    const one = (await get(`/tokens/${body.data.id}`)).body.data
    expect(Object.keys(one).sort()).toEqual(
      [
        'client',
        'created_at',
        'expires_at',
        'groups',
        'id',
        'last_used_at',
        'name',
        'prefix',
        'rate_limit',
        'role',
        'scopes',
        'updated_at',
        'user_id',
      ].sort(),
    )
    expect(body.data.token.startsWith(one.prefix)).toBe(true)
    const rows = JSON.stringify(await ctx.db.selectFrom('token').selectAll().execute())
    expect(rows).not.toContain(body.data.token)
    expect(rows).not.toContain('the-owner-of-this-test')
  })

  it('stop working at the next request after they are revoked or expired', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { get, post, remove } = await startService({ now: () => time })
    const make = async (more: object) => (await post('/tokens', { name: 'T', role: 'viewer', ...more })).body.data
    const revoked = await make({})
    expect((await get('/agents', { token: revoked.token })).status).toBe(200)
    expect((await remove(`/tokens/${revoked.id}`)).status).toBe(200)
    const after = await get('/agents', { token: revoked.token })
    expect([after.status, after.body.code]).toEqual([401, 'invalid_token'])
    expect(after.headers.get('www-authenticate')).toContain('Bearer')

    const expiring = await make({ expires_at: '2026-01-01T01:05:00+01:00' })
    expect(expiring.expires_at).toBe('2026-01-01T00:05:00Z')
    expect((await get('/agents', { token: expiring.token })).status).toBe(200)
    time += 5 * minute
    expect((await get('/agents', { token: expiring.token })).body.code).toBe('invalid_token')
  })

  it('record when they were last used, without a write per request', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { get, post } = await startService({ now: () => time })
    const { id, token } = (await post('/tokens', { name: 'T', role: 'viewer' })).body.data
    expect((await get(`/tokens/${id}`)).body.data.last_used_at).toBeNull()
    time += minute
    await get('/agents', { token })
    expect((await get(`/tokens/${id}`)).body.data.last_used_at).toBe('2026-01-01T00:01:00Z')
  })

  it('take another role at the next request, from those who may give and take it', async () => {
    const { get, post, put, tokenFor, token: own } = await startService()
    const { id, token } = (await post('/tokens', { name: 'T', role: 'viewer', user_id: 'ada' })).body.data
    const admin = { token: await tokenFor('admin') }
    expect((await post('/agents', { name: 'A' }, { token })).status).toBe(403)
    expect((await put(`/tokens/${id}`, { role: 'editor' }, admin)).body.data.role).toBe('editor')
    expect((await post('/agents', { name: 'A' }, { token })).status).toBe(201)
    expect((await put(`/tokens/${id}`, { role: 'owner' }, admin)).status).toBe(403)
    await put(`/tokens/${id}`, { role: 'owner' })
    expect((await put(`/tokens/${id}`, { role: 'viewer' }, admin)).status).toBe(403)
    const mine = (await get('/me', { token: own })).body.data.token.id
    expect((await put(`/tokens/${mine}`, { role: 'viewer' })).status).toBe(403)
  })

  it('cannot be created or revoked by a lower role', async () => {
    const { get, post, remove, tokenFor } = await startService()
    const admin = await tokenFor('admin')
    const rejected = await post('/tokens', { name: 'T', role: 'owner' }, { token: admin })
    expect([rejected.status, rejected.body.code]).toEqual([403, 'forbidden'])
    expect((await post('/tokens', { name: 'T', role: 'admin' }, { token: admin })).status).toBe(201)
    const owner = (await get('/tokens?role=owner')).body.data[0]
    expect((await remove(`/tokens/${owner.id}`, { token: admin })).status).toBe(403)
  })

  it('are rejected with the field that is wrong', async () => {
    const { post } = await startService()
    const path = async (body: object) => (await post('/tokens', body)).body.details?.[0]?.path
    expect(await path({ name: 'T', role: 'user' })).toBe('user_id')
    expect(await path({ name: 'T', role: 'king' })).toBe('role')
    expect(await path({ role: 'viewer' })).toBe('name')
    expect(await path({ name: 'T', role: 'viewer', expires_at: '2020-01-01T00:00:00Z' })).toBe('expires_at')
    expect(await path({ name: 'T', role: 'viewer', expires_at: 'tomorrow' })).toBe('expires_at')
    expect(await path({ name: 'T', role: 'viewer', rate_limit: -1 })).toBe('rate_limit')
  })
})

describe('authentication', () => {
  it('distinguishes a missing token from an invalid one', async () => {
    const { get } = await startService()
    const none = await get('/agents', { token: null })
    expect([none.status, none.body.code, none.headers.get('www-authenticate')]).toEqual([
      401,
      'unauthenticated',
      'Bearer realm="parley"',
    ])
    for (const header of ['Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', '']) {
      const { status, body } = await get('/agents', { token: null, headers: { authorization: header } })
      expect([header, status, body.code]).toEqual([header, 401, 'unauthenticated'])
    }
    for (const token of ['null', 'undefined', '[]', '[object', 'parley_', "'or'1'='1", 'x'.repeat(5000)]) {
      const { status, body } = await get('/agents', { token })
      expect([token.slice(0, 20), status, body.code]).toEqual([token.slice(0, 20), 401, 'invalid_token'])
    }
  })

  it('is checked before the body is read and before 404', async () => {
    const { ask } = await startService()
    const unread = await ask('POST', '/agents', { raw: '{broken', token: null })
    expect([unread.status, unread.body.code]).toEqual([401, 'unauthenticated'])
    const large = await ask('POST', '/agents', { raw: 'x'.repeat(2_000_000), token: 'wrong' })
    expect(large.status).toBe(401)
    expect((await ask('GET', '/nowhere', { token: null })).status).toBe(401)
  })

  it('is not required on public routes', async () => {
    const { get } = await startService()
    for (const path of ['/health', '/openapi.json', '/docs']) {
      expect([path, (await get(path, { token: null })).status]).toEqual([path, 200])
    }
  })
})

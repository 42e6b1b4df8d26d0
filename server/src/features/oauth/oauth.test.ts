import { describe, expect, it } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { callback, fromConsole, mcp, stage } from '../../../test/oauth-stage.ts'
import { day, hour } from '../../kernel/time.ts'
import { removeExpiredGrants } from './grants.ts'

describe('the MCP server and OAuth', () => {
  it('connects a client for a person, to MCP alone, until it is revoked', async () => {
    const here = await startService()
    const person = (await here.post('/tokens', { name: 'Ada', role: 'user', user_id: 'ada', groups: ['sales'] })).body
      .data
    await here.post('/agents', { name: 'Helper' })
    const { authorize, consent, exchange, request, cookie } = await stage(here, { token: person.token })
    const page = await authorize()
    expect([page.status, page.headers.get('location')?.startsWith('/oauth/consent?client_id=')]).toEqual([302, true])
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    // The page of the console that it leads to cannot be framed either.
    const framed = await fetch(new URL(page.headers.get('location') ?? '', here.url))
    expect(framed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect([framed.status, framed.headers.get('x-frame-options')]).toEqual([200, 'DENY'])
    const query = new URLSearchParams(request)
    const shown = await here.get(`/oauth/consent?${query}`, { token: null, headers: { cookie, ...fromConsole } })
    expect(shown.body.data).toEqual({
      client: { name: 'Claude', host: null, redirect_host: 'claude.example' },
      agents: ['Helper'],
      may: { converse: true, read_configuration: false, call_tools: false },
    })
    const refused = new URL((await consent({ allow: false })).body.data.redirect_to)
    expect(Object.fromEntries(refused.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
      iss: here.url,
    })

    const allowed = new URL((await consent()).body.data.redirect_to)
    expect([allowed.origin + allowed.pathname, allowed.searchParams.get('iss')]).toEqual([callback, here.url])
    const made = await exchange(allowed.searchParams.get('code') as string, { resource: `${here.url}/api/mcp` })
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(made.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp' })
    const { access_token, refresh_token } = made.body
    expect(await mcp(here, access_token)).toBe(200)
    for (const path of ['/agents', '/me', '/conversations', '/oauth/consent', '/openai/v1/models'])
      expect([path, (await here.get(path, { token: access_token })).status]).toEqual([path, 403])
    expect((await here.post('/auth/session', { token: access_token }, { token: null })).status).toBe(403)

    const [listed] = (await here.get('/tokens?client=claude.example')).body.data
    const rights = { role: 'user', user_id: 'ada', groups: ['sales'], scopes: ['mcp'] }
    expect(listed).toMatchObject({ name: 'Claude', client: 'claude.example', ...rights })
    await here.put(`/tokens/${person.id}`, { groups: ['hr'] })
    expect((await here.get(`/tokens/${listed.id}`)).body.data.groups).toEqual(['hr'])
    for (const change of [{ groups: ['x'] }, { expires_at: null }])
      expect((await here.put(`/tokens/${listed.id}`, change)).status).toBe(400)
    const rows = JSON.stringify([
      await here.ctx.db.selectFrom('oauth_grant').selectAll().execute(),
      await here.ctx.db.selectFrom('token').selectAll().execute(),
    ])
    for (const secret of [access_token, refresh_token, refresh_token.slice(0, 43), allowed.searchParams.get('code')])
      expect(rows).not.toContain(secret)
    await here.remove(`/tokens/${listed.id}`)
    expect(await mcp(here, access_token)).toBe(401)
  })

  it('shows people the clients that they have connected themselves, and lets them disconnect one', async () => {
    const here = await startService()
    const ada = await here.tokenFor('user', { user_id: 'ada' })
    const eve = await here.tokenFor('user', { user_id: 'eve' })
    const { allow, exchange, refresh } = await stage(here, { token: ada })
    const { access_token, refresh_token } = (await exchange(await allow())).body
    const clients = async (token: string) => (await here.get('/connected-clients', { token })).body.data
    const [own] = await clients(ada)
    expect(own).toMatchObject({ name: 'Claude', client: 'claude.example' })
    expect(Object.keys(own)).not.toContain('hash')
    for (const token of [eve, here.token]) {
      expect(await clients(token)).toEqual([])
      expect((await here.remove(`/connected-clients/${own.id}`, { token })).status).toBe(404)
    }
    expect((await here.get('/connected-clients', { token: access_token })).status).toBe(403)
    expect(await mcp(here, access_token)).toBe(200)
    expect((await here.remove(`/connected-clients/${own.id}`, { token: ada })).status).toBe(200)
    expect(await mcp(here, access_token)).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect(await clients(ada)).toEqual([])
  })

  it('ends what it gave with the token that the person was signed in with', async () => {
    const here = await startService()
    const person = (await here.post('/tokens', { name: 'Ada', role: 'editor' })).body.data
    const { allow, exchange, refresh } = await stage(here, { token: person.token })
    const { access_token, refresh_token } = (await exchange(await allow())).body
    const unused = await allow()
    expect(await mcp(here, access_token)).toBe(200)
    await here.remove(`/tokens/${person.id}`)
    expect(await mcp(here, access_token)).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')
    expect((await exchange(unused)).body.error).toBe('invalid_grant')
  })

  it('rotates refresh tokens, and disconnects the client when one is used twice', async () => {
    let time = Date.now()
    const here = await startService({ now: () => time })
    const { allow, exchange, refresh } = await stage(here)
    const first = (await exchange(await allow())).body
    time += hour
    expect(await mcp(here, first.access_token)).toBe(401)
    expect((await refresh(first.refresh_token, { client_id: 'another' })).body.error).toBe('invalid_grant')
    const second = (await refresh(first.refresh_token)).body
    expect(await mcp(here, second.access_token)).toBe(200)
    const replayed = await refresh(first.refresh_token)
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant'])
    expect(await mcp(here, second.access_token)).toBe(401)
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant')

    const third = (await exchange(await allow())).body
    time += 30 * day
    expect((await refresh(third.refresh_token)).body.error).toBe('invalid_grant')
    await removeExpiredGrants(here.ctx)
    expect((await here.get('/tokens?client=claude.example')).body.data).toEqual([])
  })

  it('takes a code once, and revokes what it made when it comes again', async () => {
    const here = await startService()
    const { allow, exchange, refresh } = await stage(here)
    const code = await allow()
    const { access_token, refresh_token } = (await exchange(code)).body
    expect(await mcp(here, access_token)).toBe(200)
    expect((await exchange(code)).body.error).toBe('invalid_grant')
    expect(await mcp(here, access_token)).toBe(401)
    expect((await refresh(refresh_token)).body.error).toBe('invalid_grant')

    const contested = await allow()
    const both = await Promise.all([exchange(contested), exchange(contested)])
    for (const { body } of both) if (body.access_token) expect(await mcp(here, body.access_token)).toBe(401)
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
  })

  it('revokes a client by either of its tokens', async () => {
    const here = await startService()
    const { allow, exchange, form } = await stage(here)
    for (const kind of ['access_token', 'refresh_token']) {
      const { body } = await exchange(await allow())
      expect((await form('/oauth/revoke', { token: body[kind] })).status).toBe(200)
      expect(await mcp(here, body.access_token)).toBe(401)
    }
    expect((await form('/oauth/revoke', { token: 'unknown' })).status).toBe(200)
    expect((await form('/oauth/revoke', { token: here.token })).status).toBe(200)
    expect(await mcp(here, here.token)).toBe(200)
  })
})

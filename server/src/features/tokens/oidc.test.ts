import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { startService, until } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'
import { hour, minute, second } from '../../kernel/time.ts'

/** An identity provider on loopback, with a real key. */
async function startIssuer() {
  const foreign = await generateKeyPair('RS256')
  let signing = await newKey('k1')
  const published = [signing.jwk]
  const settings = { isDown: false }
  const server = createServer(({ url }, response) => {
    if (settings.isDown) return response.socket?.destroy()
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const responses: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: published },
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(responses[url ?? ''] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sign = (
    claims: JWTPayload,
    more: { expires?: string | number; issuer?: string; audience?: string; forged?: boolean } = {},
  ) =>
    new SignJWT({ sub: 'ada', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: signing.jwk.kid })
      .setIssuer(more.issuer ?? issuer)
      .setAudience(more.audience ?? 'parley')
      .setExpirationTime(more.expires ?? '5m')
      .sign(more.forged ? foreign.privateKey : signing.privateKey)
  /** Signs with a new key from now on; the old one is not published any more. */
  const rotate = async (kid: string) => {
    signing = await newKey(kid)
    published.splice(0, 1, signing.jwk)
  }
  return { issuer, sign, rotate, settings, stop: () => server.close() }
}

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } }
}

it('accepts a JWT of the issuer, with the workspace, role and user of its claims', async () => {
  const { issuer, sign } = await startIssuer()
  let time = Date.now()
  const environment = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' }
  const { get, post } = await startService({ environment, now: () => time })
  expect((await get('/agents', { token: await sign({ role: 'user' }) })).status).toBe(200)
  expect((await get('/models', { token: await sign({ role: 'user' }) })).status).toBe(403)
  expect((await post('/agents', { name: 'A' }, { token: await sign({ role: 'editor' }) })).status).toBe(201)
  await post('/workspaces', { name: 'Acme' })
  const acme = await sign({ parley_role: 'admin', role: 'viewer', workspace: 'Acme' })
  expect((await get('/agents', { token: acme })).body.pagination.total).toBe(0)
  expect((await post('/models', { name: 'M', provider: 'ollama', model_id: 'm' }, { token: acme })).status).toBe(201)

  const signedIn = await post('/auth/session', { token: acme, remember: true }, { token: null })
  expect(signedIn.body.data).toMatchObject({ role: 'admin', user_id: 'ada', workspace: { name: 'Acme' } })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const session = { token: null, headers: { cookie, 'x-requested-with': 'parley' } }
  expect((await get('/models', session)).status).toBe(200)
  time += 6 * minute // the session ends with the JWT
  expect((await get('/models', session)).body.code).toBe('invalid_token')
})

it('schedules run with the role of the last session of a person, and not after their erasure', async () => {
  const { issuer, sign } = await startIssuer()
  const here = await stage({ deltas: ['Fine.'] }, { environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' } })
  const body = {
    name: 'S',
    cron: '0 0 1 1 *',
    action: { type: 'message', agent_id: here.agent, message: 'Go' },
  }
  const { id } = (await here.post('/schedules', body, { token: await sign({ role: 'editor' }) })).body.data
  const outcome = async () => {
    await here.post(`/schedules/${id}/run`)
    const ended = async () => {
      const { last_run: run } = (await here.get(`/schedules/${id}`)).body.data
      return run.finished_at !== null && (run.code ?? run.status)
    }
    return until(ended)
  }
  const signIn = async (role: string) => here.post('/auth/session', { token: await sign({ role }) }, { token: null })
  expect(await outcome()).toBe('succeeded')
  await signIn('viewer')
  expect(await outcome()).toBe('forbidden')
  await signIn('admin')
  expect(await outcome()).toBe('succeeded')
  const [{ id: person }] = (await here.get('/users?user_id=ada')).body.data
  const job = (await here.post(`/users/${person}/erase`)).body.data.id
  await until(async () => (await here.get(`/user-jobs/${job}`)).body.data.status === 'completed')
  expect(await outcome()).toBe('creator_gone')
})

it('rejects a JWT without a role, unless there is a default', async () => {
  const { issuer, sign } = await startIssuer()
  const environment = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' }
  const strict = await startService({ environment })
  const rejected = await strict.get('/agents', { token: await sign({}) })
  expect([rejected.status, rejected.body.code]).toEqual([401, 'invalid_token'])
  expect(rejected.body.error).toContain('OIDC_DEFAULT_ROLE')
  const { get } = await startService({ environment: { ...environment, OIDC_DEFAULT_ROLE: 'viewer' } })
  expect((await get('/models', { token: await sign({}) })).status).toBe(200)
  expect((await get('/models', { token: await sign({ role: 'user' }) })).status).toBe(403)
})

it('rejects a JWT that is forged, expired, for another audience or has invalid claims', async () => {
  const { issuer, sign } = await startIssuer()
  const { get } = await startService({ environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' } })
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const bad = [
    await sign({ role: 'user' }, { forged: true }),
    await sign({ role: 'user' }, { expires: '-1m' }),
    await sign({ role: 'user', iat: Date.now() / second + 60 }),
    await sign({ role: 'user', iat: 'now' } as unknown as JWTPayload),
    await sign({ role: 'user' }, { audience: 'others' }),
    await sign({ role: 'user' }, { issuer: 'http://elsewhere' }),
    await sign({ role: 'king' }),
    await sign({ role: ['admin', 7] }),
    await sign({ role: ['king'] }),
    await sign({ role: [] }),
    await sign({ role: null }),
    await sign({ parley_role: { name: 'admin' }, role: 'viewer' }),
    await sign({ role: 'user', workspace: 'nowhere' }),
    await sign({ role: 'user', workspace: ['default'] }),
    await sign({ role: 'user', parley_workspace: 7, workspace: 'default' }),
    await sign({ role: 'user', sub: 5 } as unknown as JWTPayload),
    await sign({ role: 'user', sub: '' }),
    await sign({ role: 'user', sub: 'a\0b' }),
    `${none}.${Buffer.from(JSON.stringify({ sub: 'ada', iss: issuer, aud: 'parley', exp: 9e9 })).toString('base64url')}.`,
    'a.b.c',
  ]
  for (const token of bad) {
    const { status, body } = await get('/agents', { token })
    expect([status, body.code]).toEqual([401, 'invalid_token'])
  }
  const ofAFasterClock = await sign({ role: 'user', iat: Date.now() / second + 15 })
  expect((await get('/agents', { token: ofAFasterClock })).status).toBe(200)
})

it('responds with 503 while the issuer is unreachable, and other tokens keep working', async () => {
  const { issuer, sign, stop } = await startIssuer()
  const token = await sign({})
  stop()
  const { get } = await startService({ environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' } })
  const response = await get('/agents', { token })
  expect([response.status, response.body.code]).toEqual([503, 'overloaded'])
  expect((await get('/agents')).status).toBe(200)
})

it('takes role and groups from the configured claims, also nested ones, and the highest known role', async () => {
  const { issuer, sign } = await startIssuer()
  const environment = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' }
  const nested = { OIDC_ROLE_CLAIM: 'realm_access.roles', OIDC_GROUPS_CLAIM: 'https://acme.example/claims.groups' }
  const { get } = await startService({ environment: { ...environment, ...nested, OIDC_DEFAULT_ROLE: 'user' } })
  const me = async (claims: object) => {
    const { role, groups } = (await get('/me', { token: await sign(claims as JWTPayload) })).body.data ?? {}
    return [role, groups]
  }
  const realm_access = { roles: ['offline_access', 'editor', 'viewer'] }
  expect(await me({ realm_access, 'https://acme.example/claims.groups': ['b', 'a', 'b'] })).toEqual([
    'editor',
    ['a', 'b'],
  ])
  expect(await me({ realm_access, 'https://acme.example/claims': { groups: 'hr' } })).toEqual(['editor', ['hr']])
  expect(await me({ 'realm_access.roles': 'admin', realm_access })).toEqual(['admin', []])
  // Another claim is not the configured one, and roles of other programs are none.
  expect(await me({ role: 'owner', groups: ['hr'] })).toEqual(['user', []])
  expect(await me({ realm_access: { roles: ['offline_access', 'ADMIN'] } })).toEqual(['user', []])
  for (const roles of [null, 7, 'king', '', { admin: true }, ['admin', null], [['admin']]])
    expect(await me({ realm_access: { roles } })).toEqual([undefined, undefined])
  for (const groups of [null, 7, { hr: true }, [['hr']], [7, null, '', 'x\0', 'g'.repeat(201)]])
    expect(await me({ 'https://acme.example/claims.groups': groups })).toEqual(['user', []])
  expect(await me(JSON.parse('{"__proto__": {"roles": "owner"}, "constructor": {"name": "owner"}}'))).toEqual([
    'user',
    [],
  ])
  const plain = await startService({ environment })
  const token = await sign({ role: ['viewer', 'editor'], groups: ['hr'] })
  expect((await plain.get('/me', { token })).body.data).toMatchObject({ role: 'editor', groups: ['hr'] })
})

it('accepts new keys of the issuer at once, and a removed one for some minutes only', async () => {
  const { issuer, sign, rotate, settings } = await startIssuer()
  let time = Date.now()
  const environment = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' }
  const { get } = await startService({ environment, now: () => time })
  const status = async (token: string) => (await get('/agents', { token })).status
  const old = [await sign({ role: 'viewer' }, { expires: '1h' }), await sign({ role: 'viewer' }, { expires: '2h' })]
  expect(await status(old[0] as string)).toBe(200)
  await rotate('k2')
  time += 10 * second
  const young = await sign({ role: 'viewer' }, { expires: '3h' })
  expect(await status(young)).toBe(200)
  expect(await status(old[1] as string)).toBe(401) // the keys are known to be new
  time += 7 * minute
  expect(await status(old[0] as string)).toBe(401)
  settings.isDown = true
  time += 30 * minute
  expect(await status(young)).toBe(200) // with the keys that are known
  time += hour
  expect(await status(young)).toBe(503)
})

it('tolerates clocks that differ by seconds', async () => {
  const { issuer, sign } = await startIssuer()
  const now = Math.floor(Date.now() / second)
  const environment = { OIDC_ISSUER: `${issuer}/`, OIDC_AUDIENCE: 'parley' }
  const { get } = await startService({ environment, now: () => now * second })
  const requestStatus = async (claims: JWTPayload, expires: number) =>
    (await get('/agents', { token: await sign({ role: 'viewer', ...claims }, { expires }) })).status
  expect(await requestStatus({}, now - 15)).toBe(200)
  expect(await requestStatus({ nbf: now + 15 }, now + 60)).toBe(200)
  expect(await requestStatus({}, now - 45)).toBe(401)
  expect(await requestStatus({ nbf: now + 60 }, now + 90)).toBe(401)
})

it('accepts a JWT for the MCP server there alone, and names the issuer as its authorization server', async () => {
  const { issuer, sign } = await startIssuer()
  const { url, get, post } = await startService({ environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley' } })
  const mcp = async (audience: string) => {
    const token = await sign({ role: 'user' }, { audience })
    const list = await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { token })
    return [list.status, (await get('/agents', { token })).status]
  }
  expect(await mcp(`${url}/api/mcp`)).toEqual([200, 403])
  expect(await mcp('parley')).toEqual([200, 200])
  for (const audience of ['https://other.example/api/mcp', url, `${url}/api/mcp/more`])
    expect([audience, await mcp(audience)]).toEqual([audience, [401, 401]])
  const document = await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()
  expect(document).toMatchObject({ resource: `${url}/api/mcp`, authorization_servers: [issuer] })
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/authorize?client_id=x'])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404])
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    const response = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams({ token: 'x' }) })
    expect([path, response.ok]).toEqual([path, false])
  }
})

it('does not take the name in a Host header as proof of what a JWT is for', async () => {
  const { issuer, sign } = await startIssuer()
  const { url } = await startService({
    environment: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'parley', TRUST_PROXY: 'true' },
  })
  const { hostname, port } = new URL(url)
  for (const host of ['other.example', 'localhost:1']) {
    const token = await sign({ role: 'user' }, { audience: `http://${host}/api/mcp` })
    const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request({ hostname, port, path: '/api/mcp', method: 'POST', headers }).end('{}')
    const [response] = await once(sent, 'response')
    response.resume()
    expect([host, response.statusCode]).toEqual([host, 401])
  }
})

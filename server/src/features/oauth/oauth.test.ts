import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Service, startService } from '../../../test/harness.ts'
import type { Json } from '../../../test/json.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { createEgress } from '../../kernel/egress/egress.ts'
import { day, hour } from '../../kernel/time.ts'
import { removeExpiredGrants } from './grants.ts'

const fromConsole = { 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }
const callback = 'https://claude.example/callback'

type Parameters = Record<string, string>

/** A client that registers itself, and a person who is signed in to the console. */
async function stage(here: Service, { token = here.token, redirectUri = callback } = {}) {
  const signedIn = await here.post('/auth/session', { token }, { token: null })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const send = (path: string, body: object) =>
    fetch(`${here.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const registered = await send('/oauth/register', { client_name: 'Claude', redirect_uris: [redirectUri] })
  expect(registered.status).toBe(201)
  const client_id = ((await registered.json()) as Json).client_id as string
  const verifier = randomBytes(32).toString('base64url')
  const request: Parameters = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${here.url}/api/mcp`,
    state: 'xyz',
  }
  const authorize = (more: Parameters = {}, without: string[] = []) => {
    const all = Object.entries({ ...request, ...more }).filter(([name]) => !without.includes(name))
    return fetch(`${here.url}/oauth/authorize?${new URLSearchParams(all)}`, { redirect: 'manual' })
  }
  const consent = (more: object = {}, headers: Record<string, string> = { cookie, ...fromConsole }) =>
    here.post('/oauth/consent', { ...request, allow: true, ...more }, { token: null, headers })
  const form = async (path: string, fields: Parameters) => {
    const response = await fetch(`${here.url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Json }
  }
  const exchange = (code: string, more: Parameters = {}) =>
    form('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...more,
    })
  const refresh = (refresh_token: string, more: Parameters = {}) =>
    form('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id, ...more })
  const allow = async (): Promise<string> =>
    new URL((await consent()).body.data.redirect_to).searchParams.get('code') as string
  return { request, send, authorize, consent, form, exchange, refresh, allow, cookie, client_id }
}

const ping = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const mcp = async (here: Service, token: string) => (await here.post('/mcp', ping, { token })).status
const read = async (here: Service, path: string): Promise<Json> => (await fetch(`${here.url}${path}`)).json()

describe('the MCP server and OAuth', () => {
  it('names its metadata where a token is missing or wrong, and only there', async () => {
    const here = await startService()
    const document = `resource_metadata="${here.url}/.well-known/oauth-protected-resource/api/mcp"`
    const header = async (path: string, token: string | null) =>
      (await here.post(path, ping, { token })).headers.get('www-authenticate')
    expect(await header('/mcp', null)).toBe(`Bearer realm="parley", ${document}`)
    expect(await header('/v1/mcp', 'parley_wrong')).toBe(`Bearer realm="parley", error="invalid_token", ${document}`)
    expect(await header('/agents', null)).toBe('Bearer realm="parley"')
    for (const path of ['', '/api/mcp']) {
      expect(await read(here, `/.well-known/oauth-protected-resource${path}`)).toMatchObject({
        resource: `${here.url}/api/mcp`,
        authorization_servers: [here.url],
        scopes_supported: ['mcp'],
      })
    }
    expect(await read(here, '/.well-known/oauth-authorization-server')).toMatchObject({
      issuer: here.url,
      authorization_endpoint: `${here.url}/oauth/authorize`,
      token_endpoint: `${here.url}/oauth/token`,
      registration_endpoint: `${here.url}/oauth/register`,
      revocation_endpoint: `${here.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
  })

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

  it('takes a token that was made for it by hand', async () => {
    const here = await startService()
    const admin = await here.tokenFor('admin')
    const made = await here.post('/tokens', { name: 'Editor', role: 'viewer', scopes: ['mcp'] }, { token: admin })
    expect([await mcp(here, made.body.data.token), made.body.data.client]).toEqual([200, null])
    expect((await here.get('/agents', { token: made.body.data.token })).status).toBe(403)
    expect((await here.post('/tokens', { name: 'Editor', scopes: ['mcp'] })).body.details[0].path).toBe('role')
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

describe('an authorization request', () => {
  it('never redirects to an address that the client did not register', async () => {
    const here = await startService()
    const { authorize, consent } = await stage(here)
    const foreign = ['https://evil.example/callback', `${callback}/more`, `${callback}?x=1`, 'https://claude.example.evil.example/callback', '//evil.example', 'javascript:alert(1)'] // biome-ignore format: a list
    for (const redirect_uri of foreign) {
      const page = await authorize({ redirect_uri })
      expect([redirect_uri, page.status, page.headers.get('location')]).toEqual([redirect_uri, 400, null])
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect([redirect_uri, (await consent({ redirect_uri })).status]).toEqual([redirect_uri, 400])
    }
    for (const client_id of ['unknown', 'v1.AAAA', '']) expect((await authorize({ client_id })).status).toBe(400)
  })

  it('allows another port on a loopback address only', async () => {
    const here = await startService()
    const { authorize } = await stage(here, { redirectUri: 'http://127.0.0.1:3334/callback' })
    const outcomes = [
      'http://127.0.0.1:49152/callback',
      'http://127.0.0.1:49152/other',
      'http://localhost:3334/callback',
    ]
    const statuses = await Promise.all(outcomes.map(async (redirect_uri) => (await authorize({ redirect_uri })).status))
    expect(statuses).toEqual([302, 400, 400])
  })

  it('registers safe redirect URIs only', async () => {
    const here = await startService()
    const { send } = await stage(here)
    const register = async (uri: unknown) => {
      const response = await send('/oauth/register', { redirect_uris: [uri] })
      return response.status === 201 ? 'ok' : ((await response.json()) as Json).error
    }
    for (const uri of ['https://a.example/x', 'cursor://anysphere/cb', 'com.example.app:/cb', 'http://localhost/cb'])
      expect([uri, await register(uri)]).toEqual([uri, 'ok'])
    const unsafe = ['http://a.example/x', 'javascript:alert(1)', 'data:text/html,x', 'https://a.example/#x', 'https://u:p@a.example/', 'https://a.example\\@b.example/', 'x', '', 7, null, 'http://127.0.0.1.evil.example/'] // biome-ignore format: a list
    for (const uri of unsafe) expect([uri, await register(uri)]).toEqual([uri, 'invalid_redirect_uri'])
    for (const body of [{}, { redirect_uris: [] }, { redirect_uris: 'x' }])
      expect((await send('/oauth/register', body)).status).toBe(400)
  })

  it('needs PKCE with S256, and our resource', async () => {
    const here = await startService()
    const { authorize, consent, allow, exchange } = await stage(here)
    const fault = async (more: Parameters, without: string[] = []) => {
      const { headers } = await authorize(more, without)
      const { searchParams } = new URL(headers.get('location') as string)
      expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['xyz', here.url])
      return searchParams.get('error')
    }
    expect(await fault({}, ['code_challenge'])).toBe('invalid_request')
    expect(await fault({ code_challenge_method: 'plain' })).toBe('invalid_request')
    expect(await fault({}, ['code_challenge_method'])).toBe('invalid_request')
    expect(await fault({ response_type: 'token' })).toBe('unsupported_response_type')
    for (const resource of ['https://other.example/api/mcp', here.url, `${here.url}/api`])
      expect([resource, await fault({ resource })]).toEqual([resource, 'invalid_target'])
    expect((await consent({ resource: 'https://other.example/api/mcp' })).status).toBe(400)
    expect((await consent({ code_challenge: 'short' })).status).toBe(400)

    const code = await allow()
    for (const code_verifier of ['', 'x'.repeat(43)]) expect((await exchange(code, { code_verifier })).status).toBe(400)
    const wrong: Parameters[] = [{ client_id: 'another' }, { redirect_uri: 'https://evil.example/callback' }]
    for (const more of wrong) expect((await exchange(code, more)).body.error).toBe('invalid_grant')
    const elsewhere = await exchange(code, { resource: 'https://other.example/api/mcp' })
    expect(elsewhere.body.error).toBe('invalid_target')
    expect((await exchange(code, { grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
    expect((await exchange(code)).status).toBe(200)
  })

  it('is allowed only by the console of the person, not by a form of another site or by a token', async () => {
    const here = await startService()
    const { consent, cookie, request } = await stage(here)
    const forged = [
      { cookie },
      { cookie, 'sec-fetch-site': 'cross-site', 'x-requested-with': 'parley' },
      { cookie, origin: 'https://evil.example' },
      { cookie, 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of forged) expect((await consent({}, headers as Parameters)).status).toBe(401)
    const form = await fetch(`${here.url}/api/oauth/consent`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ ...request, allow: 'true' }),
    })
    expect(form.status).toBe(401)
    expect((await here.post('/oauth/consent', { ...request, allow: true })).status).toBe(403)
    expect((await here.ctx.db.selectFrom('oauth_grant').selectAll().where('client_id', '=', request.client_id as string).execute()).length).toBe(0) // biome-ignore format: one line
  })
})

describe('a client metadata document', () => {
  it('is never read from a private address', async () => {
    const here = await startService()
    const { authorize } = await stage(here)
    for (const client_id of [
      'https://127.0.0.1:8443/c.json',
      'https://169.254.169.254/latest/x',
      'https://[::1]/c.json',
    ]) {
      const page = await authorize({ client_id })
      expect([client_id, page.status, (await page.text()).includes('are blocked')]).toEqual([client_id, 400, true])
    }
    for (const client_id of ['https://a.example', 'https://a.example/x#y', 'https://u@a.example/x', 'https://a.example/a/../b', 'http://a.example/x']) // biome-ignore format: a list
      expect([client_id, (await authorize({ client_id })).status]).toEqual([client_id, 400])
  })

  it('is not read either where its name leads to a private address', async () => {
    const here = await startService()
    const { authorize } = await stage(here)
    const names = await startNameServer(() => ['10.0.0.7'])
    const { egress } = here.ctx
    const guarded = createEgress([], names.resolve)
    here.ctx.egress = guarded
    onTestFinished(() => {
      here.ctx.egress = egress
      return guarded.close()
    })
    const page = await authorize({ client_id: 'https://clients.example/c.json' })
    expect([page.status, (await page.text()).includes('are blocked')]).toEqual([400, true])
    expect(names.questions).toContain('clients.example')
  })

  it('identifies a client by its address', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    onTestFinished(() => void vi.unstubAllEnvs())
    const pem = readFileSync(new URL('../../../test/self-signed.pem', import.meta.url))
    let reads = 0
    const documents: Record<string, (id: string) => unknown> = {
      '/client.json': (client_id) => ({ client_id, client_name: 'Editor‮\n', redirect_uris: [callback] }),
      '/liar.json': () => ({ client_id: 'https://claude.ai/client.json', redirect_uris: [callback] }),
      '/large.json': (client_id) => ({ client_id, client_name: 'x'.repeat(20_000), redirect_uris: [callback] }),
    }
    const server = createServer({ key: pem, cert: pem }, (request, response) => {
      reads++
      const document = documents[request.url ?? '']
      if (!document) return response.writeHead(302, { location: '/client.json' }).end()
      response.end(JSON.stringify(document(`https://${request.headers.host}${request.url}`)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const here = await startService({ environment: { EGRESS_ALLOW: '127.0.0.1' } })
    const { request, cookie, consent, exchange } = await stage(here)
    const describe = (path: string) =>
      here.get(`/oauth/consent?${new URLSearchParams({ ...request, client_id: `https://${host}${path}` })}`, {
        token: null,
        headers: { cookie, ...fromConsole },
      })
    expect((await describe('/client.json')).body.data.client).toEqual({
      name: 'Editor',
      host,
      redirect_host: 'claude.example',
    })
    expect((await describe('/client.json')).status).toBe(200)
    expect(reads).toBe(1)
    for (const path of ['/liar.json', '/large.json', '/redirects.json'])
      expect([path, (await describe(path)).status]).toEqual([path, 400])
    const client_id = `https://${host}/client.json`
    const code = new URL((await consent({ client_id })).body.data.redirect_to).searchParams.get('code') as string
    expect((await exchange(code, { client_id })).status).toBe(200)
    expect((await here.get('/tokens?limit=1')).body.data[0].client).toBe(host)
  })
})

describe('the official MCP client', () => {
  it('finds out by itself how to connect, and renews its tokens', async () => {
    let time = Date.now()
    const here = await startService({ now: () => time })
    await here.post('/agents', { name: 'Helper' })
    const signedIn = await here.post('/auth/session', { token: here.token }, { token: null })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const kept: Json = {}
    const provider: OAuthClientProvider = {
      redirectUrl: 'http://localhost:7777/callback',
      clientMetadata: { client_name: 'Editor', redirect_uris: ['http://localhost:7777/callback'] },
      clientInformation: () => kept.client,
      saveClientInformation: (client) => {
        kept.client = client
      },
      tokens: () => kept.tokens,
      saveTokens: (tokens) => {
        kept.tokens = tokens
      },
      saveCodeVerifier: (verifier) => {
        kept.verifier = verifier
      },
      codeVerifier: () => kept.verifier,
      async redirectToAuthorization(url) {
        const page = await fetch(url, { redirect: 'manual' })
        const request = Object.fromEntries(new URL(page.headers.get('location') ?? '', here.url).searchParams)
        const headers = { cookie, ...fromConsole }
        const { body } = await here.post('/oauth/consent', { ...request, allow: true }, { token: null, headers })
        kept.answer = new URL(body.data.redirect_to).searchParams
      },
    }
    const newTransport = () =>
      new StreamableHTTPClientTransport(new URL(`${here.url}/api/mcp`), { authProvider: provider })
    const first = newTransport()
    await expect(new Client({ name: 'Editor', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError)
    await first.finishAuth(kept.answer)
    const client = new Client({ name: 'Editor', version: '1' })
    await client.connect(newTransport())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_helper')
    const { access_token } = kept.tokens
    time += hour
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    expect(kept.tokens.access_token).not.toBe(access_token)
    await client.close()
  })
})

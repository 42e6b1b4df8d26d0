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
import { startService } from '../../../test/harness.ts'
import type { Json } from '../../../test/json.ts'
import { startNameServer } from '../../../test/name-server.ts'
import { callback, fromConsole, mcp, type Parameters, ping, read, stage } from '../../../test/oauth-stage.ts'
import { createEgress } from '../../kernel/egress/egress.ts'
import { hour } from '../../kernel/time.ts'

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

  it('takes a token that was made for it by hand', async () => {
    const here = await startService()
    const admin = await here.tokenFor('admin')
    const made = await here.post('/tokens', { name: 'Editor', role: 'viewer', scopes: ['mcp'] }, { token: admin })
    expect([await mcp(here, made.body.data.token), made.body.data.client]).toEqual([200, null])
    expect((await here.get('/agents', { token: made.body.data.token })).status).toBe(403)
    expect((await here.post('/tokens', { name: 'Editor', scopes: ['mcp'] })).body.details[0].path).toBe('role')
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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, it, onTestFinished } from 'vitest'
import { startService } from '../../../test/harness.ts'
import { minute } from '../../kernel/time.ts'

/** An identity provider on loopback, with a real key. */
async function startIssuer() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const responses: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [key] },
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(responses[request.url ?? ''] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sign = (
    claims: JWTPayload,
    more: { expires?: string; issuer?: string; audience?: string; forged?: boolean } = {},
  ) =>
    new SignJWT({ sub: 'ada', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .setIssuer(more.issuer ?? issuer)
      .setAudience(more.audience ?? 'parley')
      .setExpirationTime(more.expires ?? '5m')
      .sign(more.forged ? foreign.privateKey : privateKey)
  return { issuer, sign, stop: () => server.close() }
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
    await sign({ role: 'user' }, { audience: 'others' }),
    await sign({ role: 'user' }, { issuer: 'http://elsewhere' }),
    await sign({ role: 'king' }),
    await sign({ role: ['admin'] }),
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

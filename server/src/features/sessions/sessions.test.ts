import { describe, expect, it } from 'vitest'
import { type Service, startService } from '../../../test/harness.ts'
import { day, hour, minute } from '../../kernel/time.ts'
import { sessions } from './service.ts'

type Headers = Record<string, string>
const fromConsole = { 'x-requested-with': 'parley', 'sec-fetch-site': 'same-origin' }

/** Signs in as a browser does. Requests then carry the cookie. */
async function signIn({ ask }: Pick<Service, 'ask'>, token: string, more: object = {}, headers: Headers = {}) {
  const answer = await ask('POST', '/auth/session', { body: { token, ...more }, token: null, headers })
  const setCookie = answer.headers.get('set-cookie')
  const cookie = setCookie?.split(';')[0] ?? ''
  const as = (more: Headers = fromConsole) => ({ token: null, headers: { cookie, ...more } })
  return { answer, setCookie, as }
}

describe('a session', () => {
  it('signs a browser in with a cookie that scripts cannot read, as the token it was started with', async () => {
    const here = await startService({ own: true })
    const { id, token } = (await here.post('/tokens', { name: 'Phone', role: 'user', user_id: 'ada' })).body.data
    const { answer, setCookie, as } = await signIn(here, token)
    expect(answer.status).toBe(201)
    expect(setCookie).toMatch(/^parley_session=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Lax$/)
    const who = { role: 'user', user_id: 'ada', token: { id, name: 'Phone' } }
    expect(answer.body.data).toMatchObject({ ...who, session: { remember: false } })
    const seen = await here.get('/auth/session', as())
    expect(seen.body.data).toEqual(answer.body.data)
    expect(seen.headers.get('cache-control')).toBe('private, no-cache')
    expect((await here.get('/models', as())).body.code).toBe('forbidden')
    expect((await here.get('/auth/session')).body.data.session).toBeNull()
    const rows = JSON.stringify(await here.ctx.db.selectFrom('session').selectAll().execute())
    expect(rows).not.toContain(setCookie?.slice(15, 40))
  })

  it('is started only with a valid token, from a page of the same origin', async () => {
    const here = await startService()
    const wrong = await signIn(here, 'parley_wrong')
    expect([wrong.answer.status, wrong.answer.body.code, wrong.setCookie]).toEqual([401, 'invalid_token', null])
    const foreign: Headers[] = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]
    for (const headers of foreign) {
      const { answer, setCookie } = await signIn(here, here.token, {}, headers)
      expect([answer.status, answer.body.code, setCookie]).toEqual([403, 'forbidden', null])
    }
    expect((await signIn(here, here.token, {}, { origin: here.url })).answer.status).toBe(201)
    expect((await here.post('/auth/session', {}, { token: null })).body.details[0].path).toBe('token')
  })

  it('counts only for requests of the console', async () => {
    const here = await startService()
    const { as } = await signIn(here, here.token)
    const requestCode = async (method: string, headers: Headers, body?: object) => {
      const answer = await here.ask(method, '/agents', { ...as(headers), ...(body && { body }) })
      return answer.body.code ?? answer.status
    }
    const agent = { name: 'A' }
    expect(await requestCode('POST', fromConsole, agent)).toBe(201)
    // Over http in a local network, browsers send no Sec-Fetch-Site.
    expect(await requestCode('POST', { 'x-requested-with': 'parley', origin: here.url }, agent)).toBe(201)
    expect(await requestCode('POST', { 'sec-fetch-site': 'same-origin' }, agent)).toBe('unauthenticated')
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'x-requested-with': 'parley', 'sec-fetch-site': site }
      expect(await requestCode('POST', headers, agent)).toBe('unauthenticated')
      expect(await requestCode('GET', headers)).toBe('unauthenticated')
    }
    const foreign = { 'x-requested-with': 'parley', origin: 'https://evil.example' }
    expect(await requestCode('POST', foreign, agent)).toBe('unauthenticated')
    // A link, a download, an EventSource, and an address that the user has typed.
    expect(await requestCode('GET', { 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await requestCode('GET', { 'sec-fetch-site': 'none' })).toBe(200)
    expect(await requestCode('GET', {})).toBe('unauthenticated')
    expect((await here.get('/conversations/export', as({ 'sec-fetch-site': 'same-origin' }))).status).toBe(200)
  })

  it('never affects requests with a bearer token', async () => {
    const here = await startService()
    const viewer = await here.tokenFor('viewer')
    const { as } = await signIn(here, viewer)
    const both = as({ 'sec-fetch-site': 'cross-site' }).headers
    expect((await here.post('/agents', { name: 'A' }, { headers: both })).status).toBe(201)
    const invalid = await here.get('/agents', { token: 'wrong', headers: as().headers })
    expect(invalid.body.code).toBe('invalid_token')
  })

  it('lasts until the browser closes, or 30 days after the last request', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const here = await startService({ now: () => time })
    const short = await signIn(here, here.token)
    const long = await signIn(here, here.token, { remember: true })
    expect(short.setCookie).not.toContain('Max-Age')
    expect(long.setCookie).toContain('; Max-Age=2592000')
    expect(long.answer.body.data.session.expires_at).toBe('2026-01-31T00:00:00Z')
    time += 6 * day
    const soon = await here.get('/agents', short.as())
    expect([soon.status, soon.headers.get('set-cookie')]).toEqual([200, short.setCookie])
    time += 7 * day
    expect((await here.get('/agents', short.as())).body.code).toBe('invalid_token')
    const extended = await here.get('/agents', long.as())
    expect(extended.headers.get('set-cookie')).toBe(long.setCookie)
    time += minute
    expect((await here.get('/agents', long.as())).headers.get('set-cookie')).toBeNull()
    time += 29 * day
    expect((await here.get('/auth/session', long.as())).body.data.session.expires_at).toBe('2026-03-14T00:01:00Z')
    time += 30 * day
    expect((await here.get('/agents', long.as())).body.code).toBe('invalid_token')
  })

  it('has a cookie over https that only this host can set, also behind a proxy', async () => {
    let time = Date.now()
    const here = await startService({ environment: { TRUST_PROXY: 'true' }, now: () => time })
    const overHttps = {
      ...fromConsole,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'parley.example',
      origin: 'https://parley.example',
    }
    const { setCookie, as } = await signIn(here, here.token, { remember: true }, overHttps)
    expect(setCookie).toMatch(
      /^__Host-parley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000$/,
    )
    expect((await here.get('/agents', as(overHttps))).status).toBe(200)
    // Another host of the domain could have set the name without the prefix.
    const cookie = setCookie?.split(';')[0]?.replace('__Host-', '') ?? ''
    const planted = await here.get('/agents', { token: null, headers: { ...overHttps, cookie } })
    expect([planted.status, planted.body.code]).toEqual([401, 'unauthenticated'])
    const both = { ...overHttps, cookie: `${cookie.replace(/=.*/, `=${'x'.repeat(43)}`)}; ${as().headers.cookie}` }
    expect((await here.get('/agents', { token: null, headers: both })).status).toBe(200)
    time += 2 * hour
    expect((await here.get('/agents', as(overHttps))).headers.get('set-cookie')).toBe(setCookie)
    const out = await here.post('/auth/logout', undefined, as(overHttps))
    expect(out.headers.get('set-cookie')).toBe(
      '__Host-parley_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
    )
    expect((await here.get('/agents', as(overHttps))).body.code).toBe('invalid_token')
  })

  it('has the same cookie behind a proxy that is not trusted, where only the browser knows of https', async () => {
    let time = Date.now()
    const here = await startService({ now: () => time })
    const origin = here.url.replace('http:', 'https:')
    const { setCookie, as } = await signIn(here, here.token, {}, { origin })
    expect(setCookie).toMatch(/^__Host-parley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
    time += 2 * hour
    const read = await here.get('/agents', as()) // browsers send no Origin with it
    expect([read.status, read.headers.get('set-cookie')]).toEqual([200, setCookie])
    const plain = as().headers.cookie.replace('__Host-', '')
    const changed = await here.post('/agents', { name: 'A' }, as({ ...fromConsole, origin, cookie: plain }))
    expect(changed.body.code).toBe('unauthenticated')
    const out = await here.post('/auth/logout', undefined, as())
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-parley_session=; Path=\/; .*; Secure; Max-Age=0$/)
  })

  it('ends with its token', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const here = await startService({ now: () => time })
    const make = async (more: object) => (await here.post('/tokens', { name: 'T', role: 'viewer', ...more })).body.data
    const revoked = await make({})
    const expiring = await make({ expires_at: '2026-01-01T01:00:00Z' })
    const first = await signIn(here, revoked.token, { remember: true })
    const second = await signIn(here, expiring.token, { remember: true })
    expect((await here.get('/agents', first.as())).status).toBe(200)
    await here.remove(`/tokens/${revoked.id}`)
    expect((await here.get('/agents', first.as())).body.code).toBe('invalid_token')
    expect((await here.get('/agents', second.as())).status).toBe(200)
    time += hour
    expect((await here.get('/agents', second.as())).body.code).toBe('invalid_token')
  })

  it('ends on sign-out, alone or with all sessions of the token, and the token stays valid', async () => {
    const here = await startService()
    const mine = [await signIn(here, here.token), await signIn(here, here.token), await signIn(here, here.token)]
    const other = await signIn(here, await here.tokenFor('viewer'))
    const statuses = async () =>
      Promise.all([...mine, other].map(async ({ as }) => (await here.get('/agents', as())).status))
    const [first, second] = mine as [(typeof mine)[0], (typeof mine)[0]]
    const forged = await here.post('/auth/logout', undefined, first.as({ 'sec-fetch-site': 'cross-site' }))
    expect(forged.status).toBe(401)
    const out = await here.post('/auth/logout', undefined, first.as())
    expect([out.status, out.headers.get('set-cookie')]).toEqual([
      200,
      'parley_session=; Path=/api; HttpOnly; SameSite=Lax; Max-Age=0',
    ])
    expect(await statuses()).toEqual([401, 200, 200, 200])
    await here.post('/auth/logout', { everywhere: true }, second.as())
    expect(await statuses()).toEqual([401, 401, 401, 200])
    expect((await here.get('/agents')).status).toBe(200)
    const actions = (await here.get('/audit?kind=session&order=asc')).body.data
    expect(actions.map(({ action }: { action: string }) => action)).toEqual([
      ...Array(4).fill('sign in'),
      'sign out',
      'sign out everywhere',
    ])
  })

  it('replaces the session that the browser had', async () => {
    const here = await startService()
    const first = await signIn(here, here.token)
    await signIn(here, here.token, {}, first.as().headers)
    expect((await here.get('/agents', first.as())).body.code).toBe('invalid_token')
  })

  it('has the rate limit of its token and the workspaces of an owner', async () => {
    const here = await startService({ own: true })
    const limited = (await here.post('/tokens', { name: 'T', role: 'viewer', rate_limit: 3 })).body.data.token
    const { as } = await signIn(here, limited)
    await here.get('/agents', as())
    const last = await here.get('/agents', { token: limited })
    expect(last.headers.get('x-ratelimit-remaining')).toBe('1')
    const elsewhere = (await here.post('/workspaces', { name: 'Elsewhere' })).body.data.id
    const owner = await signIn(here, here.token)
    const headers = { ...fromConsole, 'x-workspace': elsewhere }
    expect((await here.get('/me', owner.as(headers))).body.data.workspace.name).toBe('Elsewhere')
  })

  it('is removed some time after it expired', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const here = await startService({ now: () => time })
    await signIn(here, here.token)
    await signIn(here, here.token, { remember: true })
    time += 8 * day
    await sessions.removeExpired(here.ctx)
    const left = await here.ctx.db.selectFrom('session').select('remember').execute()
    expect(left.map(({ remember }) => Boolean(remember))).toEqual([true])
  })
})

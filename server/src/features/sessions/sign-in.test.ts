import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startService, until } from '../../../test/harness.ts'
import { clientOfTests, type IdentityProvider, startIdentityProvider } from '../../../test/identity-provider.ts'
import { authorize, Browser, callback, fromConsole, signIn } from '../../../test/sign-in.ts'
import { hour, minute, second } from '../../kernel/time.ts'
import { sessions } from './service.ts'

let idp: IdentityProvider
beforeAll(async () => {
  idp = await startIdentityProvider()
})
afterAll(() => idp.stop())
beforeEach(() => {
  Object.assign(idp.settings, { refreshTokens: true, isDown: false, userinfoIsDown: false })
  idp.people.clear()
  idp.people.set('ada', { claims: { name: 'Ada Lovelace', email: 'ada@example.com', role: 'editor' } })
})

const environment = (more: Record<string, string> = {}) => ({ OIDC_ISSUER: idp.issuer, ...clientOfTests, ...more })
const start = (more: Record<string, string> = {}, now?: () => number) =>
  startService({ environment: environment(more), ...(now && { now }) })

describe('sign-in with an identity provider', () => {
  it('signs a person in with their role, groups and name, and returns to the page that was asked for', async () => {
    const service = await start({ OIDC_NAME: 'Acme' })
    expect((await service.get('/auth/methods', { token: null })).body.data).toEqual({
      token: true,
      oidc: { name: 'Acme', login_url: '/api/auth/login' },
    })
    const settings = await service.get('/auth/settings')
    expect(settings.body.data).toEqual({
      oidc: {
        issuer: idp.issuer,
        client_set: true,
        client_secret_set: clientOfTests.OIDC_CLIENT_SECRET !== undefined,
        audience: null,
        role_claim: null,
        groups_claim: 'groups',
        default_role: null,
      },
      mail: null,
      session_days: { remembered: 30, otherwise: 7 },
    })
    idp.people.set('ada', { claims: { name: 'Ada', role: 'editor' }, userinfo: { groups: ['sales', 'hr'] } })
    const { answer, me, as, browser } = await signIn(service, { query: '?return_to=%2Fagents%3Fq%3Dx' })
    expect([answer.status, answer.location]).toEqual([302, `${service.url}/agents?q=x`])
    const cookies = answer.headers.getSetCookie()
    expect(cookies.find((each) => each.startsWith('parley_session='))).toMatch(
      /^parley_session=[\w-]{43}; Path=\/api; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
    )
    expect([...browser.cookies(service.url).keys()]).toEqual(['parley_session'])
    expect((await me()).data).toMatchObject({
      role: 'editor',
      user_id: 'ada',
      groups: ['hr', 'sales'],
      workspace: { name: 'default' },
      token: { id: 'oidc:ada', name: 'Ada' },
      session: { remember: true },
    })
    const forged = { ...as(), headers: { ...as().headers, 'sec-fetch-site': 'cross-site' } }
    expect((await service.post('/agents', { name: 'A' }, forged)).status).toBe(401)
    expect((await service.post('/agents', { name: 'A' }, as())).status).toBe(201)
    const [entry] = (await service.get('/audit?kind=session')).body.data
    expect(entry).toMatchObject({ action: 'sign in', user_id: 'ada', token_name: 'Ada' })
    const stored = JSON.stringify(await service.ctx.db.selectFrom('session').selectAll().execute())
    expect(stored).not.toContain('eyJ') // neither the ID token nor the refresh token is readable
  })

  it('asks with PKCE, state and nonce, and accepts an answer only once, in the browser that asked', async () => {
    const service = await start()
    const victim = new Browser()
    const login = await victim.open(`${service.url}/api/auth/login`)
    const asked = new URL(login.location).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'parley',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${service.url}/api/auth/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const [cookie] = login.headers.getSetCookie() as [string]
    expect(cookie).toMatch(/^parley_login_[\w-]+=v1\.[\w-]+; Path=\/api\/auth; HttpOnly; SameSite=Lax; Max-Age=600$/)
    expect(cookie).not.toContain(asked.get('state'))
    expect(Buffer.from(cookie, 'base64url').toString()).not.toContain('nonce')

    const attacker = new Browser()
    const stolen = await authorize(attacker, `${service.url}/api/auth/login`)
    const foreign = await victim.open(stolen) // login CSRF
    expect([foreign.status, victim.cookies(service.url).has('parley_session')]).toEqual([400, false])
    expect(foreign.body).toContain('This sign-in has expired')
    const before = new Map(attacker.cookies(service.url))
    expect((await attacker.open(stolen)).status).toBe(302)
    expect((await attacker.open(stolen)).status).toBe(400) // its cookie is gone
    for (const [name, value] of before) attacker.cookies(service.url).set(name, value)
    await service.post('/auth/logout', {}, { token: null, headers: { ...fromConsole, cookie: cookieHeader(attacker) } })
    const exchanges = idp.timesAsked('/token')
    for (const [name, value] of before) attacker.cookies(service.url).set(name, value)
    const replayed = await attacker.open(stolen) // with a copy of its cookie, even after signing out
    expect([replayed.status, replayed.body.includes('This sign-in has expired')]).toEqual([400, true])
    expect(idp.timesAsked('/token')).toBe(exchanges) // the provider would revoke the tokens of a code that comes twice

    function cookieHeader(browser: Browser): string {
      return [...browser.cookies(service.url)].map((each) => each.join('=')).join('; ')
    }
  })

  it('uses an answer once if it comes several times at once', async () => {
    const service = await start()
    const browser = new Browser()
    const next = await authorize(browser, `${service.url}/api/auth/login`)
    const cookies = [...browser.cookies(service.url)]
    const copies = Array.from({ length: 4 }, () => {
      const copy = new Browser()
      for (const [name, value] of cookies) copy.cookies(service.url).set(name, value)
      return copy.open(next)
    })
    const statuses = (await Promise.all(copies)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([302, 400, 400, 400])
  })

  it('forgets used answers when they would have expired', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    await signIn(service)
    const used = () => service.ctx.db.selectFrom('used_login').select('state').execute()
    expect(await used()).toHaveLength(1)
    offset += hour
    await sessions.removeExpired(service.ctx)
    expect(await used()).toEqual([])
  })

  it('refuses an ID token from the future, beyond what clocks may differ', async () => {
    const late = await start({}, () => Date.now() - minute)
    const { answer, browser } = await signIn(late)
    expect([answer.status, answer.body.includes('could not be signed in')]).toEqual([400, true])
    expect(browser.cookies(late.url).has('parley_session')).toBe(false)
    const close = await start({}, () => Date.now() - 15 * second)
    expect((await signIn(close)).answer.status).toBe(302)
  })

  it('refuses answers that were changed or mixed up', async () => {
    const service = await start()
    const login = `${service.url}/api/auth/login`
    const browser = new Browser()
    const [first, second] = [new URL(await authorize(browser, login)), new URL(await authorize(browser, login))]
    const mixed = new URL(first) // the code of one sign-in with the state of another: another verifier and nonce
    mixed.searchParams.set('code', second.searchParams.get('code') ?? '')
    expect((await browser.open(mixed.href)).status).toBe(400)
    const state = (await browser.open(login)).location.match(/state=([\w-]+)/)?.[1] ?? ''
    const changed: Record<string, string>[] = [
      { state: `${state}x`, code: 'c' },
      { state: '', code: 'c' },
      { state, code: 'c', iss: 'https://evil.example' },
    ]
    for (const query of changed) {
      const answer = await browser.open(`${service.url}/api/auth/callback?${new URLSearchParams(query)}`)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    }
    expect(browser.cookies(service.url).has('parley_session')).toBe(false)
    const tampered = new Browser()
    const next = await authorize(tampered, login)
    for (const [name, value] of tampered.cookies(service.url))
      tampered.cookies(service.url).set(name, value.replace(/.{4}$/, 'AAAA'))
    expect((await tampered.open(next)).body).toContain('This sign-in has expired')
  })

  it('checks the nonce, the PKCE verifier and the time', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    const { secrets } = service.ctx
    for (const change of [{ nonce: 'another' }, { verifier: 'v'.repeat(43) }, {}]) {
      const browser = new Browser()
      const next = await authorize(browser, `${service.url}/api/auth/login`)
      const [[name, value]] = [...browser.cookies(service.url)] as [[string, string]]
      const login = { ...JSON.parse(secrets.open(value, 'sign-in')), ...change }
      browser.cookies(service.url).set(name, secrets.seal(JSON.stringify(login), 'sign-in'))
      const isChanged = Object.keys(change).length > 0
      if (!isChanged) offset += 11 * minute
      const { status, body } = await browser.open(next)
      expect([change, status]).toEqual([change, 400])
      expect(body).toContain(isChanged ? 'could not be signed in' : 'This sign-in has expired')
      expect(browser.cookies(service.url).has('parley_session')).toBe(false)
    }
  })

  it('signs in from several tabs at once, and forgets those that were abandoned', async () => {
    const service = await start()
    const browser = new Browser()
    const login = `${service.url}/api/auth/login?return_to=`
    const tabs = [await authorize(browser, `${login}/agents`), await authorize(browser, `${login}/prompts`)]
    expect((await browser.open(tabs[0] as string)).location).toBe(`${service.url}/agents`)
    expect((await browser.open(tabs[1] as string)).location).toBe(`${service.url}/prompts`)
    for (let tab = 0; tab < 8; tab++) await browser.open(login)
    expect([...browser.cookies(service.url).keys()].filter((name) => name.startsWith('parley_login_'))).toHaveLength(5)
  })

  it('never leads to another site', async () => {
    const service = await start()
    const attempts = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/\t/evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
      '/api/auth/login',
      '/%0d%0aset-cookie:x=y'.replace('%0d%0a', '\r\n'),
      'evil.example',
      '',
    ]
    const browser = new Browser()
    for (const target of attempts) {
      const query = `?return_to=${encodeURIComponent(target)}`
      const answer = await browser.open(await authorize(browser, `${service.url}/api/auth/login${query}`))
      expect([target, answer.location]).toEqual([target, `${service.url}/`])
    }
    const noFragment = '?return_to=%2Fagents%23token%3Dparley_x'
    const answer = await browser.open(await authorize(browser, `${service.url}/api/auth/login${noFragment}`))
    expect(answer.location).toBe(`${service.url}/agents`)
  })

  it('shows a page with a way out if the person cancels or the provider does not work', async () => {
    const service = await start()
    const browser = new Browser()
    const cancelled = await browser.open(await authorize(browser, `${service.url}/api/auth/login`, '', 'cancel'))
    expect([cancelled.status, cancelled.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(cancelled.body).toContain('Sign-in was cancelled')
    expect(cancelled.body).toContain('href="/api/auth/login?return_to=%2F"')
    expect(cancelled.body).not.toContain('<b>')
    expect(cancelled.headers.get('content-security-policy')).toContain("default-src 'none'")
    const next = await authorize(browser, `${service.url}/api/auth/login`)
    idp.settings.isDown = true
    const failed = await browser.open(next)
    expect([failed.status, failed.body.includes('Sign-in is not available')]).toEqual([503, true])
    const other = await start()
    expect((await new Browser().open(`${other.url}/api/auth/login`)).status).toBe(503)
  })

  it('says to a person without a role or workspace who they are and whom to ask', async () => {
    const service = await start({ OIDC_CONTACT: 'it@acme.example', OIDC_NAME: 'Acme' })
    idp.people.set('bob', { claims: { name: '<script>alert(1)</script>', email: 'bob@example.com' } })
    const { answer, browser } = await signIn(service, { account: 'bob' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; (bob@example.com)')
    expect(answer.body).not.toContain('<script>')
    expect(answer.body).toContain('no role in Parley')
    expect(answer.body).toContain('<a href="mailto:it@acme.example">it@acme.example</a>')
    expect(answer.body).toContain('href="/api/auth/login?prompt=select_account"')
    expect(answer.body).toMatch(/href="http[^"]+\/session\/end\?[^"]+">Sign out</)
    expect(browser.cookies(service.url).has('parley_session')).toBe(false)
    const again = await browser.follow(`${service.url}/api/auth/login?prompt=select_account`, callback)
    expect(again.body).toContain('<h1>Provider</h1>') // asks for the account again
    idp.people.set('eve', { claims: { name: 'Eve', role: 'editor', workspace: 'nowhere' } })
    const eve = await signIn(service, { account: 'eve' })
    expect([eve.answer.status, eve.answer.body.includes('no workspace in Parley')]).toEqual([403, true])
    const other = await start()
    idp.people.set('odd', { claims: { name: 'Odd', role: { admin: true } } })
    expect((await signIn(other, { account: 'odd' })).answer.body).toContain('Ask your administrator for access.')
  })

  it('reads nested claims, and takes the highest known role', async () => {
    const nested = { OIDC_ROLE_CLAIM: 'realm_access.roles', OIDC_GROUPS_CLAIM: 'https://acme.example/roles' }
    idp.people.set('ada', {
      claims: {
        role: 'owner',
        realm_access: { roles: ['offline_access', 'viewer', 'editor'] },
        'https://acme.example/roles': ['/hr', 7, '', 'sales'],
      },
    })
    const { me } = await signIn(await start(nested))
    expect((await me()).data).toMatchObject({ role: 'editor', groups: ['/hr', 'sales'] })
  })

  it('is not there without OIDC_CLIENT_ID', async () => {
    const { get } = await startService()
    expect((await get('/auth/methods', { token: null })).body.data).toEqual({ token: true, oidc: null })
    expect((await get('/auth/settings')).body.data.oidc).toBeNull()
    for (const path of ['login', 'callback?state=a&code=b'])
      expect((await get(`/auth/${path}`, { token: null })).body.code).toBe('not_found')
  })

  it('uses the public address for the redirect and the cookie', async () => {
    const service = await start({ PUBLIC_URL: 'https://parley.example.com/' })
    const { location, headers } = await new Browser().open(`${service.url}/api/auth/login`)
    expect(new URL(location).searchParams.get('redirect_uri')).toBe('https://parley.example.com/api/auth/callback')
    expect(headers.getSetCookie()[0]).toContain('; Secure')
    const behind = await start({ TRUST_PROXY: 'true' })
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.com' }
    const answer = await fetch(`${behind.url}/api/auth/login`, { redirect: 'manual', headers: forwarded })
    const redirect = new URL(answer.headers.get('location') ?? '').searchParams.get('redirect_uri')
    expect(redirect).toBe('https://chat.example.com/api/auth/callback')
  })
})

describe('the session of a person who signed in', () => {
  it('ends on sign-out, which leads to the page of the provider', async () => {
    const service = await start()
    const { as, me, browser } = await signIn(service)
    const out = (await service.post('/auth/logout', {}, as())).body.data
    const address = new URL(out.end_session_url)
    expect(address.origin + address.pathname).toBe(`${idp.issuer}/session/end`)
    expect(address.searchParams.get('post_logout_redirect_uri')).toBe(`${service.url}/`)
    expect((await me()).code).toBe('invalid_token')
    const page = await browser.follow(out.end_session_url)
    const xsrf = page.body.match(/name="xsrf" value="(\w+)"/)?.[1] ?? ''
    const left = await browser.open(`${idp.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    expect(left.location).toBe(`${service.url}/`)
    const login = await browser.follow(`${service.url}/api/auth/login`, callback)
    expect(login.body).toContain('<h1>Provider</h1>') // nobody is signed in there any more
    const token = await service.post('/auth/session', { token: service.token }, { token: null })
    const cookie = token.headers.get('set-cookie')?.split(';')[0] ?? ''
    const plain = await service.post('/auth/logout', {}, { token: null, headers: { ...fromConsole, cookie } })
    expect(plain.body.data).toEqual({ end_session_url: null })
  })

  it('takes role and groups anew when the tokens expire, asking the provider once', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    idp.people.set('ada', { claims: { role: 'admin', groups: ['hr', 'sales'] } })
    const { me, as } = await signIn(service)
    const before = idp.timesAsked('/token')
    idp.people.set('ada', { claims: { role: 'viewer', groups: ['sales'] } })
    expect((await me()).data).toMatchObject({ role: 'admin', groups: ['hr', 'sales'] })
    offset += 2 * minute
    const answers = await Promise.all(Array.from({ length: 8 }, () => service.get('/me', as())))
    for (const { body } of answers) expect(body.data).toMatchObject({ role: 'viewer', groups: ['sales'] })
    expect(idp.timesAsked('/token')).toBe(before + 1)
    offset += 2 * minute
    expect((await me()).data.role).toBe('viewer') // with the rotated refresh token
    expect(idp.timesAsked('/token')).toBe(before + 2)
  })

  it('moves with its person to another workspace', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    await service.post('/workspaces', { name: 'Acme' })
    const { me } = await signIn(service)
    idp.people.set('ada', { claims: { role: 'editor', workspace: 'Acme' } })
    offset += 2 * minute
    expect((await me()).data.workspace.name).toBe('Acme')
  })

  it('ends when the account or the role is gone', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    idp.people.set('bob', { claims: { role: 'editor' } })
    const [ada, bob] = [await signIn(service), await signIn(service, { account: 'bob' })]
    idp.people.delete('ada')
    idp.people.set('bob', { claims: {} })
    for (const { me } of [ada, bob]) expect((await me()).data.role).toBe('editor')
    offset += 2 * minute
    for (const { me } of [ada, bob]) expect((await me()).code).toBe('invalid_token')
    expect(await service.ctx.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  it('decides about the schedules of its person, who loses a role or the account without another request', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    const { as } = await signIn(service)
    const agent = (await service.post('/agents', { name: 'A' })).body.data.id
    const action = { type: 'message', agent_id: agent, message: 'Report' }
    const made = await service.post('/schedules', { name: 'S', cron: '0 0 1 1 *', action }, as())
    const outcome = async () => {
      const { id } = (await service.post(`/schedules/${made.body.data.id}/run`)).body.data
      return until(async () => {
        const { data } = (await service.get(`/schedules/${made.body.data.id}/runs`)).body
        const run = data.find((each: { id: string }) => each.id === id)
        return run.finished_at !== null && run.code
      })
    }
    idp.people.set('ada', { claims: { role: 'viewer' } })
    offset += 2 * minute
    expect(await outcome()).toBe('forbidden')
    idp.people.delete('ada')
    offset += 2 * minute
    expect(await outcome()).toBe('creator_gone')
    expect(await outcome()).toBe('creator_gone')
  })

  it('ends at the next refresh after the person signed out at the provider', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    const { me, browser } = await signIn(service)
    const page = await browser.follow(`${idp.issuer}/session/end`)
    const xsrf = page.body.match(/name="xsrf" value="(\w+)"/)?.[1] ?? ''
    await browser.open(`${idp.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    expect((await me()).data.role).toBe('editor')
    offset += 2 * minute
    expect((await me()).code).toBe('invalid_token')
  })

  it('outlives a provider that is away for a moment, but not for longer', async () => {
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    const { me, as } = await signIn(service)
    idp.settings.isDown = true
    offset += 2 * minute
    expect((await me()).data.role).toBe('editor')
    offset += 13 * minute
    expect((await me()).data.role).toBe('editor')
    offset += 2 * minute
    const refused = await service.get('/me', as())
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'overloaded', '5'])
    idp.settings.isDown = false
    expect((await me()).data.role).toBe('editor')
    // A refresh that stops halfway has already replaced the refresh token.
    Object.assign(idp.settings, { userinfoIsDown: true })
    offset += 2 * minute
    expect((await me()).data.role).toBe('editor')
    idp.settings.userinfoIsDown = false
    idp.people.set('ada', { claims: { role: 'viewer' } })
    expect((await me()).data.role).toBe('editor')
    offset += minute
    expect((await me()).data.role).toBe('viewer')
  })

  it('ends with the ID token if there is no refresh token', async () => {
    let offset = 0
    idp.settings.refreshTokens = false
    const service = await start({}, () => Date.now() + offset)
    const { me } = await signIn(service)
    offset += 9 * hour
    expect((await me()).data.role).toBe('editor')
    offset += hour + minute
    expect((await me()).code).toBe('invalid_token')
  })

  it('tolerates clocks that differ by seconds, and new keys of the provider', async () => {
    for (const skew of [-25 * second, 25 * second]) {
      const service = await start({}, () => Date.now() + skew)
      expect((await signIn(service)).answer.status).toBe(302)
    }
    let offset = 0
    const service = await start({}, () => Date.now() + offset)
    const { me } = await signIn(service)
    await idp.rotateKeys()
    offset += 2 * minute
    expect((await me()).data.role).toBe('editor')
    expect((await signIn(service)).answer.status).toBe(302)
  })
})

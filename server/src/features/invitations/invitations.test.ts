import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { type Json, type Service, startService, until } from '../../../test/harness.ts'
import { type SmtpServer, startSmtpServer } from '../../../test/smtp-server.ts'

const invite = async (service: Service, body: object = {}): Promise<Json> => {
  const { status, body: created } = await service.post('/invitations', body)
  expect(status).toBe(201)
  return created.data
}

/** Accepts without a token, like a browser. */
const accept = (service: Service, code: string, name = 'Ada Lovelace', headers: Record<string, string> = {}) =>
  service.post('/invitations/accept', { code, name }, { token: null, headers })

const readCookie = (headers: Headers): string => headers.get('set-cookie')?.split(';')[0] ?? ''

const asBrowser = (cookie: string) => ({ token: null, headers: { cookie, 'x-requested-with': 'parley' } })

describe('an invitation', () => {
  it('lets a person join by a link that works once', async () => {
    const service = await startService()
    const { link, code, ...shown } = await invite(service, { groups: ['sales', 'finance'] })
    expect(shown).toMatchObject({ role: 'user', groups: ['finance', 'sales'], email: null, accepted_at: null })
    expect(link).toBe(`${service.url}/invitation#code=${code}`)
    expect(JSON.stringify((await service.get(`/invitations/${shown.id}`)).body)).not.toContain(code)

    const joined = await accept(service, code)
    expect([joined.status, joined.body.data]).toMatchObject([
      201,
      { role: 'user', groups: ['finance', 'sales'], token: { name: 'Ada Lovelace' }, session: { remember: true } },
    ])
    const cookie = readCookie(joined.headers)
    expect((await service.get('/me', asBrowser(cookie))).body.data).toMatchObject({ role: 'user' })
    const { user_id } = joined.body.data
    expect(user_id).toMatch(/^ada-lovelace-/)
    expect((await service.get(`/invitations/${shown.id}`)).body.data).toMatchObject({
      user_id,
      accepted_at: expect.any(String),
    })
    const [person] = (await service.get(`/users?user_id=${user_id}`)).body.data
    expect(person).toMatchObject({ name: 'Ada Lovelace', role: 'user', groups: ['finance', 'sales'] })

    const again = await accept(service, code)
    expect([again.status, again.body.code, again.headers.get('set-cookie')]).toEqual([404, 'not_found', null])
  })

  it('is accepted once, however many try at the same time', async () => {
    const service = await startService()
    const { code } = await invite(service)
    const attempts = await Promise.all([1, 2, 3, 4].map((n) => accept(service, code, `Person ${n}`)))
    expect(attempts.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404])
    expect((await service.get('/users')).body.data).toHaveLength(1)
  })

  it('names the person by their address, so that they stay the same person', async () => {
    const service = await startService()
    const first = await accept(service, (await invite(service, { email: 'Ada@Example.com' })).code)
    const second = await accept(service, (await invite(service, { email: 'ada@example.com', role: 'editor' })).code)
    expect([first, second].map(({ body }) => [body.data.user_id, body.data.role])).toEqual([
      ['ada@example.com', 'user'],
      ['ada@example.com', 'editor'],
    ])
    const again = await invite(service, { user_id: 'ada@example.com', groups: ['finance'] })
    expect(again.link).toMatch(/&again$/)
    const signedIn = await service.post('/invitations/accept', { code: again.code }, { token: null })
    expect(signedIn.body.data).toMatchObject({ user_id: 'ada@example.com', groups: ['finance'] })
    const [ada, ...others] = (await service.get('/users?q=ada')).body.data
    expect([ada.name, ada.tokens, others]).toEqual(['Ada Lovelace', 3, []])
    expect((await service.post('/invitations/accept', { code: again.code }, { token: null })).status).toBe(404)
    const nameless = (await invite(service)).code
    expect((await service.post('/invitations/accept', { code: nameless }, { token: null })).status).toBe(400)
    expect((await accept(service, nameless)).status).toBe(201)
    const same = await Promise.all(
      ['Bo', 'Bo'].map(async (name) => accept(service, (await invite(service)).code, name)),
    )
    expect(new Set(same.map(({ body }) => body.data.user_id)).size).toBe(2)
  })

  it('does not work after it expired or was deleted', async () => {
    let now = Date.now()
    const service = await startService({ now: () => now })
    const soon = await invite(service, { expires_at: new Date(now + 60_000).toISOString() })
    const deleted = await invite(service)
    await service.remove(`/invitations/${deleted.id}`)
    expect((await accept(service, deleted.code)).status).toBe(404)
    now += 60_000
    expect((await accept(service, soon.code)).status).toBe(404)
    expect((await accept(service, 'guessed')).body.error).toContain('Ask for a new one')
  })

  it('takes away what it gave when its token is revoked', async () => {
    const service = await startService()
    const { body, headers } = await accept(service, (await invite(service)).code)
    expect((await service.remove(`/tokens/${body.data.token.id}`)).status).toBe(200)
    expect((await service.get('/me', asBrowser(readCookie(headers)))).status).toBe(401)
  })

  it('is made by admins, for roles up to their own', async () => {
    const service = await startService()
    const admin = { token: await service.tokenFor('admin') }
    expect((await service.post('/invitations', { role: 'admin' }, admin)).status).toBe(201)
    const higher = await service.post('/invitations', { role: 'owner' }, admin)
    expect([higher.status, higher.body.error]).toEqual([403, expect.stringContaining('may not invite')])
    const editor = { token: await service.tokenFor('editor') }
    expect((await service.post('/invitations', {}, editor)).status).toBe(403)
    expect((await service.get('/invitations', editor)).status).toBe(403)
  })

  it('says what is wrong with it', async () => {
    const service = await startService()
    const wrong: [object, string][] = [
      [{ role: 'guest' }, 'role'],
      [{ email: 'ada' }, 'email'],
      [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ expires_at: '2999-01-01T00:00:00Z' }, 'expires_at'],
      [{ groups: [''] }, 'groups[0]'],
    ]
    for (const [body, field] of wrong) {
      const answer = await service.post('/invitations', body)
      expect([answer.status, answer.body.details[0].path]).toEqual([400, field])
    }
    const { code } = await invite(service)
    expect((await accept(service, code, '')).status).toBe(400)
    const foreign = await accept(service, code, 'Eve', { 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
    expect((await accept(service, code)).status).toBe(201)
  })

  it('is recorded, without its code', async () => {
    const service = await startService()
    const { code, id } = await invite(service)
    await accept(service, code)
    const { data } = (await service.get('/audit?limit=20')).body
    expect(data.map(({ action, kind }: Json) => `${action} ${kind}`)).toEqual(
      expect.arrayContaining(['create invitation', 'accept invitation']),
    )
    expect(JSON.stringify(data)).not.toContain(code)
    expect(JSON.stringify(data)).toContain(id)
  })
})

describe('an invitation by e-mail', () => {
  const withMail = ({ url }: SmtpServer) =>
    startService({
      environment: {
        SMTP_URL: url,
        SMTP_FROM: 'Parley <parley@example.com>',
        PUBLIC_URL: 'https://parley.example.com',
      },
    })
  const ended = (service: Service, id: string) =>
    until(async () => {
      const { data } = (await service.get(`/invitations/${id}`)).body
      return data.email_status !== 'pending' && data
    })

  it('is sent again until the mail server takes it, and its link lets the person join', async () => {
    const server = await startSmtpServer((nth) => (nth === 1 ? 451 : 250))
    const service = await withMail(server)
    const logged = vi.spyOn(service.ctx.log, 'warn')
    const { id, link, email_status } = await invite(service, { email: 'ada@example.com' })
    expect(email_status).toBe('pending')
    expect(await ended(service, id)).toMatchObject({ email_status: 'sent', email_error: null })
    expect(server.mails).toMatchObject([{ to: 'ada@example.com', text: expect.stringContaining(`\n${link}\n`) }])
    expect(server.mails[0]?.text).toContain('From: Parley <parley@example.com>')
    expect(server.credentials).toEqual(['parley\0p@ssword', 'parley\0p@ssword'])
    const { rows } = await sql`select mail_sealed from invitation`.execute(service.ctx.db)
    expect(rows).toEqual([{ mail_sealed: null }])
    const lines = JSON.stringify(logged.mock.calls)
    expect(lines).toContain('451')
    for (const secret of ['p@ssword', link.split('#code=')[1]]) expect(lines).not.toContain(secret)

    const nobody = await invite(service)
    expect(nobody.email_status).toBeNull()
    expect((await service.get('/auth/settings')).body.data.mail).toMatchObject({ host: '127.0.0.1' })
  })

  it('says what the mail server said when it refuses the message, and the link still works', async () => {
    const service = await withMail(await startSmtpServer(() => 550))
    const { id, code } = await invite(service, { email: 'nobody@example.com' })
    const shown = await ended(service, id)
    expect([shown.email_status, shown.email_error]).toEqual(['failed', expect.stringContaining('550 not now')])
    expect((await accept(service, code)).status).toBe(201)
  })

  it('is not sent without a mail server', async () => {
    const service = await startService()
    expect(await invite(service, { email: 'ada@example.com' })).toMatchObject({ email_status: null, email_error: null })
    expect((await service.get('/auth/settings')).body.data.mail).toBeNull()
  })
})

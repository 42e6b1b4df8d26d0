import { describe, expect, it } from 'vitest'
import { withCalendar, withDiary } from '../../../../test/account-stage.ts'
import { consent, oauthServer } from '../../../../test/oauth-server.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { expireNeeds } from '../../conversations/approvals/needs.ts'
import { boundResource, covers } from './discovery.ts'

const findLink = (message: { tool_calls: { connection: { authorize_url: string } }[] }): string =>
  message.tool_calls[0]?.connection.authorize_url ?? ''
const scopesIn = (link: string): string[] => new URL(link).searchParams.get('scope')?.split(' ').sort() ?? []
const clocked = () => {
  const clock = { now: Date.now() }
  return { clock, start: { environment: mayCallLoopback.environment, now: () => clock.now, shared: undefined } }
}

describe('a tool that changes', () => {
  it('waits for an account at its new address, and never at the old one', async () => {
    const { ask, connect, put, tool, oauth, ctx, post, tokenFor, callback, get, api } = await withCalendar()
    const first = await ask()
    await connect(first.message)
    await first.finished()
    const other = await scriptedApi()
    const move = (url: string) =>
      put(`/api-tools/${tool}`, {
        url: `${url}/events`,
        auth: {
          type: 'oauth2',
          client_id: 'parley',
          client_secret: 'again',
          authorization_url: `${oauth.url}/authorize`,
          token_url: `${oauth.url}/token`,
        },
      })
    expect((await move(other.url)).status).toBe(200)
    const second = await ask()
    expect(second.message.status).toBe('awaiting_connection')
    for (const _ of [1, 2]) await expireNeeds(ctx)
    expect(findLink(await second.read())).toBe(findLink(second.message))

    await move(api.url)
    const stale = await callback(await consent(findLink(second.message)))
    expect([stale.status, stale.body.error]).toEqual([400, expect.stringContaining('address of the tool has changed')])
    const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
    const { authorize_url } = (await post('/connections', { tool_id: tool }, ada)).body.data
    expect((await callback(await consent(authorize_url))).status).toBe(200)
    const { tool_calls } = await second.finished()
    expect(tool_calls).toMatchObject([{ status: 'failed', result: expect.stringContaining('was changed while') }])
    expect(other.requests).toHaveLength(0)

    // Without accounts, nothing of them is kept.
    expect((await put(`/api-tools/${tool}`, { auth: { type: 'none' } })).status).toBe(200)
    expect((await get('/connections?user_id=ada')).body.data).toEqual([])
  })

  it('asks for scopes that were added, and for those that the API wants for a call', async () => {
    const { ask, connect, put, tool, oauth } = await withCalendar({}, { callScope: 'calendar.write' })
    const first = await ask()
    await connect(first.message)
    const more = await first.finished('awaiting_connection', ['calendar.read', 'calendar.write'])
    expect(scopesIn(findLink(more))).toEqual(['calendar.read', 'calendar.write'])
    await connect(more)
    expect((await first.finished()).tool_calls[0]).toMatchObject({ status: 'completed', result: '{"event":"Lunch"}' })
    const auth = {
      type: 'oauth2',
      client_id: 'parley',
      authorization_url: `${oauth.url}/authorize`,
      token_url: `${oauth.url}/token`,
    }
    await put(`/api-tools/${tool}`, { auth: { ...auth, scopes: ['calendar.read', 'calendar.write'] } })
    expect((await ask()).message.status).toBe('completed')
    await put(`/api-tools/${tool}`, { auth: { ...auth, scopes: ['calendar.read', 'mail.read'] } })
    const third = await ask()
    expect([third.message.status, scopesIn(findLink(third.message))]).toEqual([
      'awaiting_connection',
      ['calendar.read', 'mail.read'],
    ])
  })
})

it('a call goes on after the node that took the callback has died, however many others wait', async () => {
  const { ask, connect, ctx } = await withCalendar({}, { start: { shared: undefined } })
  const { message, read, finished } = await ask()
  ctx.state['api-tools'].accounts.onConnected = async () => {}
  const expires_at = ctx.now() + 1_000_000
  const row = await ctx.db
    .selectFrom('waiting_run')
    .selectAll()
    .where('kind', '=', 'connection')
    .executeTakeFirstOrThrow()
  const others = Array.from({ length: 600 }, (_, n) => ({
    ...row,
    id: `a${n}`,
    user_id: 'bob',
    expires_at: expires_at - n,
  }))
  await ctx.db.insertInto('waiting_run').values(others).execute()
  await connect(message)
  expect((await read()).status).toBe('awaiting_connection')
  await expireNeeds(ctx)
  expect((await finished()).content).toBe('Done')
})

it('the link of a call is shown to the person and to programs, and to nobody else who reads the reply', async () => {
  const { ask, post, agent, get, tokenFor, url } = await withCalendar()
  const { id } = (await post('/conversations', { agent_id: agent, user_id: 'ada', shared: true })).body.data
  const { message } = await ask(id)
  const link = findLink(message)
  const readers = [
    [await tokenFor('user', { user_id: 'ada' }), link],
    [await tokenFor('editor'), link],
    [await tokenFor('user', { user_id: 'eve' }), ''],
    [await tokenFor('admin', { user_id: 'eve' }), ''],
  ] as const
  for (const [token, shown] of readers) {
    const { data } = (await get(`/conversations/${id}/messages`, { token })).body
    expect(findLink(data.at(-1))).toBe(shown)
  }
  const [token] = readers[3]
  const events = await fetch(`${url}/api/conversations/${id}/messages/${message.id}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await events.text()
  expect(text).toContain('"type":"connection.required"')
  expect(text).toContain('"authorize_url":null')
})

it('the account of the workspace is connected by the session or the token of an editor', async () => {
  const { post, tool, callback, tokenFor, get, oauth } = await withCalendar({}, { auth: { account: 'workspace' } })
  const target = await consent((await post('/connections', { tool_id: tool })).body.data.authorize_url)
  const ada = await tokenFor('user', { user_id: 'ada' })
  for (const token of [null, ada, 'invented']) {
    const answer = await callback(target, { token })
    expect([answer.status, answer.body.error]).toEqual([403, expect.stringContaining('Sign in as an editor')])
  }
  expect(oauth.tokenRequests).toHaveLength(0)
  expect((await callback(target, { token: await tokenFor('editor') })).status).toBe(200)
  expect((await get('/connections?all=true')).body.data).toMatchObject([{ account: 'workspace', user_id: null }])
})

it('a registered client that the authorization server has forgotten, or that has ended, is registered again', async () => {
  const { clock, start } = clocked()
  const here = await withDiary({ lifetime: 300 }, undefined, undefined, {}, start)
  const { oauth, open, tool, tokenFor, post, get } = here
  const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
  const link = async () => (await post('/connections', { tool_id: tool }, ada)).body.data.authorize_url as string
  expect((await open(await link())).status).toBe(200)
  clock.now += 600_000
  oauth.settings.tokenAnswer = () => ({ status: 401, body: { error: 'invalid_client' } })
  const failed = await post(
    `/api-tools/${tool}/test`,
    { tool: 'today', arguments: {} },
    { token: await tokenFor('editor', { user_id: 'ada' }) },
  )
  expect(failed.body.data.error).toContain('No account is connected')
  expect((await get('/connections?user_id=ada')).body.data[0].status).toBe('revoked')
  delete oauth.settings.tokenAnswer
  oauth.settings.registration = {
    client_secret: 'the secret',
    client_secret_expires_at: Math.floor(clock.now / 1000) + 60,
  }
  expect((await open(await link())).status).toBe(200)
  expect(oauth.registered).toHaveLength(2)
  clock.now += 61_000
  oauth.settings.registration = {}
  expect((await open(await link())).status).toBe(200)
  expect(oauth.registered).toHaveLength(3)
  oauth.settings.tokenAnswer = () => ({ status: 401, body: { error: 'invalid_client' } })
  expect((await open(await link())).status).toBe(502)
  delete oauth.settings.tokenAnswer
  await link()
  expect(oauth.registered).toHaveLength(4)
})

it('a client that was given goes only to the issuer that it was first used at', async () => {
  const auth = { client_id: 'parley', client_secret: 'the secret of the client' }
  const { guarded, oauth, tool, tokenFor, post, put } = await withDiary({}, undefined, undefined, auth)
  const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
  const connect = () => post('/connections', { tool_id: tool }, ada)
  expect((await connect()).status).toBe(200)
  const evil = await oauthServer()
  guarded.url = evil.url
  const moved = await connect()
  expect([moved.status, moved.body.error]).toEqual([502, expect.stringContaining(`was first used at (${oauth.url})`)])
  await put(`/api-tools/${tool}`, { auth: { type: 'oauth2', ...auth } })
  expect((await connect()).body.data.authorize_url).toContain(evil.url)
})

it('the issuer of an answer is compared whole where it was discovered', async () => {
  const metadata = { registration_endpoint: undefined }
  const { oauth, tool, tokenFor, post, open } = await withDiary({ metadata }, undefined, undefined, {
    client_id: 'parley',
  })
  const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
  const link = async () => (await post('/connections', { tool_id: tool }, ada)).body.data.authorize_url
  oauth.settings.answersAs = `${oauth.url}/other`
  expect([(await open(await link())).status, oauth.tokenRequests.length]).toEqual([502, 0])
  delete oauth.settings.answersAs
  expect((await open(await link())).status).toBe(200)
})

it.each(['https://graph.example/users/{id}/events', 'https://graph.example/v1/events?day={day}'])(
  'the resource of %s covers it',
  (url) => {
    expect(covers(boundResource({ type: 'http', url } as Parameters<typeof boundResource>[0]), url)).toBe(true)
  },
)

it('a server that offers people different tools has those of all, and each person gets their own', async () => {
  const { server, tool, tokenFor, post, open, get, provider, say, talk } = await withDiary()
  const [today] = server.tools
  const shown = { ...today, name: 'audit' } as (typeof server.tools)[number]
  const editors: Record<string, { token: string }> = {}
  const offer = async (user: string, more: typeof server.tools) => {
    server.tools.splice(1, 1, ...more)
    const token = { token: await tokenFor('editor', { user_id: user }) }
    editors[user] ??= token
    const { authorize_url } = (await post('/connections', { tool_id: tool }, token)).body.data
    expect((await open(authorize_url)).status).toBe(200)
  }
  await offer('ada', [])
  await offer('bob', [shown])
  const path = `/api-tools/${tool}/tools`
  const { version } = (await get(path)).body.data
  const accepted = (await post(`${path}/accept`, { version })).body.data
  expect(accepted.tools.map(({ name, change }: { name: string; change: null }) => [name, change])).toEqual([
    ['today', null],
    ['audit', null],
  ])
  server.tools.splice(1, 1)
  const refreshed = (await post(`${path}/refresh`, {}, editors.ada)).body.data
  expect([refreshed.has_changes, refreshed.tools.length]).toEqual([false, 2])
  await say(await talk(), 'Hi', {}, editors.ada)
  const specs = (provider.requests.at(-1)?.body.tools ?? []) as { function: { name: string } }[]
  expect(specs.map((each) => each.function.name)).toEqual(['diary_today'])
})

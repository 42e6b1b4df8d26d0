import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { withCalendar, withDiary as withServer } from '../../../../test/account-stage.ts'
import { type Json, startService, until } from '../../../../test/harness.ts'
import { consent } from '../../../../test/oauth-server.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { takeServiceLog } from '../../../../test/service-log.ts'
import type { Stage } from '../../../../test/stage.ts'

type Readable = Pick<Stage, 'get' | 'post' | 'url' | 'token' | 'provider'>

/** Everything that people and programs can read about a reply: also the log, the prompts and the archive of the person. */
async function textsAbout({ get, post, url, token, provider }: Readable, id: string, reply: string) {
  const read = ['/connections?user_id=ada', `/conversations/${id}`, '/conversations/export', '/audit?limit=100']
  const paths = [...read, `/conversations/${id}/messages/${reply}/trace`]
  const shown = await Promise.all(paths.map(async (path) => [path, JSON.stringify((await get(path)).body)] as const))
  const [person] = (await get('/users?user_id=ada')).body.data
  const job = (await post(`/users/${person.id}/export`)).body.data.id
  await until(async () => (await get(`/user-jobs/${job}`)).body.data.status === 'completed')
  const headers = { authorization: `Bearer ${token}` }
  const archive = await (await fetch(`${url}/api/user-jobs/${job}/content`, { headers })).arrayBuffer()
  const files = Object.entries(unzipSync(new Uint8Array(archive))).map(
    ([name, file]) => [name, strFromU8(file)] as const,
  )
  expect(files.map(([name]) => name)).toContain('connections.jsonl')
  const prompts = JSON.stringify(provider.requests.map(({ body }) => body))
  return [...shown, ...files, ['prompts', prompts] as const, ['log', takeServiceLog()] as const]
}

describe('a tool that uses the account of the person who asks', () => {
  it('waits until the account is connected, then goes on', async () => {
    takeServiceLog()
    const here = await withCalendar()
    const { ask, connect, oauth, api, tool, get, made } = here
    expect(made.auth).toMatchObject({ type: 'oauth2', account: 'user', client_secret_set: true })
    expect(JSON.stringify(made)).not.toContain('the secret of the client')
    const { message, finished, id } = await ask()
    expect([message.status, message.tool_calls[0].status, api.requests.length]).toEqual([
      'awaiting_connection',
      'awaiting_connection',
      0,
    ])
    const url = new URL(message.tool_calls[0].connection.authorize_url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'parley',
      code_challenge_method: 'S256',
      scope: 'calendar.read',
      resource: api.url,
    })
    const done = await connect(message)
    expect([done.status, done.body.message]).toEqual([200, 'calendar is connected.'])
    const reply = await finished()
    expect(reply).toMatchObject({ content: 'Done', tool_calls: [{ status: 'completed', result: '{"event":"Lunch"}' }] })
    expect(reply.tool_calls[0].connection).toBeUndefined()
    expect(oauth.tokenRequests[0]?.get('resource')).toBe(api.url)
    const [connection] = (await get('/connections?user_id=ada')).body.data
    expect(connection).toMatchObject({
      tool_id: tool,
      tool_name: 'calendar',
      account: 'user',
      user_id: 'ada',
      issuer: oauth.url,
      scopes: ['calendar.read'],
      status: 'connected',
    })
    const state = url.searchParams.get('state') ?? ''
    const texts = await textsAbout(here, id, message.id)
    for (const secret of ['token-number', 'the secret of the client', state, oauth.tokenRequests[0]?.get('code') ?? ''])
      expect(texts.flatMap(([place, text]) => (text.includes(secret) ? [`${secret} in ${place}`] : []))).toEqual([])
  })

  it('shows what is missing as the last event, and the rest after it', async () => {
    const { talk, post, provider, url, token, connect, get } = await withCalendar()
    provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const id = await talk()
    const streamed = await fetch(`${url}/api/conversations/${id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hi', stream: true }),
    })
    const events = [...(await streamed.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''))
    expect(events.map(({ type }) => type)).toEqual(['message.started', 'tool.started', 'connection.required'])
    expect(events[2]).toMatchObject({
      tool_call_id: 'c1',
      name: 'calendar',
      authorize_url: expect.stringContaining('/authorize?'),
    })
    const [message] = (await get(`/conversations/${id}/messages`)).body.data.slice(-1)
    await connect(message)
    await until(async () => (await get(`/conversations/${id}/messages/${message.id}`)).body.data.status === 'completed')
    expect((await post('/connections', { tool_id: 'api_none' })).body.code).toBe('unknown_reference')
  })

  it('waits again when the grant was revoked, and renews it by itself before', async () => {
    const clock = { now: Date.now() }
    const start = { environment: mayCallLoopback.environment, now: () => clock.now, shared: undefined }
    const { ask, connect, oauth, get } = await withCalendar({ lifetime: 300 }, { start })
    const first = await ask()
    await connect(first.message)
    await first.finished()
    clock.now += 290_000
    const renewed = await ask()
    expect(renewed.message).toMatchObject({ status: 'completed', tool_calls: [{ status: 'completed' }] })
    expect(oauth.tokenRequests.map((each) => each.get('grant_type'))).toEqual(['authorization_code', 'refresh_token'])
    oauth.forget()
    clock.now += 290_000
    const again = await ask()
    expect(again.message.status).toBe('awaiting_connection')
    expect((await get('/connections?user_id=ada')).body.data[0].status).toBe('revoked')
    await connect(again.message)
    expect((await again.finished()).tool_calls[0].status).toBe('completed')
    expect((await get('/connections?user_id=ada')).body.data).toHaveLength(1)
  })

  it('renews once, however many calls need it at the same time', async () => {
    const clock = { now: Date.now() }
    const start = { environment: mayCallLoopback.environment, now: () => clock.now, shared: undefined }
    const { ask, connect, oauth } = await withCalendar({ lifetime: 300 }, { start })
    const first = await ask()
    await connect(first.message)
    await first.finished()
    clock.now += 290_000
    const replies = await Promise.all([ask(), ask(), ask()])
    expect(replies.map(({ message }) => message.status)).toEqual(['completed', 'completed', 'completed'])
    expect(oauth.tokenRequests.filter((each) => each.get('grant_type') === 'refresh_token')).toHaveLength(1)
  })

  it('goes on without the account when nobody connects it in time', async () => {
    const clock = { now: Date.now() }
    const start = { environment: mayCallLoopback.environment, now: () => clock.now, shared: undefined }
    const { ask, connect } = await withCalendar({}, { start, tool: { approval_timeout_minutes: 5 } })
    const { message, finished } = await ask()
    clock.now += 6 * 60_000
    const reply = await finished()
    expect(reply.tool_calls[0]).toMatchObject({
      status: 'refused',
      result: expect.stringContaining('Nobody connected'),
    })
    expect((await connect(message)).status).toBe(400)
  })

  it('is an error where there is no person, or another one', async () => {
    const { ask, post, provider, say, agent, tokenFor, talk } = await withCalendar()
    const nobody = (await post('/conversations', { agent_id: agent })).body.data.id
    const { message } = await ask(nobody)
    expect(message).toMatchObject({
      status: 'completed',
      tool_calls: [{ status: 'failed', result: expect.stringContaining('has no user') }],
    })
    const eve = { token: await tokenFor('editor', { user_id: 'eve' }) }
    provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const written = (await say(await talk(), 'Hi', {}, eve)).body.data
    expect(written.tool_calls[0]).toMatchObject({ status: 'failed', result: expect.stringContaining('another person') })
  })

  it('is disconnected by the person, and the tokens are revoked and erased with them', async () => {
    const revocation = { revocation_endpoint: undefined }
    const { ask, connect, oauth, get, remove, tokenFor, post } = await withCalendar({ metadata: revocation })
    const first = await ask()
    await connect(first.message)
    await first.finished()
    const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
    const eve = { token: await tokenFor('user', { user_id: 'eve' }) }
    const [connection] = (await get('/connections', ada)).body.data
    expect((await get('/connections', eve)).body.data).toEqual([])
    expect((await get('/connections?all=true&user_id=ada', eve)).body.data).toEqual([])
    expect((await remove(`/connections/${connection.id}`, eve)).status).toBe(404)
    expect((await remove(`/connections/${connection.id}`, ada)).status).toBe(200)
    const again = await ask()
    expect(again.message.status).toBe('awaiting_connection')
    await connect(again.message)
    await again.finished()
    expect((await get('/connections?user_id=ada')).body.data).toHaveLength(1)
    expect(oauth.access.size).toBe(2)
    const [person] = (await get('/users?user_id=ada')).body.data
    expect((await post(`/users/${person.id}/erase`)).status).toBeLessThan(300)
    await until(async () => (await get('/connections?user_id=ada')).body.data.length === 0)
  })

  it('is offered to everybody who sees an agent that uses it, or one that such an agent asks', async () => {
    const { get, post, put, tool, agent, tokenFor, callback } = await withCalendar()
    const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
    const offered = async (options: object) => (await get('/connections/tools', options)).body.data
    const calendar = { tool_id: tool, tool_name: 'calendar', account: 'user', connected: false }
    await post('/agents', { name: 'Boss', tools: [agent] })
    expect(await offered(ada)).toEqual([calendar])
    const { authorize_url } = (await post('/connections', { tool_id: tool }, ada)).body.data
    expect((await callback(await consent(authorize_url))).status).toBe(200)
    expect(await offered(ada)).toEqual([{ ...calendar, connected: true }])
    await put(`/agents/${agent}`, { access: { users: ['eve'] } })
    expect([await offered(ada), await offered({ token: await tokenFor('user', { user_id: 'eve' }) })]).toEqual([
      [],
      [calendar],
    ])
    expect(await offered({ token: await tokenFor('editor', { user_id: 'bob' }) })).toEqual([calendar])
    expect((await get('/connections/tools', { token: await tokenFor('viewer', { user_id: 'ada' }) })).status).toBe(403)
  })

  it('may be one account of the workspace, which editors connect', async () => {
    const { ask, post, get, tool, tokenFor, callback, agent, provider } = await withCalendar(
      {},
      { auth: { account: 'workspace' } },
    )
    const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
    const own = (await post('/conversations', { agent_id: agent }, ada)).body.data.id
    provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const waiting = (await post(`/conversations/${own}/messages`, { message: 'Hi' }, ada)).body.data
    expect([waiting.status, waiting.tool_calls[0].connection.authorize_url]).toEqual(['awaiting_connection', null])
    expect((await post('/connections', { tool_id: tool }, ada)).status).toBe(403)
    const { authorize_url } = (await post('/connections', { tool_id: tool })).body.data
    const editor = { token: await tokenFor('editor') }
    expect((await callback(await consent(authorize_url), editor)).status).toBe(200)
    expect((await get('/connections/tools', ada)).body.data).toEqual([])
    expect((await get('/connections/tools', editor)).body.data).toMatchObject([
      { account: 'workspace', connected: true },
    ])
    expect((await ask()).message.status).toBe('completed')
  })
})

describe('attacks on a connection', () => {
  it('fail with a missing, invented or replayed state', async () => {
    const { ask, callback, oauth, url: serviceUrl } = await withCalendar()
    const { message } = await ask()
    const url = await consent(message.tool_calls[0].connection.authorize_url)
    for (const state of [null, '', 'invented', `${url.searchParams.get('state')}x`]) {
      const changed = new URL(url)
      if (state === null) changed.searchParams.delete('state')
      else changed.searchParams.set('state', state)
      const answer = await callback(changed)
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    }
    expect(oauth.tokenRequests).toHaveLength(0)
    const both = await Promise.all([callback(url), callback(url)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const replayed = await callback(url)
    expect([replayed.status, replayed.body.error]).toEqual([400, expect.stringContaining('used already')])
    const page = await fetch(`${serviceUrl}/api${url.pathname.replace(/^\/api/, '')}${url.search}`, {
      headers: { accept: 'text/html' },
    })
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('you can close this one')])
    expect(oauth.tokenRequests).toHaveLength(1)
  })

  it('fail with the link of another person', async () => {
    const { ask, callback, tokenFor, url, oauth } = await withCalendar()
    const { message } = await ask()
    const target = await consent(message.tool_calls[0].connection.authorize_url)
    const session = async (user_id: string) => {
      const token = await tokenFor('user', { user_id })
      const started = await fetch(`${url}/api/auth/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, remember: false }),
      })
      return { headers: { cookie: started.headers.get('set-cookie')?.split(';')[0] ?? '' } }
    }
    const foreign = await callback(target, await session('eve'))
    expect([foreign.status, foreign.body.error, oauth.tokenRequests.length]).toEqual([
      403,
      expect.stringContaining('another person'),
      0,
    ])
    expect((await callback(target, await session('ada'))).status).toBe(200)
  })

  it('fail with the answer of another issuer', async () => {
    const { ask, connect, oauth } = await withCalendar({ answersAs: 'https://evil.example' })
    const { message } = await ask()
    const answer = await connect(message)
    expect([answer.status, answer.body.code, oauth.tokenRequests.length]).toEqual([502, 'provider_error', 0])
  })

  it('fail with a token endpoint that redirects elsewhere', async () => {
    const elsewhere = await scriptedApi()
    const tokenAnswer = () => ({ status: 307, headers: { location: `${elsewhere.url}/token` } })
    const { ask, connect, callback } = await withCalendar({ tokenAnswer })
    const { message } = await ask()
    expect((await connect(message)).status).toBe(502)
    expect(elsewhere.requests).toHaveLength(0)
    const answer = await callback(
      new URL('http://x/api/connections/callback?redirect_uri=https://evil.example&return_to=//evil.example'),
    )
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
  })

  it('never get the token for another address', async () => {
    const { ask, connect, put, tool, oauth } = await withCalendar()
    const first = await ask()
    await connect(first.message)
    await first.finished()
    const other = await scriptedApi()
    const secret = {
      auth: {
        type: 'oauth2',
        client_secret: 'again',
        client_id: 'parley',
        authorization_url: first.message.tool_calls[0].connection.authorize_url.split('?')[0],
        token_url: `${oauth.url}/token`,
      },
    }
    expect((await put(`/api-tools/${tool}`, { url: `${other.url}/events`, ...secret })).status).toBe(200)
    expect((await ask()).message.status).toBe('awaiting_connection')
    expect(other.requests).toHaveLength(0)
  })

  it('cannot reach private addresses', async () => {
    const service = await startService()
    const auth = { type: 'oauth2', client_id: 'parley', authorization_url: 'https://login.example/authorize' }
    const made = await service.post('/api-tools', {
      name: 'inside',
      description: 'D',
      url: 'https://api.example/x',
      auth: { ...auth, token_url: 'http://169.254.169.254/token' },
    })
    expect([made.status, made.body.code]).toEqual([400, 'egress_blocked'])
  })
})

describe('an MCP server with accounts', () => {
  it('offers one tool that asks to connect, then its own tools', async () => {
    const { provider, talk, say, open, oauth, server, get } = await withServer()
    provider.next(
      { toolCalls: [{ id: 'c1', name: 'diary', arguments: '{}' }] },
      { toolCalls: [{ id: 'c2', name: 'diary_today', arguments: '{}' }] },
    )
    const id = await talk()
    const { data } = (await say(id, 'Today?')).body
    expect([data.status, data.tool_calls[0].connection.name]).toEqual(['awaiting_connection', 'diary'])
    expect(new URL(data.tool_calls[0].connection.authorize_url).searchParams.get('resource')).toBe(server.url)
    expect(oauth.registered).toHaveLength(1)
    expect((await open(data.tool_calls[0].connection.authorize_url)).status).toBe(200)
    const reply = await until(async () => {
      const read = (await get(`/conversations/${id}/messages/${data.id}`)).body.data
      return read.status === 'completed' && read
    })
    expect(reply.tool_calls.map(({ name, result }: Json) => [name, result])).toEqual([
      ['diary', expect.stringContaining('diary_today')],
      ['diary_today', 'Lunch at noon'],
    ])
  })

  it('asks for further scopes that the server wants for a call', async () => {
    const callScope = 'diary.write'
    const { provider, talk, say, open, oauth, get, post, tool } = await withServer({}, undefined, callScope)
    provider.next(
      { toolCalls: [{ id: 'c1', name: 'diary', arguments: '{}' }] },
      { toolCalls: [{ id: 'c2', name: 'diary_today', arguments: '{}' }] },
    )
    const id = await talk()
    const { data } = (await say(id, 'Today?')).body
    await open(data.tool_calls[0].connection.authorize_url)
    const read = async () => (await get(`/conversations/${id}/messages/${data.id}`)).body.data
    const waiting = await until(async () => {
      const reply = await read()
      return reply.status === 'awaiting_connection' && reply.tool_calls[1] && reply
    })
    const again = new URL(waiting.tool_calls[1].connection.authorize_url)
    expect(again.searchParams.get('scope')?.split(' ').sort()).toEqual(['diary', callScope])
    const ada = (await post('/tokens', { name: 'ada', role: 'user', user_id: 'ada' })).body.data.token
    const fresh = (await post('/connections', { tool_id: tool }, { token: ada })).body.data.authorize_url
    expect(new URL(fresh).searchParams.get('scope')).toContain(callScope)
    await open(again.href)
    const reply = await until(async () => (await read()).status === 'completed' && read())
    expect(reply.tool_calls[1].result).toBe('Lunch at noon')
    expect([...oauth.access.values()].at(-1)?.scope).toContain(callScope)
  })

  it('takes the client by its metadata document', async () => {
    const { post, tool, tokenFor, oauth, url } = await withServer({
      metadata: { client_id_metadata_document_supported: true },
    })
    const ada = { token: await tokenFor('user', { user_id: 'ada' }) }
    const { authorize_url } = (await post('/connections', { tool_id: tool }, ada)).body.data
    const client = new URL(authorize_url).searchParams.get('client_id')
    expect([client, oauth.registered.length]).toEqual([`${url}/api/connections/client.json`, 0])
    expect(await (await fetch(client ?? '')).json()).toMatchObject({
      client_id: client,
      redirect_uris: [`${url}/api/connections/callback`],
    })
  })

  it('is refused if it names another resource, or an issuer that is not the one it says', async () => {
    const foreign = await withServer({}, 'https://bank.example/mcp')
    const ada = { token: await foreign.tokenFor('user', { user_id: 'ada' }) }
    const one = await foreign.post('/connections', { tool_id: foreign.tool }, ada)
    expect([one.status, one.body.error]).toEqual([502, expect.stringContaining('another resource')])
    const mixed = await withServer({ metadata: { issuer: 'https://bank.example' } })
    const bob = { token: await mixed.tokenFor('user', { user_id: 'bob' }) }
    expect((await mixed.post('/connections', { tool_id: mixed.tool }, bob)).status).toBe(502)
  })

  it('cannot send its discovery to a private address', async () => {
    const metadata = { token_endpoint: 'http://10.0.0.1/token' }
    const inside = await withServer({ metadata })
    const ada = { token: await inside.tokenFor('user', { user_id: 'ada' }) }
    const answer = await inside.post('/connections', { tool_id: inside.tool }, ada)
    expect([answer.status, answer.body.code]).toEqual([400, 'egress_blocked'])
  })
})

import { describe, expect, it } from 'vitest'
import { type Json, startService, until } from '../../../../test/harness.ts'
import { mcpServer } from '../../../../test/mcp-server.ts'
import { consent, oauthServer } from '../../../../test/oauth-server.ts'
import { mayCallLoopback, scriptedApi } from '../../../../test/scripted-api.ts'
import { stage } from '../../../../test/stage.ts'

type Behaviour = Parameters<typeof oauthServer>[0]

/** An agent with a tool that reads the calendar of the person who asks. */
async function withCalendar(behaviour: Behaviour = {}, more: { auth?: object; tool?: object; start?: object } = {}) {
  const oauth = await oauthServer(behaviour)
  const api = await scriptedApi(({ headers }) =>
    oauth.accepts(headers.authorization) ? { body: { event: 'Lunch' } } : { status: 401, body: { error: 'who?' } },
  )
  const here = await stage({ deltas: ['Done'] }, { ...mayCallLoopback, ...more.start })
  const made = await here.post('/api-tools', {
    name: 'calendar',
    description: 'Reads the calendar.',
    url: `${api.url}/events`,
    auth: {
      type: 'oauth2',
      client_id: 'parley',
      client_secret: 'the secret of the client',
      authorization_url: `${oauth.url}/authorize`,
      token_url: `${oauth.url}/token`,
      scopes: ['calendar.read'],
      ...more.auth,
    },
    ...more.tool,
  })
  expect(made.status).toBe(201)
  const tool = made.body.data.id
  await here.put(`/agents/${here.agent}`, { tools: [tool] })
  const ask = async (conversation?: string) => {
    here.provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const id = conversation ?? (await here.talk())
    const { data } = (await here.say(id, 'What is today?')).body
    const read = async () => (await here.get(`/conversations/${id}/messages/${data.id}`)).body.data
    return {
      id,
      message: data,
      read,
      finished: () => until(async () => (await read()).status === 'completed' && read()),
    }
  }
  const callback = (url: URL, options: object = {}) =>
    here.get(`${url.pathname}${url.search}`, { token: null, ...options })
  const connect = async (message: Json) => callback(await consent(message.tool_calls[0].connection.authorize_url))
  return { ...here, made: made.body.data, oauth, api, tool, ask, callback, connect }
}

describe('a tool that uses the account of the person who asks', () => {
  it('waits until the account is connected, then goes on', async () => {
    const { ask, connect, oauth, api, tool, get, made } = await withCalendar()
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
      account: 'user',
      user_id: 'ada',
      issuer: oauth.url,
      scopes: ['calendar.read'],
      status: 'connected',
    })
    expect(
      JSON.stringify((await get('/connections')).body) + JSON.stringify((await get(`/conversations/${id}`)).body),
    ).not.toContain('token-number')
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

  it('may be one account of the workspace, which editors connect', async () => {
    const { ask, post, tool, tokenFor, callback, agent, provider } = await withCalendar(
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
    expect((await callback(await consent(authorize_url))).status).toBe(200)
    expect((await ask()).message.status).toBe('completed')
  })
})

describe('attacks on a connection', () => {
  it('fail with a missing, invented or replayed state', async () => {
    const { ask, callback, oauth } = await withCalendar()
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
    expect((await callback(url)).status).toBe(200)
    const replayed = await callback(url)
    expect([replayed.status, replayed.body.error]).toEqual([400, expect.stringContaining('used already')])
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
  const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
  const today = { name: 'today', annotations: { readOnlyHint: true }, run: () => text('Lunch at noon') }

  async function withServer(behaviour: Behaviour = {}, resource?: string) {
    const oauth = await oauthServer(behaviour)
    const server = await mcpServer([today], { oauth, ...(resource && { resource }) })
    const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
    const made = await here.post('/api-tools', {
      name: 'diary',
      description: 'The diary.',
      type: 'mcp',
      url: server.url,
      auth: { type: 'oauth2' },
    })
    const { id: tool } = made.body.data
    await here.put(`/agents/${here.agent}`, { tools: [tool] })
    const open = async (authorizeUrl: string) => {
      const url = await consent(authorizeUrl)
      return here.get(`${url.pathname}${url.search}`, { token: null })
    }
    return { ...here, oauth, server, tool, open }
  }

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

import { describe, expect, it } from 'vitest'
import { type Json, startService } from '../../../test/harness.ts'
import { mayCallLoopback, scriptedApi } from '../../../test/scripted-api.ts'

const tool = (more: object = {}) => ({
  name: 'get_weather',
  description: 'Tells the weather.',
  url: 'https://api.example.com/weather/{city}',
  ...more,
})

describe('the resource', () => {
  it('has every field, with defaults', async () => {
    const { post, get, put, remove } = await startService()
    const made = await post('/api-tools', tool())
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      id: expect.stringMatching(/^api_/),
      name: 'get_weather',
      description: 'Tells the weather.',
      type: 'http',
      method: 'GET',
      url: 'https://api.example.com/weather/{city}',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      headers: {},
      query: {},
      body: null,
      auth: { type: 'none' },
      timeout_ms: 10_000,
      response_path: null,
      max_response_bytes: 1_048_576,
      requires_approval: false,
      approvers: null,
      approval_timeout_minutes: 1440,
      tools: null,
      source: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const { id } = made.body.data
    const seen = await get(`/api-tools/${id}`)
    expect(seen.body.data).toEqual(made.body.data)
    expect((await put(`/api-tools/${id}`, seen.body.data)).body.data).toEqual(seen.body.data)
    const changed = await put(`/api-tools/${id}`, { requires_approval: true, body: { a: ['{city}'] } })
    expect(changed.body.data).toMatchObject({ requires_approval: true, body: { a: ['{city}'] } })
    expect((await get('/api-tools?name=get_weather')).body.pagination.total).toBe(1)
    expect((await remove(`/api-tools/${id}`)).status).toBe(200)
    expect((await get(`/api-tools/${id}`)).status).toBe(404)
  })

  it('rejects invalid tools with the field and the reason', async () => {
    const { post } = await startService()
    const refused: [object, string, RegExp][] = [
      [{ name: 'get weather' }, 'name', /must match/],
      [{ name: 'x'.repeat(65) }, 'name', /64/],
      [{ url: 'ftp://example.com/' }, 'url', /http or https/],
      [{ url: 'https://{host}.example.com/' }, 'url', /only in its path and query/],
      [{ url: 'https://example.com:{port}/' }, 'url', /only in its path/],
      [{ url: 'https://example.com/{a b}' }, 'url', /brace/],
      [{ url: 'https://example.com/?{a}=1' }, 'url', /query parameter name/],
      [{ url: 'https://example.com/{b}', parameters: { properties: { a: {} } } }, 'url', /\{b\}/],
      [{ body: { x: '{nobody}' }, parameters: { properties: { city: {} } } }, 'parameters', /\{nobody\}/],
      [{ parameters: { type: 'array' } }, 'parameters', /object/],
      [{ parameters: { type: 'nonsense' } }, 'parameters', /JSON Schema/],
      [{ parameters: { properties: { city: { minLength: 'x' } } } }, 'parameters', /JSON Schema/],
      [{ parameters: { properties: { city: { pattern: '(' } } } }, 'parameters', /pattern/],
      [{ parameters: { properties: { city: { pattern: '(?=x)a' } } } }, 'parameters', /look-around/],
      [{ parameters: { properties: { city: { $ref: 'https://evil.example/x.json' } } } }, 'parameters', /evil/],
      [{ parameters: { properties: { city: { $ref: '#/$defs/gone' } } } }, 'parameters', /JSON Schema/],
      [{ parameters: { description: 'x'.repeat(200_000) } }, 'parameters', /larger than/],
      [{ headers: { Host: 'evil.example' } }, 'headers.Host', /set by the service/],
      [{ headers: { 'a b': 'x' } }, 'headers.a b', /header name/],
      [{ headers: { a: 'x\r\nb: c' } }, 'headers.a', /cannot contain/],
      [{ response_path: 'a[' }, 'response_path', /JMESPath/],
      [{ auth: { type: 'bearer', password: 'x' } }, 'auth.password', /not a field of/],
      [{ auth: { type: 'bearer', token: 'a\r\nb' } }, 'auth.token', /printable/],
      [{ auth: { type: 'oauth2_client_credentials' } }, 'auth.token_url', /required/],
      [{ type: 'mcp' }, 'url', /param/],
      [{ type: 'mcp', url: 'https://example.com/mcp', query: { a: 'b' } }, 'query', /MCP/],
    ]
    for (const [more, path, message] of refused) {
      const { status, body } = await post('/api-tools', tool(more))
      expect([more, status, body.code]).toEqual([more, 400, 'invalid_request'])
      expect([more, body.details.map((each: Json) => each.path)]).toEqual([more, expect.arrayContaining([path])])
      expect(JSON.stringify(body.details)).toMatch(message)
    }
    expect((await post('/api-tools', { name: 'a', url: 'https://example.com' })).body.details[0].path).toBe(
      'description',
    )
  })

  it('rejects blocked URLs', async () => {
    const { post } = await startService()
    for (const url of [
      'http://127.0.0.1:1/',
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://a:b@example.com/',
    ]) {
      const { status, body } = await post('/api-tools', tool({ url }))
      expect([url, status, body.code]).toEqual([url, 400, 'egress_blocked'])
    }
    const auth = { type: 'oauth2_client_credentials', token_url: 'http://10.0.0.1/token', client_id: 'a' }
    expect((await post('/api-tools', tool({ auth }))).body.code).toBe('egress_blocked')
    const { id } = (await post('/api-tools', tool({ url: 'http://localhost:59999/' }))).body.data
    const { data } = (await post(`/api-tools/${id}/test`, {})).body
    expect(data).toMatchObject({ ok: false, status: null, error: expect.stringMatching(/blocked/) })
  })

  it('has a unique name in its workspace, also with concurrent requests', async () => {
    const { post, put } = await startService()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/api-tools', tool())))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)])
    const refused = answers.find(({ status }) => status === 400)
    expect(refused?.body.details).toEqual([{ path: 'name', message: expect.stringContaining('another API tool') }])
    const other = (await post('/api-tools', tool({ name: 'other' }))).body.data.id
    expect((await put(`/api-tools/${other}`, { name: 'get_weather' })).status).toBe(400)
    const elsewhere = (await post('/workspaces', { name: 'Elsewhere' })).body.data.id
    expect((await post('/api-tools', tool(), { headers: { 'x-workspace': elsewhere } })).status).toBe(201)
  })

  it('cannot be deleted while an agent uses it', async () => {
    const { post, put, remove } = await startService()
    const id = (await post('/api-tools', tool())).body.data.id
    const agent = (await post('/agents', { name: 'A', tools: [id] })).body.data.id
    const refused = await remove(`/api-tools/${id}`)
    expect([refused.status, refused.body.code, refused.body.details[0].path]).toEqual([409, 'in_use', agent])
    expect((await put(`/agents/${agent}`, { tools: ['api_none'] })).body.code).toBe('unknown_reference')
    await put(`/agents/${agent}`, { tools: [] })
    expect((await remove(`/api-tools/${id}`)).status).toBe(200)
  })
})

describe('its secrets', () => {
  it('can be written, kept and replaced, but not read', async () => {
    const { post, get, put, ctx } = await startService()
    const made = await post('/api-tools', tool({ auth: { type: 'bearer', token: 'sesame-open-up' } }))
    expect(made.body.data.auth).toEqual({ type: 'bearer', token_set: true })
    const { id } = made.body.data
    const again = await put(`/api-tools/${id}`, (await get(`/api-tools/${id}`)).body.data)
    expect(again.body.data.auth).toEqual({ type: 'bearer', token_set: true })
    expect(again.headers.get('etag')).toBe(made.headers.get('etag'))
    const stored = await ctx.db.selectFrom('api_tool').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain('sesame')
    const key = await put(`/api-tools/${id}`, {
      auth: { type: 'api_key', in: 'query', name: 'k', value: 'sesame-two' },
    })
    expect(key.body.data.auth).toEqual({ type: 'api_key', in: 'query', name: 'k', value_set: true })
    const cleared = await put(`/api-tools/${id}`, { auth: { type: 'api_key', name: 'k', value: null } })
    expect(cleared.body.data.auth).toEqual({ type: 'api_key', in: 'header', name: 'k', value_set: false })
    const basic = await put(`/api-tools/${id}`, { auth: { type: 'basic', username: 'ada', password: 'p' } })
    expect(basic.body.data.auth).toEqual({ type: 'basic', username: 'ada', password_set: true })
    for (const answer of [made, again, key, cleared, basic]) expect(JSON.stringify(answer.body)).not.toContain('sesame')
  })

  it('are never sent to a new address', async () => {
    const { post, put } = await startService()
    const auth = { type: 'bearer', token: 'sesame-open-up' }
    const { id } = (await post('/api-tools', tool({ auth }))).body.data
    const path = `/api-tools/${id}`
    expect((await put(path, { url: 'https://api.example.com/elsewhere/{city}' })).status).toBe(200)
    for (const url of [
      'https://evil.example.com/{city}',
      'http://api.example.com/{city}',
      'https://api.example.com:8443/{city}',
    ]) {
      const moved = await put(path, { url })
      expect([moved.status, moved.body.details[0].path]).toEqual([400, 'auth.token'])
      expect((await put(path, { url, auth: { type: 'bearer', token_set: true } })).status).toBe(400)
    }
    expect((await put(path, { url: 'https://new.example.com/{city}', auth })).status).toBe(200)
    expect((await put(path, { url: 'https://api.example.com/{city}', auth: { type: 'none' } })).status).toBe(200)

    const oauth = { type: 'oauth2_client_credentials', token_url: 'https://id.example.com/t', client_id: 'c' }
    await put(path, { auth: { ...oauth, client_secret: 'sesame' } })
    const moved = await put(path, { auth: { ...oauth, token_url: 'https://evil.example.com/t' } })
    expect([moved.status, moved.body.details[0].path]).toEqual([400, 'auth.client_secret'])
    expect((await put(path, { auth: { ...oauth, scope: 'read' } })).body.data.auth.client_secret_set).toBe(true)
  })

  it('are sent where the API expects them, and masked in results', async () => {
    const { post, put } = await startService(mayCallLoopback)
    const api = await scriptedApi(({ headers, url }) => ({
      headers: { 'x-echo': String(headers.authorization ?? headers['x-api-key'] ?? url), 'set-cookie': 'session=1' },
      body: { url, headers },
    }))
    const { id } = (await post('/api-tools', tool({ url: `${api.url}/{city}` }))).body.data
    const secrets = ['sesame/open+up', 'c2VzYW1lL29wZW4rdXA', 'sesame%2Fopen%2Bup']
    const ways: [object, (request: Json) => unknown, string][] = [
      [{ type: 'bearer', token: secrets[0] }, ({ headers }) => headers.authorization, `Bearer ${secrets[0]}`],
      [{ type: 'api_key', value: secrets[0] }, ({ headers }) => headers['x-api-key'], `${secrets[0]}`],
      [{ type: 'api_key', in: 'query', name: 'key', value: secrets[0] }, ({ url }) => url, `/Oslo?key=${secrets[2]}`],
      [
        { type: 'basic', username: 'ada', password: secrets[0] },
        ({ headers }) => headers.authorization,
        `Basic ${Buffer.from(`ada:${secrets[0]}`).toString('base64')}`,
      ],
    ]
    for (const [auth, sent, wanted] of ways) {
      await put(`/api-tools/${id}`, { auth })
      const { body } = await post(`/api-tools/${id}/test`, { arguments: { city: 'Oslo' } })
      expect(body.data).toMatchObject({ ok: true, status: 200 })
      expect(sent(api.requests.at(-1))).toBe(wanted)
      expect(JSON.stringify(body)).toContain('••••')
      for (const secret of [...secrets, Buffer.from(`ada:${secrets[0]}`).toString('base64')])
        expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  it('are reported if they are missing', async () => {
    const { post } = await startService(mayCallLoopback)
    const api = await scriptedApi()
    const { id } = (await post('/api-tools', tool({ url: `${api.url}/{city}`, auth: { type: 'bearer' } }))).body.data
    const { data } = (await post(`/api-tools/${id}/test`, { arguments: { city: 'Oslo' } })).body
    expect(data).toMatchObject({ ok: false, status: null, error: expect.stringContaining('auth.token is not set') })
    expect(api.requests).toEqual([])
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mebibyte } from '../src/kernel/http/app.ts'
import { day, minute, second } from '../src/kernel/time.ts'
import { type Json, type Service, startService, until } from './harness.ts'

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe('every route', () => {
  it('responds the same under /api and /api/v1', async () => {
    const { get, post } = await startService()
    const { body } = await post('/api/v1/agents', { name: 'One' })
    const plain = await get(`/api/agents/${body.data.id}`)
    const versioned = await get(`/api/v1/agents/${body.data.id}`)
    expect(plain.status).toBe(200)
    expect(versioned.body).toEqual(plain.body)
    expect((await get('/api/v1/health')).body.status).toBe('healthy')
  })

  it('takes a trailing slash', async () => {
    const { url, token, post } = await startService()
    const { id } = (await post('/agents', { name: 'One' })).body.data
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const fetchStatus = async (path: string, init: RequestInit = {}) =>
      (await fetch(`${url}${path}`, { headers, ...init })).status
    const made = { method: 'POST', body: JSON.stringify({ name: 'Two' }) }
    expect(await fetchStatus('/api/agents/?limit=1')).toBe(200)
    expect(await fetchStatus('/api/v1/agents/', made)).toBe(201)
    expect(await fetchStatus(`/api/agents/${id}/`)).toBe(200)
    expect(await fetchStatus('/api/openai/v1/models/')).toBe(200)
    expect(await fetchStatus('/api/health/', { headers: {} })).toBe(200)
    expect(await fetchStatus('/api/agents/', { headers: {} })).toBe(401)
  })

  it('has an envelope, IDs that sort by creation, and times in whole seconds', async () => {
    const { get, post, put, remove } = await startService()
    const first = await post('/agents', { name: 'One', description: 'the first' })
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ success: true, data: { name: 'One', description: 'the first' } })
    expect(first.body.data.id).toMatch(/^agt_[0-9a-z]{26}$/)
    expect(first.body.data.created_at).toMatch(timestamp)
    expect(first.body.data.updated_at).toMatch(timestamp)
    const ids = [first.body.data.id]
    for (const name of ['Two', 'Three']) ids.push((await post('/agents', { name })).body.data.id)
    expect([...ids].sort()).toEqual(ids)
    const updated = await put(`/agents/${ids[0]}`, { description: 'still the first' })
    expect(updated.status).toBe(200)
    expect(updated.body.data).toMatchObject({ name: 'One', description: 'still the first' })
    const removed = await remove(`/agents/${ids[0]}`)
    expect([removed.status, removed.body]).toEqual([200, { success: true, message: 'The agent was deleted.' }])
    expect((await get(`/agents/${ids[0]}`)).body).toMatchObject({ success: false, code: 'not_found' })
  })

  it('keeps a valid request ID and creates one otherwise', async () => {
    const { get } = await startService()
    const kept = await get('/agents', { headers: { 'x-request-id': 'trace-1:a/b' } })
    expect(kept.headers.get('x-request-id')).toBe('trace-1:a/b')
    for (const rubbish of ['a b', 'x'.repeat(200), '"']) {
      const made = await get('/agents/none', { headers: { 'x-request-id': rubbish } })
      expect(made.headers.get('x-request-id')).toMatch(/^req_/)
      expect(made.body.request_id).toBe(made.headers.get('x-request-id'))
    }
  })

  it('forbids browsers to guess the type of a response', async () => {
    const { ask, url } = await startService({ shared: true, environment: { CORS_ORIGINS: 'https://app.example.com' } })
    const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'POST' }
    const responses = [
      await ask('GET', '/agents'),
      await ask('GET', '/agents', { token: null }),
      await ask('GET', '/nowhere'),
      await ask('POST', '/agents', { raw: '{' }),
      await ask('GET', '/agents/%zz'),
      await ask('OPTIONS', '/agents', { token: null, headers: preflight }),
      await ask('GET', '/docs'),
      await fetch(url),
    ]
    expect(responses.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(
      responses.map(() => 'nosniff'),
    )
  })

  it('ends a request whose body does not arrive', async () => {
    const { url, token } = await startService({ bodyTimeout: 100 })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': 100 }
    const sent = request(`${url}/api/agents`, { method: 'POST', headers }).on('error', () => {})
    sent.write('{"name":')
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(400)
    expect(JSON.parse(await text(response)).error).toBe('The body did not arrive within 0.1 seconds.')
    await until(() => sent.socket?.destroyed)
  })

  it('cuts off a body that goes on arriving after the request was refused', async () => {
    const { url, token, tokenFor } = await startService({ bodyTimeout: second })
    const bearer = { authorization: `Bearer ${token}` }
    const viewer = { authorization: `Bearer ${await tokenFor('viewer')}` }
    const json = { 'content-type': 'application/json' }
    const refused: [status: number, method: string, path: string, headers: Record<string, string>][] = [
      [401, 'POST', '/agents', json],
      [401, 'POST', '/files', { 'content-type': 'multipart/form-data; boundary=b' }],
      [403, 'POST', '/agents', { ...json, ...viewer }],
      [413, 'POST', '/agents', { ...json, ...bearer, 'content-length': String(2 * mebibyte) }],
      [415, 'POST', '/agents', { ...bearer, 'content-type': 'text/csv' }],
      [200, 'GET', '/agents', { ...json, ...bearer }],
    ]
    for (const [status, method, path, headers] of refused) {
      const sent = request(`${url}/api${path}`, { method, headers: { 'content-length': 100_000, ...headers } })
      sent.on('error', () => {}).write('x')
      const [response] = await once(sent, 'response')
      response.resume()
      expect([path, response.statusCode]).toEqual([path, status])
      const dribble = setInterval(() => sent.write('x'), 10)
      await until(() => sent.socket?.destroyed)
      clearInterval(dribble)
    }
  })

  it('keeps the connection of a client that sends the rest of a refused body within a minute', async () => {
    const { url } = await startService()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }) // it does so in time, however busy the machine is
    onTestFinished(() => void vi.useRealTimers())
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.write('POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n{')
    while (!received.includes('unauthenticated')) await setImmediate()
    vi.advanceTimersByTime(minute / 2) // a slow line
    socket.write(' }GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n')
    while (!received.includes('"healthy"')) await setImmediate()
    vi.advanceTimersByTime(minute)
    socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n')
    while (received.split('"healthy"').length < 3) await setImmediate()
  })

  it('can be called without a body if it takes none, with or without a content type', async () => {
    const { ask, post } = await startService()
    const { body } = await post('/models', {
      name: 'M',
      provider: 'ollama',
      model_id: 'm',
      endpoint: 'http://127.0.0.1:9',
    })
    const plain = await ask('POST', `/models/${body.data.id}/test`)
    const typed = await ask('POST', `/models/${body.data.id}/test`, { headers: { 'content-type': 'application/json' } })
    expect([plain.status, typed.status]).toEqual([200, 200])
  })
})

describe('lists', () => {
  let service: Service

  const names = ['pear', 'Apple', 'fig', 'Äpfel', 'apple', '100%', 'a_b']
  const prepare = async () => {
    service = await startService()
    for (const [index, name] of names.entries()) {
      const body = {
        name,
        description: index % 2 === 0 ? 'Sweet fruit' : null,
        temperature: index / 10,
        type: index === 2 ? 'assistant' : 'conversational',
      }
      expect((await service.post('/agents', body)).status).toBe(201)
    }
  }

  it('return every row exactly once over all pages, in any order', async () => {
    await prepare()
    for (const sort of ['created_at', 'name', 'temperature', 'description', 'status']) {
      for (const order of ['asc', 'desc']) {
        const seen: string[] = []
        for (let page = 1; ; page++) {
          const { body } = await service.get(`/agents?page=${page}&limit=3&sort=${sort}&order=${order}`)
          expect(body.pagination).toEqual({ page, limit: 3, total: 7, pages: 3 })
          if (body.data.length === 0) break
          seen.push(...body.data.map((agent: { id: string }) => agent.id))
        }
        expect(seen.length).toBe(7)
        expect(new Set(seen).size).toBe(7)
      }
    }
  })

  it('are sorted by newest first by default', async () => {
    await prepare()
    const shown = async (query: string) =>
      (await service.get(`/agents?${query}`)).body.data.map((agent: { name: string }) => agent.name)
    expect(await shown('')).toEqual([...names].reverse())
    expect(await shown('order=asc')).toEqual(names)
    expect(await shown('sort=temperature&order=asc&limit=2')).toEqual(['pear', 'Apple'])
  })

  it('filter by any scalar field, and by words in any script and case', async () => {
    await prepare()
    const shown = async (query: string) =>
      (await service.get(`/agents?order=asc&${query}`)).body.data.map((agent: { name: string }) => agent.name)
    expect(await shown('type=assistant')).toEqual(['fig'])
    expect(await shown('name=Apple')).toEqual(['Apple'])
    expect(await shown('temperature=0.1')).toEqual(['Apple'])
    expect(await shown('q=APPLE')).toEqual(['Apple', 'apple'])
    expect(await shown(`q=${encodeURIComponent('äPF')}`)).toEqual(['Äpfel'])
    expect(await shown('q=sweet%20fruit')).toEqual(['pear', 'fig', 'apple', 'a_b'])
    expect(await shown(`q=${encodeURIComponent('0%')}`)).toEqual(['100%'])
    expect(await shown('q=a_b')).toEqual(['a_b'])
    expect(await shown('q=nothing')).toEqual([])
  })

  it('filter by ranges of every time', async () => {
    let time = Date.parse('2026-03-01T12:00:00Z')
    const { get, post, put, tokenFor } = await startService({ now: () => time })
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) {
      ids.push((await post('/agents', { name })).body.data.id)
      time += day
    }
    await put(`/agents/${ids[0]}`, { name: 'Z' })
    const names = async (query: string) =>
      (await get(`/agents?sort=created_at&order=asc&${query}`)).body.data.map(({ name }: Json) => name)
    const cases: [string, string[]][] = [
      ['created_at_gte=2026-03-02T12:00:00Z', ['B', 'C']],
      ['created_at_gte=2026-03-02T12:00:00.5Z', ['C']],
      ['created_at_lte=2026-03-02T13:00:00%2B01:00', ['Z', 'B']],
      ['created_at_gte=2026-03-02&created_at_lte=2026-03-02', ['B']], // whole days
      ['created_at_gte=2026-03-02&status=active&q=c', ['C']],
      ['updated_at_gte=2026-03-04', ['Z']],
      ['created_at_gte=2030-01-01', []],
    ]
    for (const [query, expected] of cases) expect([query, await names(query)]).toEqual([query, expected])
    expect((await get('/agents?created_at_gte=2026-03-02&limit=1')).body.pagination.total).toBe(2)
    expect((await get('/tokens?last_used_at_gte=2026-01-01&expires_at_lte=2030-01-01')).body.data).toEqual([])
    expect((await get('/audit?created_at_lte=2026-03-02&kind=agent')).body.pagination.total).toBe(2)
    for (const value of ['yesterday', '2026-02-30', '2026-03-01T25:00:00Z']) {
      const { status, body } = await get(`/agents?created_at_gte=${value}`, { token: await tokenFor('viewer') })
      expect([value, status, body.details[0].path]).toEqual([value, 400, 'created_at_gte'])
    }
  })

  it('return an empty page past the end', async () => {
    await prepare()
    for (const page of [4, 1e6, 9007199254740991]) {
      const { status, body } = await service.get(`/agents?limit=3&page=${page}`)
      expect([status, body.data, body.pagination.total]).toEqual([200, [], 7])
    }
  })

  it('name the invalid parameter', async () => {
    await prepare()
    const wrong: [string, string][] = [
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=x', 'page'],
      ['page=1.5', 'page'],
      ['page=1e999', 'page'],
      ['page=1&page=2', 'page'],
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=', 'limit'],
      ['limit=0x10', 'limit'],
      ['limit=1e1', 'limit'],
      ['limit=%205', 'limit'],
      ['temperature=1e999', 'temperature'],
      ['created_at=yesterday', 'created_at'],
      ['sort=tools', 'sort'],
      ['sort=name;drop', 'sort'],
      ['order=up', 'order'],
      ['temperature=warm', 'temperature'],
      ['status=gone', 'status'],
      ['colour=red', 'colour'],
      ['name=a&name=b', 'name'],
      ['q=a&q=b', 'q'],
      ['__proto__=1', '__proto__'],
    ]
    for (const [query, parameter] of wrong) {
      const { status, body } = await service.get(`/agents?${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'invalid_request'])
      expect(body.details.map((detail: { path: string }) => detail.path)).toContain(parameter)
    }
  })
})

describe('bodies', () => {
  it('may contain read-only fields, but no unknown ones', async () => {
    const { get, post, put } = await startService()
    const { data } = (await post('/agents', { name: 'A', id: 'agt_mine', version: 99, created_at: 'x' })).body
    expect(data).toMatchObject({ name: 'A', version: 1 })
    expect(data.id).not.toBe('agt_mine')
    const read = (await get(`/agents/${data.id}`)).body.data
    const back = await put(`/agents/${data.id}`, read)
    expect([back.status, back.body.data]).toEqual([200, read])
    const unknown = await post('/agents', { name: 'A', colour: 'red', shade: 'dark' })
    expect([unknown.status, unknown.body.code]).toEqual([400, 'invalid_request'])
    expect(unknown.body.details).toEqual([
      { path: 'colour', message: 'is not a known field' },
      { path: 'shade', message: 'is not a known field' },
    ])
  })

  it('can be what a GET returned, including its extra fields', async () => {
    const { get, post, put } = await startService()
    const agent = (await post('/agents', { name: 'A' })).body.data.id
    const { id } = (await post('/conversations', { agent_id: agent })).body.data
    await post(`/conversations/${id}/messages`, { message: 'Hi' })
    const read = (await get(`/conversations/${id}`)).body.data
    expect(read.messages).toHaveLength(2)
    expect((await put(`/conversations/${id}`, { ...read, title: 'New' })).body.data.title).toBe('New')
  })

  it('are optional for actions, but may contain no unknown fields', async () => {
    const { get, post } = await startService()
    const agent = (await post('/agents', { name: 'A' })).body.data.id
    const { id } = (await post('/conversations', { agent_id: agent })).body.data
    const odd = await post(`/conversations/${id}/complete`, { soon: true })
    expect([odd.status, odd.body.details]).toEqual([400, [{ path: 'soon', message: 'is not a known field' }]])
    expect((await get(`/conversations/${id}`)).body.data.status).toBe('active')
    expect((await post(`/conversations/${id}/complete`, {})).status).toBe(200)
  })

  it('accept times that can be converted to UTC', async () => {
    const { post } = await startService()
    const until = (expires_at: string) => post('/tokens', { name: 'T', role: 'viewer', expires_at })
    expect((await until('2036-06-30T23:59:59+02:00')).body.data.expires_at).toBe('2036-06-30T21:59:59Z')
    for (const wrong of ['2036-06-30T23:59:60Z', '2036-02-30T00:00:00Z', 'soon'])
      expect([wrong, (await until(wrong)).body.details?.[0].path]).toEqual([wrong, 'expires_at'])
  })

  it('change only the given fields with PUT and PATCH, and null clears', async () => {
    const { ask, post } = await startService()
    const { id } = (await post('/agents', { name: 'A', description: 'd', temperature: 1, max_steps: 3, topics: ['t'] }))
      .body.data
    const patched = await ask('PATCH', `/agents/${id}`, { body: { temperature: null, max_steps: null, topics: null } })
    expect(patched.body.data).toMatchObject({
      name: 'A',
      description: 'd',
      temperature: null,
      max_steps: 8,
      topics: [],
    })
    const put = await ask('PUT', `/agents/${id}`, { body: { description: null } })
    expect(put.body.data).toMatchObject({ name: 'A', description: null })
    const required = await ask('PUT', `/agents/${id}`, { body: { name: null } })
    expect([required.status, required.body.details[0].path]).toEqual([400, 'name'])
    const created = await post('/agents', { name: 'B', description: null, tools: null, max_steps: null })
    expect(created.body.data).toMatchObject({ description: null, tools: [], max_steps: 8 })
  })

  it('are rejected with the right code if they are malformed', async () => {
    const { ask } = await startService()
    const nested = (depth: number) => `{"name":"x","metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
    const cases: [string | Buffer, number, string][] = [
      ['{', 400, 'malformed_json'],
      ['{"name":"a"} x', 400, 'malformed_json'],
      ['', 400, 'invalid_request'],
      ['null', 400, 'invalid_request'],
      ['[]', 400, 'invalid_request'],
      ['"name"', 400, 'invalid_request'],
      ['{"name":"a","name":7}', 400, 'invalid_request'],
      [nested(50), 400, 'invalid_request'],
      [nested(100_000), 400, 'invalid_request'],
      ['['.repeat(500_000), 400, 'invalid_request'],
      ['{"name":"a","__proto__":{"role":"owner"}}', 400, 'invalid_request'],
      ['{"name":"a","metadata":{"__proto__":"x"}}', 400, 'invalid_request'],
      ['{"name":"a","metadata":{"constructor":{"prototype":{}}}}', 400, 'invalid_request'],
      ['{"name":"a\\u0000b"}', 400, 'invalid_request'],
      ['{"name":"a","metadata":{"a\\u0000":"b"}}', 400, 'invalid_request'],
      [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, 'malformed_json'],
      [Buffer.from('{"name":"caf\xe9"}', 'latin1'), 400, 'malformed_json'],
      [`{"name":"${'x'.repeat(1_100_000)}"}`, 413, 'payload_too_large'],
    ]
    for (const [raw, status, code] of cases) {
      const answer = await ask('POST', '/agents', { raw })
      expect([String(raw).slice(0, 40), answer.status, answer.body.code]).toEqual([
        String(raw).slice(0, 40),
        status,
        code,
      ])
    }
    expect((await ask('POST', '/agents', { raw: '{"name":"back\\\\u0000slash"}' })).status).toBe(201)
    const long = `{"name":"${'x'.repeat(8_000_000)}"}`
    for (let n = 0; n < 3; n++)
      expect((await ask('POST', '/agents', { raw: long })).body.code).toBe('payload_too_large')
    const digits = `{"name":"${`${'1'.repeat(308)} `.repeat(50_000)}"}`
    expect((await ask('POST', '/knowledge-sources', { raw: digits })).body.code).toBe('invalid_request')
    const halved = await ask('POST', '/agents', { raw: '{"name":"a\\ud800b 🙂 \\ud83d\\ude42"}' })
    expect(halved.body.data.name).toBe('a\ufffdb 🙂 🙂')
    const media = await ask('POST', '/agents', { raw: 'name=a', headers: { 'content-type': 'text/plain' } })
    expect([media.status, media.body.code]).toEqual([415, 'unsupported_media_type'])
  })
})

describe('ETags', () => {
  it('are returned for every single resource', async () => {
    const { get, post, put } = await startService()
    const { id } = (await post('/agents', { name: 'A' })).body.data
    await put(`/agents/${id}`, { name: 'B' })
    const conversation = (await post('/conversations', { agent_id: id })).body.data.id
    const message = (await post(`/conversations/${conversation}/messages`, { message: 'Hi' })).body.data.id
    const paths = [`/agents/${id}/versions/1`, `/conversations/${conversation}/messages/${message}`]
    for (const path of paths) {
      const first = (await get(path)).headers.get('etag')
      expect(first).toMatch(/^"[^"]+"$/)
      expect((await get(path)).headers.get('etag')).toBe(first)
    }
  })

  it('are honoured by If-None-Match', async () => {
    const { get, post, put } = await startService()
    const { id } = (await post('/agents', { name: 'A' })).body.data
    for (const path of [`/agents/${id}`, '/agents', `/agents/${id}/versions`, '/usage/stats', '/openapi.json']) {
      const etag = (await get(path)).headers.get('etag') ?? ''
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { headers: { 'if-none-match': known } })
        expect([path, known, again.status, again.body]).toEqual([path, known, 304, ''])
        expect(again.headers.get('etag')).toBe(etag)
      }
      expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    }
    const old = (await get(`/agents/${id}`)).headers.get('etag') ?? ''
    const changed = await put(`/agents/${id}`, { name: 'B' })
    const current = await get(`/agents/${id}`, { headers: { 'if-none-match': old } })
    expect([current.status, current.body.data.name]).toEqual([200, 'B'])
    expect(current.headers.get('etag')).toBe(changed.headers.get('etag'))
    expect((await get('/agents/agt_none', { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  it('change with everything that a response shows', async () => {
    const { get, post, put, tokenFor } = await startService()
    const { id: agent } = (await post('/agents', { name: 'A', system_prompt: 'Be brief.' })).body.data
    const fetchEtag = async (path: string, more = {}) => (await get(path, more)).headers.get('etag') ?? ''
    const conversation = `/conversations/${(await post('/conversations', { agent_id: agent })).body.data.id}`
    const before = await fetchEtag(conversation)
    await post(`${conversation}/messages`, { message: 'Hi' })
    expect(await fetchEtag(conversation)).not.toBe(before)
    // A new message is no conflicting change.
    expect((await put(conversation, { title: 'Hello' }, { headers: { 'if-match': before } })).status).toBe(200)
    expect((await put(conversation, { title: 'Hi' }, { headers: { 'if-match': before } })).status).toBe(412)

    const configuration = { documents: [{ title: 'Leave', content: 'Parental leave is 14 weeks.' }] }
    const created = await post('/knowledge-sources', { name: 'S', type: 'text', configuration })
    const source = `/knowledge-sources/${created.body.data.id}`
    const tool = await post('/rag-tools', { name: 'R', knowledge_source_id: created.body.data.id })
    const toolPath = `/rag-tools/${tool.body.data.id}`
    await until(async () => (await get(source)).body.data.status === 'active')
    await until(async () => (await get(toolPath)).body.data.status === 'ready')
    expect(await fetchEtag(source)).not.toBe(created.headers.get('etag'))
    expect(await fetchEtag(toolPath)).not.toBe(tool.headers.get('etag'))
    expect(await fetchEtag(`/agents/${agent}`)).not.toBe(
      await fetchEtag(`/agents/${agent}`, { token: await tokenFor('user') }),
    )
  }, 300_000)

  it('reject a change after a concurrent one', async () => {
    const { ask, get, post, put, remove } = await startService()
    const { id } = (await post('/agents', { name: 'A' })).body.data
    const etag = (await get(`/agents/${id}`)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const changed = await put(`/agents/${id}`, { name: 'B' }, { headers: { 'if-match': etag } })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
    const late = await put(`/agents/${id}`, { name: 'C' }, { headers: { 'if-match': etag } })
    expect([late.status, late.body.code]).toEqual([412, 'precondition_failed'])
    expect((await remove(`/agents/${id}`, { headers: { 'if-match': etag } })).status).toBe(412)
    expect((await get(`/agents/${id}`)).body.data.name).toBe('B')
    expect((await ask('PATCH', `/agents/${id}`, { body: { name: 'D' }, headers: { 'if-match': '*' } })).status).toBe(
      200,
    )
    const newest = (await get(`/agents/${id}`)).headers.get('etag') ?? ''
    expect((await remove(`/agents/${id}`, { headers: { 'if-match': `"0", ${newest}` } })).status).toBe(200)
  })

  it('allow exactly one of many parallel changes', async () => {
    const { get, post, put } = await startService()
    const { id } = (await post('/agents', { name: 'A' })).body.data
    const etag = (await get(`/agents/${id}`)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(`/agents/${id}`, { name: `B${n}` }, { headers: { 'if-match': etag } })),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(412)])
  })
})

describe('errors', () => {
  let service: Service

  it('have both formats, also for unknown routes', async () => {
    service = await startService()
    const plain = await service.get('/nowhere')
    expect(plain.status).toBe(404)
    expect(Object.keys(plain.body).sort()).toEqual(['code', 'error', 'request_id', 'success'])
    const problem = await service.get('/nowhere', { headers: { accept: 'application/problem+json' } })
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
    expect(problem.body).toMatchObject({ status: 404, title: 'Not Found', code: 'not_found' })
    expect(problem.body.detail).toContain('/api/nowhere')
    const validation = await service.post('/agents', {}, { headers: { accept: 'application/problem+json' } })
    expect(validation.body).toMatchObject({
      status: 400,
      code: 'invalid_request',
      details: [{ path: 'name', message: 'is required' }],
    })
    expect((await service.ask('DELETE', '/agents')).status).toBe(404)
  })

  it('handle hostile IDs and URLs', async () => {
    service = await startService()
    const hostile = [
      '%00',
      '%2e%2e%2fetc%2fpasswd',
      "'%20or%201=1--",
      '%F0%9F%98%80',
      'a'.repeat(1000),
      '..',
      '%25',
      'agt_%0a',
      '__proto__',
      'constructor',
    ]
    for (const id of hostile) {
      const { status } = await service.get(`/agents/${id}`)
      expect([id, status === 404 || status === 200]).toEqual([id, true]) // ".." is the list itself
    }
    const malformed = await service.get('/agents/%zz')
    expect([malformed.status, malformed.body.code]).toEqual([400, 'invalid_request'])
    expect((await service.get('/agents?q=%00')).status).toBe(400)
    expect((await service.get('/agents?name=%F0%28%8C')).status).toBeLessThan(500)
    expect((await service.get('/health')).status).toBe(200)
  })
})

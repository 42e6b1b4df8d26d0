import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { mebibyte } from '../src/kernel/http/app.ts'
import { minute, second } from '../src/kernel/time.ts'
import { type Service, startService, until } from './harness.ts'

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
})

import { describe, expect, it } from 'vitest'
import { day } from '../src/kernel/time.ts'
import { type Json, type Service, startService } from './harness.ts'

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
})

describe('ETags', () => {
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

import { describe, expect, it } from 'vitest'
import { startService } from './harness.ts'

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

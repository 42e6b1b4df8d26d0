import { describe, expect, it } from 'vitest'
import { day, second } from '../src/kernel/time.ts'
import { startService, until } from './harness.ts'
import { stage } from './stage.ts'

const key = (value: string) => ({ headers: { 'idempotency-key': value } })

describe('a POST with an idempotency key', () => {
  it('runs once and gets the same response each time', async () => {
    const { get, post } = await startService()
    const first = await post('/agents', { name: 'A' }, key('k1'))
    const again = await post('/api/v1/agents', { name: 'A' }, key('k1'))
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect((await get('/agents')).body.pagination.total).toBe(1)
    expect((await post('/agents', { name: 'A' }, key('k2'))).body.data.id).not.toBe(first.body.data.id)
  })

  it('runs once when sent many times in parallel', async () => {
    const { get, post } = await startService()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/agents', { name: 'A' }, key('same'))))
    const created = answers.filter((answer) => answer.status === 201)
    const busy = answers.filter((answer) => answer.status === 409)
    expect(created.length + busy.length).toBe(20)
    expect(created.filter((answer) => answer.headers.get('idempotent-replayed') === null).length).toBe(1)
    expect(busy.every((answer) => answer.body.code === 'idempotency_in_progress')).toBe(true)
    expect(new Set(created.map((answer) => answer.body.data.id)).size).toBe(1)
    expect((await get('/agents')).body.pagination.total).toBe(1)
  })

  it('is rejected with another body or route', async () => {
    const { post } = await startService()
    await post('/agents', { name: 'A' }, key('k'))
    const other = await post('/agents', { name: 'B' }, key('k'))
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    const elsewhere = await post('/prompt-templates', { name: 'A', template: 'x' }, key('k'))
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('belongs to one token and one workspace', async () => {
    const { post, tokenFor } = await startService()
    const first = await post('/agents', { name: 'A' }, key('k'))
    const token = await tokenFor('editor')
    const other = await post('/agents', { name: 'A' }, { token, ...key('k') })
    expect(other.status).toBe(201)
    expect(other.body.data.id).not.toBe(first.body.data.id)
    const workspace = (await post('/workspaces', { name: 'W' })).body.data.id
    const there = await post(
      '/agents',
      { name: 'A' },
      { headers: { 'idempotency-key': 'k', 'x-workspace': workspace } },
    )
    expect(there.headers.get('idempotent-replayed')).toBeNull()
  })

  it('is stored for a day', async () => {
    let time = Date.parse('2026-01-01T00:00:00Z')
    const { post } = await startService({ now: () => time })
    const first = await post('/agents', { name: 'A' }, key('k'))
    time += day - second
    expect((await post('/agents', { name: 'A' }, key('k'))).body.data.id).toBe(first.body.data.id)
    time += 2 * second
    expect((await post('/agents', { name: 'A' }, key('k'))).body.data.id).not.toBe(first.body.data.id)
  })

  it('replays errors of the handler, but not of validation', async () => {
    const { post } = await startService()
    expect((await post('/agents', { name: 7 }, key('k'))).status).toBe(400)
    expect((await post('/agents', { name: 'A', tools: ['api_none'] }, key('k'))).body.code).toBe('unknown_reference')
    const replayed = await post('/agents', { name: 'A', tools: ['api_none'] }, key('k'))
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([400, 'true'])
  })

  it('does not store temporary errors', async () => {
    const { say, talk, provider } = await stage({ deltas: ['Hel', 'lo'], delay: 200 })
    const id = await talk()
    const running = say(id, 'One')
    await until(() => provider.requests.length === 1)
    const post = () => say(id, 'Two', {}, key('k'))
    expect((await post()).body.code).toBe('conversation_busy')
    await running
    const [second, again] = [await post(), await post()]
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect([again.body.data.id, again.headers.get('idempotent-replayed')]).toEqual([second.body.data.id, 'true'])
  })

  it('stores secrets only encrypted', async () => {
    const { ctx, post } = await startService()
    const first = await post('/tokens', { name: 'T', role: 'viewer' }, key('k'))
    expect((await post('/tokens', { name: 'T', role: 'viewer' }, key('k'))).body).toEqual(first.body)
    const rows = await ctx.db.selectFrom('idempotency').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(first.body.data.token)
  })

  it('must have a valid key', async () => {
    const { post } = await startService()
    for (const bad of ['', 'x'.repeat(256)]) {
      expect((await post('/agents', { name: 'A' }, key(bad))).body.code).toBe('invalid_request')
    }
  })
})

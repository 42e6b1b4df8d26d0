import { describe, expect, it } from 'vitest'
import { startService } from './harness.ts'

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
})

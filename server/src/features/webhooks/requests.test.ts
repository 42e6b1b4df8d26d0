import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { startService, until } from '../../../test/harness.ts'
import { hooked, start } from '../../../test/hooked.ts'
import { verify } from '../../../test/receiver.ts'

describe('webhooks', () => {
  it('are created, read, updated and deleted, and show their secret once', async () => {
    const { get, post, put, remove } = await start()
    const made = await post('/webhooks', {
      url: 'https://example.com/hook',
      events: ['conversation.completed'],
      description: 'CRM',
    })
    expect(made.status).toBe(201)
    const { id, secret } = made.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made.body.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
      failing_since: null,
      description: 'CRM',
    })
    const seen = await get(`/webhooks/${id}`)
    expect(JSON.stringify([seen.body, (await get('/webhooks')).body])).not.toContain('whsec_')
    const back = await put(`/webhooks/${id}`, { ...made.body.data, enabled: false, events: ['*'] })
    expect(back.body.data).toMatchObject({ enabled: false, events: ['*'], url: 'https://example.com/hook' })
    expect(JSON.stringify(back.body)).not.toContain('whsec_')
    expect(
      (await put(`/webhooks/${id}`, { url: 'https://example.org/' }, { headers: { 'if-match': '"1"' } })).status,
    ).toBe(412)
    expect((await remove(`/webhooks/${id}`)).status).toBe(200)
    expect((await get(`/webhooks/${id}/deliveries`)).status).toBe(404)
  })

  it('reject blocked URLs and unknown events', async () => {
    const { post, put } = await startService()
    const { id } = (await post('/webhooks', { url: 'https://example.com/', events: ['*'] })).body.data
    const url = 'https://example.com/'
    const bodies = [
      { events: ['*'] },
      { url },
      { url, events: [] },
      { url, events: ['something.else'] },
      { url, events: ['*', '*'] },
    ]
    for (const body of bodies) {
      const refused = await post('/webhooks', body)
      expect([body, refused.status, refused.body.code]).toEqual([body, 400, 'invalid_request'])
    }
    const blockedUrls = [
      'http://127.0.0.1/',
      'http://169.254.169.254/',
      'http://[::1]/',
      'http://2130706433/',
      'ftp://example.com/',
      'https://user:secret@example.com/',
      'https://example.com:25/',
      'not an address',
    ]
    for (const blocked of blockedUrls) {
      const refused = await post('/webhooks', { url: blocked, events: ['*'] })
      expect([blocked, refused.status, refused.body.code]).toEqual([blocked, 400, 'egress_blocked'])
      expect((await put(`/webhooks/${id}`, { url: blocked })).body.code).toBe('egress_blocked')
    }
  })

  it('keep their secret encrypted', async () => {
    const { post, ctx } = await start()
    const { id, secret } = (await post('/webhooks', { url: 'https://example.com/', events: ['*'] })).body.data
    const rows = await ctx.db.selectFrom('webhook').selectAll().where('id', '=', id).execute()
    const stored = JSON.stringify(rows)
    expect(rows).toHaveLength(1)
    expect(stored).not.toContain(secret.slice(6))
  })
})

describe('a delivery', () => {
  it('contains the event, with a signature that the official library accepts', async () => {
    const { complete, receiver, webhook, deliveries } = await hooked()
    const id = await complete({ user_id: 'ada', title: 'Prices', metadata: { shop: '7' } })
    await until(() => receiver.received.length === 1)
    const [first] = receiver.received
    if (!first) throw new Error('nothing came')
    const payload = verify(webhook.secret, first)
    expect(payload).toMatchObject({
      type: 'conversation.completed',
      data: { conversation_id: id, user_id: 'ada', title: 'Prices', metadata: { shop: '7' }, reason: 'requested' },
    })
    expect(payload.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, first)).toThrow()
    expect(() => verify(webhook.secret, { ...first, body: `${first.body} ` })).toThrow()
    const [delivery] = await until(async () => {
      const found = await deliveries('?status=delivered')
      return found.length === 1 && found
    })
    expect(delivery).toMatchObject({
      event: 'conversation.completed',
      event_id: first.headers['webhook-id'],
      attempts: 1,
      request_body: first.body,
      response_status: 204,
      next_attempt_at: null,
      error: null,
    })
  })

  it('has the reason of its failure', async () => {
    const { post, webhook } = await hooked((_nth, response) => {
      response.socket?.destroy()
      return 'own way'
    })
    const { data } = (await post(`/webhooks/${webhook.id}/test`)).body
    expect(data).toMatchObject({ status: 'failed', response_status: null, attempts: 1 })
    expect(data.error).toContain('closed the connection')
  })

  it('to a host name with a private address fails with the reason', async () => {
    const { post } = await startService()
    const { id } = (await post('/webhooks', { url: 'http://localhost:8080/', events: ['*'] })).body.data
    const { data } = (await post(`/webhooks/${id}/test`)).body
    expect(data.status).toBe('failed')
    expect(data.error).toContain('EGRESS_ALLOW')
  })

  it('can be tested while the webhook is disabled', async () => {
    const { post, put, webhook, receiver } = await hooked()
    await put(`/webhooks/${webhook.id}`, { enabled: false })
    const tested = await post(`/webhooks/${webhook.id}/test`)
    expect([tested.status, tested.body.data.status, tested.body.data.event]).toEqual([200, 'delivered', 'webhook.test'])
    expect(receiver.received[0]?.json).toMatchObject({ type: 'webhook.test', data: { webhook_id: webhook.id } })
  })

  it('is signed with every secret of the last day', async () => {
    let now = Date.now()
    const { post, webhook, receiver } = await hooked(undefined, { now: () => now })
    const rotate = async (): Promise<string> => (await post(`/webhooks/${webhook.id}/rotate-secret`)).body.data.secret
    const signedBy = async (secrets: string[]) => {
      await post(`/webhooks/${webhook.id}/test`)
      const last = receiver.received.at(-1)
      if (!last) throw new Error('nothing came')
      const { 'webhook-id': id, 'webhook-signature': signature } = last.headers
      // Compared rather than verified, as the official library goes by the real time.
      expect(signature).toBe(
        secrets.map((each) => new Webhook(each).sign(String(id), new Date(now), last.body)).join(' '),
      )
    }
    await signedBy([webhook.secret])
    const second = await rotate()
    await signedBy([second, webhook.secret])
    now += 3600_000
    const third = await rotate()
    await signedBy([third, second, webhook.secret])
    now += 23 * 3600_000 + 1
    await signedBy([third, second])
    now += 3600_000
    await signedBy([third])
    const more: string[] = []
    for (let n = 0; n < 7; n++) more.unshift(await rotate())
    await signedBy(more.slice(0, 6)) // a few are enough
  })
})

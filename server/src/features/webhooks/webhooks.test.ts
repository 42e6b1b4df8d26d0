import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { startOn, until } from '../../../test/harness.ts'
import { hooked, open } from '../../../test/hooked.ts'
import { type Received, startReceiver, verify } from '../../../test/receiver.ts'
import { stage } from '../../../test/stage.ts'
import { eventPayloads } from '../../kernel/event-payloads.ts'

describe('a delivery', () => {
  it('contains the usage of a conversation, as in its schema', async () => {
    const receiver = await startReceiver()
    const { post, talk, say } = await stage(undefined, { environment: open, shared: true })
    await post('/webhooks', { url: receiver.url, events: ['conversation.completed'] })
    const id = await talk()
    await say(id, 'Hi')
    await post(`/conversations/${id}/complete`)
    await until(() => receiver.received.length === 1)
    const { data } = receiver.received[0]?.json ?? {}
    expect(data.messages).toEqual({ total: 2, user: 1, assistant: 1 })
    expect(data.tokens.output).toBeGreaterThan(0)
    expect(data.cost).toBeGreaterThan(0)
    const check = new Ajv({ strict: false, formats: { 'date-time': true } }).compile(
      eventPayloads['conversation.completed'].data,
    )
    expect([check(data), check.errors]).toEqual([true, null])
  })

  it('is sent once to each subscribed webhook only', async () => {
    const { post, put, complete, receiver, webhook } = await hooked()
    const others = await startReceiver()
    await post('/webhooks', { url: others.url, events: ['evaluation.finished', 'knowledge_source.synced'] })
    await post('/webhooks', { url: others.url, events: ['*'], enabled: false })
    const wanting = await startReceiver()
    await post('/webhooks', { url: wanting.url, events: ['conversation.completed'] })
    const id = await complete()
    await post(`/conversations/${id}/complete`) // twice is once
    await until(() => wanting.received.length > 0 && receiver.received.length > 0)
    await put(`/webhooks/${webhook.id}`, { enabled: false })
    await complete()
    await until(() => wanting.received.length === 2)
    expect([receiver.received.length, others.received.length]).toEqual([1, 0])
    expect(new Set(wanting.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  })

  it('is rolled back with its transaction', async () => {
    const { ctx, deliveries, webhook } = await hooked()
    const { workspace_id } = await ctx.db
      .selectFrom('webhook')
      .select('workspace_id')
      .where('id', '=', webhook.id)
      .executeTakeFirstOrThrow()
    const failing = ctx.db.transaction().execute(async (tx) => {
      await ctx.events.publish(tx, { workspace: workspace_id, type: 'conversation.completed', data: {} })
      throw new Error('and then it did not')
    })
    await expect(failing).rejects.toThrow('did not')
    expect(await deliveries()).toEqual([])
  })

  it('is retried with the same id and body and a new signature', async () => {
    const { promise: waitSeen, resolve } = Promise.withResolvers<void>()
    const { complete, receiver, webhook, deliveries, get } = await hooked((nth, response) => {
      if (nth === 1) return 500
      void waitSeen.then(() => response.writeHead(200).end())
      return 'own way'
    })
    await complete()
    const waiting = await until(async () => {
      const [delivery] = await deliveries()
      return delivery?.attempts === 1 && delivery
    })
    expect(waiting).toMatchObject({
      status: 'pending',
      response_status: 500,
      response_body: 'answer 1',
      error: 'It answered 500.',
    })
    expect(waiting.next_attempt_at).not.toBeNull()
    expect((await get(`/webhooks/${webhook.id}`)).body.data.failing_since).not.toBeNull()
    resolve()
    await until(() => receiver.received.length === 2)
    const [one, two] = receiver.received
    if (!one || !two) throw new Error('two should have come')
    expect([two.headers['webhook-id'], two.body]).toEqual([one.headers['webhook-id'], one.body])
    for (const each of receiver.received) verify(webhook.secret, each)
    await until(async () => (await deliveries())[0].status === 'delivered')
    expect((await get(`/webhooks/${webhook.id}`)).body.data.failing_since).toBeNull()
  })

  it('fails on a redirect, and 410 disables the webhook', async () => {
    let isGone = (_request: Received): boolean => false
    const { complete, receiver, webhook, deliveries, get, put } = await hooked((_nth, _response, request) =>
      isGone(request) ? 410 : 302,
    )
    await complete()
    const redirected = await until(async () => {
      const [delivery] = await deliveries('?status=pending')
      return delivery?.attempts > 0 && delivery.event_id
    })
    isGone = ({ headers }) => headers['webhook-id'] !== redirected // a retry of the first one is redirected again
    expect((await deliveries())[0].error).toContain('redirects are not followed')
    await complete()
    await until(async () => (await get(`/webhooks/${webhook.id}`)).body.data.enabled === false)
    expect((await get(`/webhooks/${webhook.id}`)).body.data.disabled_reason).toContain('410')
    await until(async () => (await deliveries('?status=failed')).length === 2) // the first one is not tried again
    await complete()
    expect((await deliveries()).length).toBe(2)
    expect(receiver.received.filter(isGone)).toHaveLength(1)
    const enabled = await put(`/webhooks/${webhook.id}`, { enabled: true })
    expect(enabled.body.data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
  })

  it('can be sent again with the same id', async () => {
    const { complete, post, receiver, webhook, deliveries } = await hooked()
    await complete()
    await until(async () => (await deliveries('?status=delivered')).length === 1)
    const [delivery] = await deliveries()
    const again = await post(`/webhooks/${webhook.id}/deliveries/${delivery.id}/redeliver`)
    expect([again.status, again.body.data.status]).toEqual([200, 'pending'])
    await until(() => receiver.received.length === 2)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    await until(async () => (await deliveries('?status=delivered'))[0]?.attempts === 2)
    expect((await post(`/webhooks/${webhook.id}/deliveries/dlv_none/redeliver`)).status).toBe(404)
    const other = (await post('/webhooks', { url: receiver.url, events: ['*'] })).body.data.id
    expect((await post(`/webhooks/${other}/deliveries/${delivery.id}/redeliver`)).status).toBe(404)
  })

  it('to a slow receiver does not delay others', async () => {
    const held: (() => void)[] = []
    let open = 0
    let maxOpen = 0
    const {
      post,
      complete,
      receiver: slow,
    } = await hooked((_nth, response) => {
      maxOpen = Math.max(maxOpen, ++open)
      response.on('close', () => open--)
      held.push(() => response.writeHead(200).end())
      return 'own way'
    })
    const reached = () => new Set(slow.received.map(({ headers }) => headers['webhook-id'])).size
    const quick = await startReceiver()
    await post('/webhooks', { url: quick.url, events: ['conversation.completed'] })
    for (let n = 0; n < 25; n++) await complete()
    await until(() => quick.received.length === 25)
    await until(() => {
      for (const answer of held.splice(0)) answer()
      return reached() === 25
    })
    expect(maxOpen).toBeLessThanOrEqual(4) // it is not overrun itself
  })

  it('to many receivers that hang delays neither another workspace nor another receiver', async () => {
    const { post, complete, receiver: hanging } = await hooked(() => 'own way')
    for (let n = 1; n < 24; n++) await post('/webhooks', { url: `${hanging.url}/${n}`, events: ['*'] })
    await complete()
    await until(() => hanging.received.length >= 24)
    const good = await startReceiver()
    await post('/webhooks', { url: good.url, events: ['*'] })
    await complete()
    await until(() => good.received.length === 1)
    const elsewhere = await hooked()
    await elsewhere.complete()
    await until(() => elsewhere.receiver.received.length === 1)
  })

  it('that a shutdown interrupts is sent again at the next start', async () => {
    const receiver = await startReceiver((nth) => (nth === 1 ? 'own way' : 200))
    const { complete, post, close, environment } = await hooked(undefined, { own: true })
    await post('/webhooks', { url: receiver.url, events: ['*'] })
    await complete()
    await until(() => receiver.received.length === 1)
    await close(50)
    await startOn(environment)
    await until(() => receiver.received.length === 2)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
  })
})

import { expect, it } from 'vitest'
import { startOn, startService, until } from '../../../test/harness.ts'
import { startReceiver } from '../../../test/receiver.ts'
import { retryDelay } from './schedule.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const published = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

it('waits as Standard Webhooks recommends, with 10 % jitter', () => {
  for (const [index, wait] of published.entries()) {
    expect(retryDelay(index + 1, () => 0)).toBe(Math.round(wait * 0.9))
    expect(retryDelay(index + 1, () => 0.9999999999)).toBe(Math.round(wait * 1.1))
  }
  expect(retryDelay(published.length + 1, () => 0)).toBeNull()
})

// Ten turns of the queue, which looks at the clock once a second, and two starts.
it('follows the schedule over restarts, then fails; after five days of failures the webhook is disabled', async () => {
  let now = Date.parse('2026-11-15T12:00:00Z')
  const start = { now: () => now, random: () => 0.5 }
  const receiver = await startReceiver(() => 500)
  let service = await startService({
    environment: { EGRESS_ALLOW: '127.0.0.1', CONVERSATION_IDLE_MINUTES: '525600' },
    ...start,
  })
  const hook = (await service.post('/webhooks', { url: receiver.url, events: ['*'] })).body.data.id
  const agent = (await service.post('/agents', { name: 'A' })).body.data.id
  const complete = async () => {
    const { id } = (await service.post('/conversations', { agent_id: agent })).body.data
    await service.post(`/conversations/${id}/complete`)
  }
  /** Time goes on while it waits, so that a job that was interrupted by the leap comes again. */
  const untilLater = <T>(condition: () => Promise<T>) =>
    until(async () => {
      const value = await condition()
      if (!value) now += second / 10
      return value
    })
  const newest = async () => (await service.get(`/webhooks/${hook}/deliveries`)).body.data[0]
  await complete()
  for (const [index, wait] of published.entries()) {
    const delivery = await (index === 0 ? until : untilLater)(async () => {
      const found = await newest()
      return found.attempts === index + 1 && found
    })
    expect(delivery.status).toBe('pending')
    // Both are rounded down to the same fraction of a second.
    expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.last_attempt_at)).toBe(wait)
    expect(receiver.received).toHaveLength(index + 1)
    now += wait + second
    if (index === 3) {
      await service.close()
      service = await startOn(service.environment, start)
    }
  }
  await untilLater(async () => (await newest()).status === 'failed')
  expect(receiver.received).toHaveLength(10)
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect((await service.get(`/webhooks/${hook}`)).body.data.enabled).toBe(true)

  // The waits so far took 76 hours: this leap passes five days.
  now += 60 * hour
  await complete()
  const disabled = await untilLater(async () => {
    const { data } = (await service.get(`/webhooks/${hook}`)).body
    return !data.enabled && data
  })
  expect(disabled.disabled_reason).toContain('2026-11-15T12:00:0')
  expect(await newest()).toMatchObject({ status: 'failed', attempts: 1, next_attempt_at: null })
}, 300_000)

it('an idle conversation is delivered too', async () => {
  let now = Date.now()
  const receiver = await startReceiver()
  const { post } = await startService({ environment: { EGRESS_ALLOW: '127.0.0.1' }, now: () => now })
  await post('/webhooks', { url: receiver.url, events: ['conversation.completed'] })
  const agent = (await post('/agents', { name: 'A' })).body.data.id
  const ids = []
  for (let n = 0; n < 3; n++) ids.push((await post('/conversations', { agent_id: agent })).body.data.id)
  now += 61 * minute
  await until(() => receiver.received.length === 3)
  expect(receiver.received.map(({ json }) => [json.data.conversation_id, json.data.reason]).sort()).toEqual(
    ids.map((id) => [id, 'idle']).sort(),
  )
})

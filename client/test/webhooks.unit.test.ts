import { expect, it } from 'vitest'
import { verifyWebhook, WebhookError } from '../src/index.ts'

// The example of the Standard Webhooks specification.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = '{"test": 2432232314}'
const now = 1_614_265_330_000
const headers = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

it('accepts a signature with the secret, or one of several', async () => {
  expect(await verifyWebhook({ body, headers, secret, now })).toEqual({ test: 2432232314 })
  const bytes = new TextEncoder().encode(body)
  const other = `whsec_${btoa('another secret of mine')}`
  expect(await verifyWebhook({ body: bytes, headers: new Headers(headers), secret: [other, secret], now })).toBeTruthy()
  const two = { ...headers, 'webhook-signature': `v1,AAAA v2,xx ${headers['webhook-signature']}` }
  expect(await verifyWebhook({ body, headers: two, secret, now })).toBeTruthy()
})

it.each([
  ['a changed body', { body: '{"test": 2432232315}' }, /No signature/],
  ['another secret', { secret: `whsec_${btoa('another secret of mine')}` }, /No signature/],
  ['an old delivery', { now: now + 301_000 }, /too old/],
  ['one from the future', { now: now - 301_000 }, /too old/],
  ['a changed time', { headers: { ...headers, 'webhook-timestamp': '1614265331' } }, /No signature/],
  ['a time that is none', { headers: { ...headers, 'webhook-timestamp': 'soon' } }, /too old/],
  ['a missing header', { headers: { 'webhook-id': 'x' } }, /Missing header: webhook-timestamp/],
  ['a signature that is none', { headers: { ...headers, 'webhook-signature': 'v1,%%%' } }, /No signature/],
  ['a secret that is none', { secret: 'whsec_' }, /Invalid webhook secret/],
])('refuses %s', async (_what, change, message) => {
  const refused = verifyWebhook({ body, headers, secret, now, ...change })
  await expect(refused).rejects.toThrow(message)
  await expect(refused).rejects.toBeInstanceOf(WebhookError)
})

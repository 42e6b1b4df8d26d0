import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Json } from './harness.ts'
import { stage } from './stage.ts'

it('a request without a body may take longer than a body has time', async () => {
  const bodyTimeout = 20_000
  const { talk, say, url, token, provider } = await stage(undefined, { bodyTimeout })
  const conversation = await talk()
  const { id } = (await say(conversation, 'Count.')).body.data
  const { promise: isLate, resolve } = Promise.withResolvers<void>()
  provider.next({ deltas: ['One ', 'two ', 'three'], hold: isLate })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answer = fetch(`${url}/api/conversations/${conversation}/messages/${id}/regenerate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': '0' },
  })
  while (provider.requests.length < 2) await setImmediate()
  vi.advanceTimersByTime(bodyTimeout)
  resolve()
  const response = await answer
  expect([response.status, ((await response.json()) as Json).data.content]).toEqual([200, 'One two three'])
})

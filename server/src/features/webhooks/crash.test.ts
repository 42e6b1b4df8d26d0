import { expect, it } from 'vitest'
import { testKey } from '../../../test/config.ts'
import { freshEnvironment, startOn, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { startReceiver, verify } from '../../../test/receiver.ts'

it('an event from before a crash is delivered after it', async () => {
  const receiver = await startReceiver((nth) => (nth === 1 ? 'own way' : 200)) // the first one gets no response
  const environment = {
    ADMIN_TOKEN: 'the-owner-of-this-test',
    EGRESS_ALLOW: '127.0.0.1',
    SECRET_KEY: testKey,
    LOG_LEVEL: 'silent',
    ...(await freshEnvironment()),
  }
  const running = startProcess(environment)
  const address = await running.address
  const post = async (path: string, body?: object) => {
    const response = await fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${environment.ADMIN_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    expect([path, response.ok]).toEqual([path, true])
    return ((await response.json()) as { data: { id: string; secret: string } }).data
  }
  const agent = await post('/agents', { name: 'A' })
  const conversation = await post('/conversations', { agent_id: agent.id })
  const hook = await post('/webhooks', { url: receiver.url, events: ['*'] })
  await post(`/conversations/${conversation.id}/complete`)
  await until(() => receiver.received.length === 1)
  running.child.kill('SIGKILL')
  await running.ended

  await startOn(environment)
  await until(() => receiver.received.length === 2)
  const ids = receiver.received.map((each) => {
    verify(hook.secret, each)
    return each.headers['webhook-id']
  })
  expect(new Set(ids).size).toBe(1)
}, 300_000)

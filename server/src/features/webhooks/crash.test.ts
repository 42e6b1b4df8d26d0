import { expect, it } from 'vitest'
import { startOn, startService, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { startReceiver, verify } from '../../../test/receiver.ts'

it('what happened before a crash is delivered after it', async () => {
  const receiver = await startReceiver((nth) => (nth === 1 ? 'own way' : 200)) // the first one never gets its answer
  const { environment, close, ...first } = await startService({
    environment: { EGRESS_ALLOW: '127.0.0.1', SECRET_KEY: 'of this test' },
  })
  const agent = (await first.post('/agents', { name: 'A' })).body.data.id
  const { id } = (await first.post('/conversations', { agent_id: agent })).body.data
  const hook = (await first.post('/webhooks', { url: receiver.url, events: ['*'] })).body.data
  await close()

  const running = startProcess({ ...environment, LOG_LEVEL: 'silent' })
  const address = await running.address
  const headers = { authorization: `Bearer ${environment.ADMIN_TOKEN}` }
  const completed = await fetch(`${address}/api/conversations/${id}/complete`, { method: 'POST', headers })
  expect(completed.status).toBe(200)
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
}, 120_000)

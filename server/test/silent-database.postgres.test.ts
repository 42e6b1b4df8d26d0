import { expect, it } from 'vitest'
import { freshEnvironment, startOn, until } from './harness.ts'
import { stageOn } from './stage.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/** Statements of a start take a thousandth of this, also on a busy machine. */
const queryTimeout = 5000

/** A service whose connections to the database can be cut. */
async function startBehindProxy(more: Record<string, string> = {}) {
  const { DATABASE_URL = '', ...environment } = await freshEnvironment()
  const address = new URL(DATABASE_URL)
  const proxy = await startTcpProxy({ host: address.hostname, port: Number(address.port) })
  address.port = String(proxy.port)
  address.searchParams.set('query_timeout', String(queryTimeout))
  const service = await startOn({ ...environment, DATABASE_URL: address.href, ADMIN_TOKEN: 'the-owner', ...more })
  return { service, proxy }
}

it('replaces connections that go silent, and answers 503 while the database does not respond', async () => {
  const { service, proxy } = await startBehindProxy({ RATE_LIMIT: '1000' })
  const create = (name: string) => service.post('/agents', { name })
  expect((await create('before')).status).toBe(201)

  // A failover: open connections go silent, new ones work.
  proxy.drop('open')
  const during = await Promise.all(Array.from({ length: 5 }, (_, n) => create(`during ${n}`)))
  for (const { status, body, headers } of during) {
    if (status === 201) continue
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '5'])
  }
  await until(async () => (await create('after')).status === 201)
  expect((await service.get('/health')).status).toBe(200)

  const { token } = (await service.post('/tokens', { name: 'Prometheus', scopes: ['metrics'] })).body.data
  expect((await service.get('/metrics', { token })).body).toContain('parley_database_up 1')

  // An outage: nothing comes through until it ends.
  proxy.drop('all')
  const outage = await create('lost')
  expect([outage.status, outage.body.code, outage.headers.get('retry-after')]).toEqual([503, 'overloaded', '5'])
  expect((await service.get('/health')).body).toMatchObject({ status: 'unhealthy', database: 'disconnected' })
  expect((await service.get('/health/live')).status).toBe(200)
  const metrics = await service.get('/metrics', { token })
  expect([metrics.status, metrics.body]).toEqual([200, expect.stringContaining('parley_database_up 0')])
  proxy.restore()
  await until(async () => (await create('found')).status === 201)

  // Jobs have connections of their own.
  const source = { name: 'S', type: 'text', configuration: { documents: [{ title: 'T', content: 'Text' }] } }
  const { id } = (await service.post('/knowledge-sources', source)).body.data
  await until(async () => (await service.get(`/knowledge-sources/${id}`)).body.data.status === 'active')
}, 300_000)

it('stores and bills replies that were finished while the database was away', async () => {
  const { service: node, proxy } = await startBehindProxy()
  const { promise: isAway, resolve } = Promise.withResolvers<void>()
  const script = { deltas: ['All ', 'of it'], hold: isAway }
  const { provider, talk, say, agent, model } = await stageOn(node, script)
  const id = await talk()
  const budget = { name: 'B', metric: 'cost', limit: 5, window: 'total', action: 'block' }
  const { id: threshold } = (await node.post('/usage/thresholds', budget)).body.data
  const said = say(id, 'Hi')
  const chat = { model: agent, messages: [{ role: 'user', content: 'Hi' }] }
  const asked = node.post('/openai/v1/chat/completions', chat)
  await until(() => provider.requests.length === 2)
  const { id: replyId } = (await node.get(`/conversations/${id}`)).body.data.messages[1]
  proxy.drop('all')
  proxy.cut()
  resolve()
  await until(() => node.ctx.state.runs.find(replyId)?.state === 'ending')
  proxy.restore()
  const { status, body } = await said
  expect([status, body.data.status, body.data.content]).toEqual([200, 'completed', 'All of it'])
  const [, reply] = (await node.get(`/conversations/${id}`)).body.data.messages
  expect(reply).toMatchObject({ status: 'completed', content: 'All of it' })
  expect((await asked).body.choices[0].message.content).toBe('All of it')
  await until(async () => (await node.get('/usage/stats')).body.data.by_model[model].requests === 2)
  await until(async () => (await node.get(`/usage/thresholds/${threshold}`)).body.data.reserved === 0)
}, 300_000)

it('shows no more text once it could not store any for a while, and goes on when it can', async () => {
  const { service: node, proxy } = await startBehindProxy()
  const words = Array.from({ length: 60 }, (_, n) => `word${n} `)
  const { promise: isHeldBack, resolve: release } = Promise.withResolvers<void>()
  const { talk, provider } = await stageOn(node, { deltas: words, delay: 20, hold: isHeldBack, after: 50 })
  const id = await talk()
  const response = await fetch(`${node.url}/api/conversations/${id}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${node.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hi', stream: true }),
  })
  let text = ''
  const read = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
  })()
  await until(() => provider.requests.length === 1 && text.includes('word0 '))
  const replyId = /"message_id":"(\w+)"/.exec(text)?.[1] ?? ''
  proxy.drop('all')
  proxy.cut()
  await until(() => text.includes(': the database does not respond'))
  release()
  await until(() => node.ctx.state.runs.find(replyId)?.state === 'ending')
  expect(text).not.toContain('word59 ')
  proxy.restore()
  await read
  const deltas = Array.from(text.matchAll(/"delta":"([^"]*)"/g), ([, delta]) => delta)
  expect(deltas.join('')).toBe(words.join(''))
  const [, reply] = (await node.get(`/conversations/${id}`)).body.data.messages
  expect(reply).toMatchObject({ status: 'completed', content: words.join('') })
})

import { expect, it } from 'vitest'
import { testKey } from './config.ts'
import { freshEnvironment, type Service, startOn, until } from './harness.ts'
import { startProcess } from './process.ts'
import { stageOn } from './stage.ts'
import { startTcpProxy } from './tcp-proxy.ts'

// The clock of the services stands still, so that no lease expires.
const time = Date.now()
const now = () => time

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** Sends the request until its key is free. */
const repeated = (service: Pick<Service, 'post'>, path: string, body: object | undefined, key: string) =>
  until(async () => {
    const answer = await service.post(path, body, withKey(key))
    return ![409, 503].includes(answer.status) && answer
  })

it('a request that fails with the database is answered in our format, and its key is free once the database is back', async () => {
  const { DATABASE_URL = '', ...environment } = await freshEnvironment()
  const direct = new URL(DATABASE_URL)
  const proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port) })
  direct.port = String(proxy.port)
  direct.searchParams.set('query_timeout', '5000')
  const node = await startOn({ ...environment, DATABASE_URL: direct.href, ADMIN_TOKEN: 'owner' }, { now })
  const { promise: isAway, resolve } = Promise.withResolvers<void>()
  const { provider, model } = await stageOn(node, { deltas: ['Yes'], hold: isAway })
  const path = `/models/${model}/test`
  const first = node.post(path, undefined, withKey('k'))
  await until(() => provider.requests.length === 1)
  proxy.drop('all')
  proxy.cut()
  resolve()
  const { status, body, headers } = await first
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'overloaded', '5'])
  proxy.restore()
  const second = await repeated(node, path, undefined, 'k')
  expect([second.status, second.body.data.ok]).toEqual([200, true])
})

it('a key whose node was killed is taken over by the next request', async () => {
  const environment = { ...(await freshEnvironment()), ADMIN_TOKEN: 'owner' }
  const node = await startOn(environment, { now })
  const { provider, agent, talk } = await stageOn(node, { deltas: ['Hel', 'lo'], fault: 'stall' })
  const requests = {
    '/openai/v1/chat/completions': { model: agent, messages: [{ role: 'user', content: 'Hi' }] },
    [`/conversations/${await talk()}/messages`]: { message: 'Hi' },
  }
  const { child, address, ended } = startProcess({ ...environment, SECRET_KEY: testKey })
  const url = await address
  const lost = Object.entries(requests).map(([path, body]) =>
    fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json', ...withKey(path).headers },
      body: JSON.stringify(body),
    }).catch(() => null),
  )
  await until(() => provider.requests.length === 2)
  child.kill('SIGKILL')
  await ended
  expect(await Promise.all(lost)).toEqual([null, null])
  provider.next({ deltas: ['Again'] }, { deltas: ['Again'] })
  for (const [path, body] of Object.entries(requests)) {
    const answer = await repeated(node, path, body, path)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([200, expect.stringContaining('Again')])
  }
})

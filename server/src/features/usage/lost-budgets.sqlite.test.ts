import { expect, it, onTestFinished } from 'vitest'
import { testKey } from '../../../test/config.ts'
import { readEvents } from '../../../test/event-stream.ts'
import { freshEnvironment, type Json, startOn, until } from '../../../test/harness.ts'
import { startProcess } from '../../../test/process.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'

it('after a kill the reservations of a turn and another call are released and their usage is counted', async () => {
  const provider = await scriptedProvider({
    deltas: ['Some ', 'words ', 'of a reply'],
    fault: 'stall',
    after: 3,
    delay: 1,
  })
  onTestFinished(() => provider.close())
  const environment = {
    ...(await freshEnvironment()),
    ADMIN_TOKEN: 'the-owner',
    RATE_LIMIT: '0',
    DEMO: 'false',
    SECRET_KEY: testKey,
  }
  const started = startProcess(environment)
  const address = await started.address
  const open = (path: string, body?: object) =>
    fetch(`${address}/api${path}`, {
      headers: { authorization: 'Bearer the-owner', 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const post = async (path: string, body: object): Promise<Json> =>
    ((await (await open(path, body)).json()) as Json).data
  const { id: model } = await post('/models', {
    name: 'M',
    provider: 'openai-compatible',
    model_id: 'm',
    endpoint: provider.url,
    pricing: { input: 1, output: 1 },
  })
  const { id: agent } = await post('/agents', { name: 'A', model_id: model, max_tokens: 100 })
  const { id } = await post('/usage/thresholds', {
    name: 'B',
    metric: 'cost',
    limit: 5,
    window: 'total',
    action: 'block',
  })
  const { id: conversation } = await post('/conversations', { agent_id: agent })
  const response = await open(`/conversations/${conversation}/messages`, { message: 'Hi', stream: true })
  await readEvents(response, ({ id: sequence }) => sequence === 4)
  const running = (await (await open(`/usage/thresholds/${id}`)).json()) as Json
  expect(running.data.reserved).toBeGreaterThan(0.1)
  open('/openai/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: 'Hi' }] }).catch(() => {})
  await until(() => provider.requests.length === 2)
  started.child.kill('SIGKILL')
  await started.ended

  const service = await startOn(environment)
  const { data } = (await service.get(`/usage/thresholds/${id}`)).body
  expect(data.reserved).toBe(0)
  expect(data.used).toBeGreaterThan(0)
  const stats = (await service.get('/usage/stats')).body.data
  expect(data.used).toBe(stats.total_cost)
  expect(stats.by_model[model].requests).toBe(2)
}, 300_000)

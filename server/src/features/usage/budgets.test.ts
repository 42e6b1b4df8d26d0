import { expect, it } from 'vitest'
import { features, findEvents, reply, replyCost, threshold } from '../../../test/budgets.ts'
import { echoTool } from '../../../test/echo-tool.ts'
import { until } from '../../../test/harness.ts'
import { stage } from '../../../test/stage.ts'

it('rejects invalid thresholds', async () => {
  const here = await stage()
  const refused = async (more: object) => {
    const body = { name: 'B', metric: 'cost', limit: 1, window: 'day', action: 'block', ...more }
    const answer = await here.post('/usage/thresholds', body)
    return [answer.status, answer.body.code, answer.body.details?.[0].path]
  }
  expect(await refused({ metric: 'words' })).toEqual([400, 'invalid_request', 'metric'])
  expect(await refused({ limit: -1 })).toEqual([400, 'invalid_request', 'limit'])
  expect(await refused({ limit: 10_000_000 })).toEqual([400, 'invalid_request', 'limit'])
  expect(await refused({ metric: 'tokens', limit: 1.5 })).toEqual([400, 'invalid_request', 'limit'])
  expect(await refused({ entity_type: 'agent' })).toEqual([400, 'invalid_request', 'entity_id'])
  expect(await refused({ entity_id: 'agt_x' })).toEqual([400, 'invalid_request', 'entity_id'])
  expect(await refused({ entity_type: 'agent', entity_id: here.model })).toEqual([
    400,
    'unknown_reference',
    'entity_id',
  ])
  expect(await refused({ entity_type: 'token', entity_id: 'tok_x' })).toEqual([400, 'unknown_reference', 'entity_id'])
  const fine = { entity_type: 'agent', entity_id: here.agent }
  expect((await threshold(here, fine)).entity_id).toBe(here.agent)
})

it('ends a turn when its next call exceeds the budget', async () => {
  const echo = echoTool()
  const here = await stage(reply, { shared: true, features: [echo.feature] }, { max_tokens: 100 })
  await here.put(`/agents/${here.agent}`, { tools: [await echo.create(here)] })
  here.provider.next({
    deltas: ['Let me see. '],
    toolCalls: [{ id: 'c', name: 'echo', arguments: '{"text":"x"}' }],
    usage: { input: 700, output: 100 },
  })
  const { id } = await threshold(here, { metric: 'tokens', limit: 1100 })
  const talking = await here.talk()
  const answer = await here.say(talking, 'Hi')
  expect([answer.status, answer.body.code]).toEqual([403, 'budget_exceeded'])
  const { messages } = (await here.get(`/conversations/${talking}`)).body.data
  expect(messages[1]).toMatchObject({ status: 'failed', code: 'budget_exceeded', content: 'Let me see. ' })
  expect(messages[1].usage.total_tokens).toBe(800)
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({ used: 800, reserved: 0 })
})

it('limits a reply of an agent without max_tokens to what is affordable', async () => {
  const here = await stage(reply)
  const { id } = await threshold(here, { metric: 'tokens', limit: 100_000 })
  const limit = () => here.provider.requests.at(-1)?.body.max_tokens
  await here.say(await here.talk(), 'Hi')
  expect(limit()).toBe(4096)
  await here.put(`/usage/thresholds/${id}`, { limit: 1000 })
  await here.say(await here.talk(), 'Hi')
  expect(limit()).toBeLessThan(970)
  expect(limit()).toBeGreaterThan(800)
  await here.remove(`/usage/thresholds/${id}`)
  await here.say(await here.talk(), 'Hi')
  expect(limit()).toBeUndefined()
})

it('releases the reservation of a failed call', async () => {
  const here = await stage({ status: 400, body: { error: { message: 'No.' } } }, { own: true }, { max_tokens: 10 })
  const { id } = await threshold(here, { limit: 0.0001 })
  const talking = await here.talk()
  for (let n = 0; n < 4; n++) expect((await here.say(talking, 'Hi')).status).toBe(502)
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({ used: 0, reserved: 0 })
  const held = await here.ctx.db.selectFrom('usage_reservation').selectAll().execute()
  expect(held).toEqual([])
})

it('only tells, once, where it does not block', async () => {
  const here = await stage(reply, { features })
  const { id } = await threshold(here, { limit: 0.0001, action: 'notify' })
  for (let n = 0; n < 5; n++) expect((await here.say(await here.talk(), 'Hi')).status).toBe(200)
  await until(() => findEvents(id).length > 0)
  expect((await here.get(`/usage/thresholds/${id}`)).body.data).toMatchObject({
    used: 5 * replyCost,
    percent: 200,
    exceeded_at: expect.any(String),
  })
  expect(findEvents(id)).toMatchObject([{ reason: 'limit_reached', threshold: { action: 'notify' } }])
})

it('is a resource that tells how full it is', async () => {
  const time = Date.parse('2026-03-05T10:00:00Z')
  const here = await stage(reply, { now: () => time, features })
  await here.say(await here.talk(), 'Before')
  const made = await threshold(here, { name: 'Monthly', limit: 0.0001, window: 'month', action: 'notify' })
  expect(made).toMatchObject({
    id: expect.stringMatching(/^thr_/),
    entity_type: 'workspace',
    entity_id: null,
    used: replyCost,
    reserved: 0,
    percent: 40,
    resets_at: '2026-04-01T00:00:00Z',
    exceeded_at: null,
  })
  await here.say(await here.talk(), 'After')
  const read = async () => (await here.get(`/usage/thresholds/${made.id}`)).body.data
  expect((await read()).used).toBe(2 * replyCost)
  const list = (await here.get('/usage/thresholds?metric=cost&sort=limit')).body
  expect([list.pagination.total, list.data[0].percent]).toEqual([1, 80])
  const changed = await here.put(`/usage/thresholds/${made.id}`, {
    ...made,
    metric: 'tokens',
    limit: 60,
    window: 'total',
  })
  expect(changed.body.data).toMatchObject({ used: 60, percent: 100, resets_at: null, metric: 'tokens' })
  await until(() => findEvents(made.id).length === 1)
  expect((await here.remove(`/usage/thresholds/${made.id}`)).status).toBe(200)
  expect((await here.get(`/usage/thresholds/${made.id}`)).status).toBe(404)
  expect((await here.say(await here.talk(), 'Free')).status).toBe(200)
})

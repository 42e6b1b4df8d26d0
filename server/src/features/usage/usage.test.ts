import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { day } from '../../kernel/time.ts'

const reply = { deltas: ['Hi'], usage: { input: 1000, output: 500, cachedInput: 400 } } as Script

it('counts every model call, exactly, by model and by entity', async () => {
  const { say, talk, get, agent, model } = await stage(reply)
  const id = await talk()
  const { usage } = (await say(id, 'One')).body.data
  const cost = (600 * 0.001 + 400 * 0.0005 + 500 * 0.002) / 1000
  expect(usage).toEqual({ input_tokens: 1000, output_tokens: 500, total_tokens: 1500, cost })
  await say(id, 'Two')
  const { data } = (await get('/usage/stats')).body
  expect(data).toMatchObject({
    total_tokens: 3000,
    total_cost: 2 * cost,
    by_model: {
      [model]: {
        name: 'Scripted',
        model_id: 'scripted-1',
        tokens: 3000,
        cost: 2 * cost,
        input_tokens: 2000,
        output_tokens: 1000,
        requests: 2,
      },
    },
    by_entity: { agent: { [agent]: { tokens: 3000, cost: 2 * cost, requests: 2 } }, user: { ada: { tokens: 3000 } } },
  })
  const one = (await get(`/usage/stats?entity_type=conversation&entity_id=${id}`)).body.data
  expect(one.total_tokens).toBe(3000)
  for (const entity of [id, agent, model, 'ada']) {
    expect([entity, (await get(`/usage/stats?entity_id=${entity}`)).body.data.total_tokens]).toEqual([entity, 3000])
  }
  for (const nobody of ['bob', 'toString', '__proto__'])
    expect((await get(`/usage/stats?entity_id=${nobody}`)).body.data?.total_tokens).toBe(0)
  expect((await get('/usage/stats?entity_type=agent&entity_id=agt_none')).body.data.total_tokens).toBe(0)
})

it('bills cache writes at their own price, and tells what the cache saved', async () => {
  const { post, get, provider } = await stage()
  const pricing = { input: 0.003, output: 0.015, cached_input: 0.0003, cache_write: 0.00375 }
  const settings = { provider: 'anthropic', model_id: 'scripted-1', endpoint: provider.url, pricing }
  const model = (await post('/models', { name: 'Cached', ...settings })).body.data
  expect(model.pricing).toEqual(pricing)
  const agent_id = (await post('/agents', { name: 'A', model_id: model.id })).body.data.id
  const { id } = (await post('/conversations', { agent_id, user_id: 'ada' })).body.data
  const say = async () => (await post(`/conversations/${id}/messages`, { message: 'Hi' })).body.data
  provider.next({ deltas: ['Hi'], usage: { input: 2000, cacheWrite: 1000, output: 100 } })
  const first = await say()
  expect(first.usage.cost).toBeCloseTo(0.003 + 0.00375 + 0.0015, 9)
  const { steps } = (await get(`/conversations/${id}/messages/${first.id}/trace`)).body.data
  const called = steps.find(({ type }: Json) => type === 'model').usage
  expect(called).toMatchObject({ input_tokens: 2000, cached_input_tokens: 0, cache_write_tokens: 1000 })
  expect((await get('/usage/stats')).body.data.saved_by_cache).toBeCloseTo(-0.00075, 9)
  provider.next({ deltas: ['Hi'], usage: { input: 2000, cachedInput: 1000, output: 100 } })
  await say()
  for (const path of ['/usage/stats', '/usage/costs', `/usage/stats?entity_id=${id}`])
    expect((await get(path)).body.data.saved_by_cache).toBeCloseTo(0.0027 - 0.00075, 9)
})

it('filters by inclusive days and uses the price at the time of the call', async () => {
  let time = Date.parse('2026-03-01T23:59:00Z')
  const { say, talk, get, put, model, agent } = await stage(reply, { now: () => time })
  await say(await talk(), 'One')
  time += day
  await put(`/models/${model}`, { pricing: { input: 1, output: 1 } })
  await say(await talk(), 'Two')
  const { data } = (await get('/usage/costs?start_date=2026-03-01&end_date=2026-03-02')).body
  expect(data.currency).toBe('USD')
  expect(data.daily).toEqual([
    { date: '2026-03-01', cost: 0.0018, tokens: 1500, unpriced_requests: 0 },
    { date: '2026-03-02', cost: 1.5, tokens: 1500, unpriced_requests: 0 },
  ])
  expect(data.total_cost).toBe(1.5018)
  const grouped = (await get('/usage/costs?start_date=2026-03-01&end_date=2026-03-02&group_by=model')).body.data.daily
  expect(grouped.map(({ groups }: Json) => groups.map(({ id, cost }: Json) => [id, cost]))).toEqual([
    [[model, 0.0018]],
    [[model, 1.5]],
  ])
  const byAgent = (await get('/usage/costs?start_date=2026-03-02&group_by=agent')).body.data.daily
  expect(byAgent[0].groups).toEqual([{ id: agent, tokens: 1500, cost: 1.5, requests: 1, unpriced_requests: 0 }])
  expect((await get('/usage/costs?group_by=model&entity_type=agent')).body.details[0].path).toBe('group_by')
  expect((await get('/usage/costs?start_date=2026-03-02')).body.data.total_cost).toBe(1.5)
  expect((await get('/usage/costs?end_date=2026-03-01')).body.data.total_cost).toBe(0.0018)
  expect((await get('/usage/stats?start_date=2026-03-02&end_date=2026-03-01')).body.details[0].path).toBe('start_date')
  expect((await get('/usage/stats?start_date=yesterday')).body.details[0].path).toBe('start_date')
  const total = async (query: string) => (await get(`/usage/costs?${query}`)).body.data.total_cost
  expect(await total('start_date=2026-03-01T23:30:00-01:00')).toBe(1.5) // the 2nd in UTC
  expect(await total('start_date=2026-03-02T00:30:00+01:00&end_date=2026-03-01T23:00:00.000Z')).toBe(0.0018)
  expect(await total('start_date=2026-03-01T12:00&end_date=2026-03-02T12:00:00')).toBe(1.5018)
  for (const wrong of ['2026-02-30', '2026-03-01T25:00:00Z', '2026-3-1', '']) {
    expect([wrong, (await get(`/usage/stats?end_date=${wrong}`)).body.details?.[0].path]).toEqual([wrong, 'end_date'])
  }
})

it('marks estimated usage', async () => {
  const { say, talk, ctx, provider } = await stage()
  const id = await talk()
  provider.next({ deltas: ['Half a reply'], fault: 'cut', after: 1, delay: 1 })
  await say(id, 'Hi')
  const rows = await ctx.db
    .selectFrom('usage_record')
    .select(['estimated', 'output_tokens', 'input_tokens'])
    .where('conversation_id', '=', id)
    .execute()
  expect(rows.map((row) => Boolean(row.estimated))).toEqual([true])
  expect(Number(rows[0]?.output_tokens)).toBeGreaterThan(0)
})

import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'

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

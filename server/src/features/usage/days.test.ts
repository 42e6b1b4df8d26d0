import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { day } from '../../kernel/time.ts'

const reply = { deltas: ['Hi'], usage: { input: 1000, output: 500, cachedInput: 400 } } as Script

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

import { expect, it } from 'vitest'
import { about } from '../../../test/about.ts'
import { echoTool } from '../../../test/echo-tool.ts'
import type { Json } from '../../../test/harness.ts'
import type { Script } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { day, hour } from '../../kernel/time.ts'

const reply: Script = { deltas: ['Hi'], usage: { input: 100, output: 50 } }
const replyCost = 0.0002

it('counts exactly what happened in a known history', async () => {
  let time = Date.parse('2026-03-02T10:30:00Z') // a Monday
  const echo = echoTool()
  const environment = { CONVERSATION_IDLE_MINUTES: '525600' } // the clock jumps
  const here = await stage(reply, { now: () => time, features: [echo.feature], environment })
  const tool = await echo.create(here)
  await here.put(`/agents/${here.agent}`, { tools: [tool], topics: ['invoices and payment', 'parcel delivery'] })
  const other = (await here.post('/agents', { name: 'Other', model_id: here.model })).body.data.id
  const start = async (agent: string, user: string) =>
    (await here.post('/conversations', { agent_id: agent, user_id: user })).body.data.id as string

  const first = await start(here.agent, 'ada')
  here.provider.next(
    {
      toolCalls: [
        { id: 'a', name: 'echo', arguments: '{"text":"x"}' },
        { id: 'b', name: 'echo', arguments: '{"text":"x","fail":true}' },
      ],
      usage: { input: 10, output: 5 },
    },
    reply,
  )
  const answer = (await here.say(first, 'How can I pay my invoice?')).body.data
  await here.post(`/conversations/${first}/messages/${answer.id}/feedback`, { rating: 'up' })
  time += 2 * hour
  here.provider.next({ status: 400, body: { error: { message: 'No.' } } })
  await here.say(first, 'When will the parcel be delivered?')
  time += day
  const second = await start(here.agent, 'bob')
  const bad = (await here.say(second, 'Where is my delivery?')).body.data
  await here.post(`/conversations/${second}/messages/${bad.id}/feedback`, { rating: 'down' })
  const again = await here.post(`/conversations/${second}/messages/${bad.id}/regenerate`, {})
  await here.post(`/conversations/${second}/messages/${again.body.data.id}/feedback`, { rating: 'up' })
  await here.post(`/conversations/${second}/complete`)
  time += 7 * day
  await here.say(await start(other, 'ada'), 'Something else')
  const evaluated = await start(other, 'robot')
  await here.ctx.db.updateTable('conversation').set({ evaluation_id: 'evl_x' }).where('id', '=', evaluated).execute()
  await here.say(evaluated, 'Not a person')

  const ask = async (query: string) => (await here.get(`/analytics/conversations?${query}`)).body.data as Json
  const march = 'start_date=2026-03-01&end_date=2026-03-10'
  const data = await ask(march)
  const stored = await here.ctx.db.selectFrom('message').selectAll().where('evaluation_id', 'is', null).execute()
  const completed = stored.filter((row) => row.role === 'assistant' && row.status === 'completed')
  const nearestRank = (values: number[], percent: number) =>
    about(values.sort((a, b) => a - b)[Math.ceil((percent / 100) * values.length) - 1])
  const latencies = completed.map((row) => Number(row.latency_ms))
  expect(data).toMatchObject({
    period: { start_date: '2026-03-01', end_date: '2026-03-10', interval: 'day' },
    conversations: { total: 3, active: 2, completed: 1 },
    messages: { total: 8, user: 4, assistant: 4, average_per_conversation: 2.67 },
    users: { unique: 2 },
    latency_ms: { p50: nearestRank(latencies, 50), p95: nearestRank(latencies, 95), p99: nearestRank(latencies, 99) },
    tokens: { input: 410, output: 205 },
    feedback: { up: 2, down: 1, satisfaction_rate: 0.6667 },
    errors: { total: 1, rate: 0.2 },
    by_topic: [
      { topic: 'parcel delivery', conversations: 2, messages: 2 },
      { topic: 'invoices and payment', conversations: 1, messages: 1 },
    ],
  })
  expect(data.cost).toBeCloseTo(4.1 * replyCost, 12)
  expect(data.tools).toEqual([
    { tool_id: tool, name: 'echo', calls: 2, failures: 1, average_latency_ms: expect.any(Number) },
  ])
  expect(data.time_to_first_token_ms.p50).toBeTypeOf('number')
  expect(data.by_agent).toMatchObject([
    { agent_id: here.agent, name: 'A', conversations: 2, messages: 6, errors: { total: 1, rate: 0.25 } },
    { agent_id: other, name: 'Other', conversations: 1, messages: 2, tokens: { input: 100, output: 50 } },
  ])
  expect(data.timeline.length).toBe(10)
  expect(data.timeline[0]).toEqual({
    start: '2026-03-01T00:00:00Z',
    conversations: 0,
    messages: 0,
    tokens: 0,
    cost: 0,
    errors: 0,
    latency_ms: { p50: null, p95: null, p99: null },
  })
  const ofFirstDay = completed
    .filter((row) => row.timestamp.startsWith('2026-03-02'))
    .map((row) => Number(row.latency_ms))
  expect(data.timeline[1].latency_ms.p50).toEqual(nearestRank(ofFirstDay, 50))
  expect(data.timeline[1]).toMatchObject({ conversations: 1, messages: 4, tokens: 165, errors: 1 })
  expect(data.timeline[2]).toMatchObject({ conversations: 1, messages: 2, tokens: 300, cost: 2 * replyCost })

  const hours = await ask('start_date=2026-03-02&end_date=2026-03-02&interval=hour')
  expect(hours.timeline.map((step: Json) => step.messages)).toEqual([
    ...Array(10).fill(0),
    2,
    0,
    2,
    ...Array(11).fill(0),
  ])
  expect(hours.timeline[10].latency_ms.p95).toEqual(nearestRank(ofFirstDay, 95))
  expect(hours.timeline[11].latency_ms.p95).toBeNull()
  const weeks = await ask(`${march}&interval=week`)
  const ofFirstWeek = completed.filter((row) => row.timestamp < '2026-03-09').map((row) => Number(row.latency_ms))
  expect(weeks.timeline[1].latency_ms.p95).toEqual(nearestRank(ofFirstWeek, 95))
  expect(weeks.timeline.map(({ start, messages }: Json) => [start, messages])).toEqual([
    ['2026-02-23T00:00:00Z', 0],
    ['2026-03-02T00:00:00Z', 6],
    ['2026-03-09T00:00:00Z', 2],
  ])
  expect(await ask(`${march}&agent_id=${other}`)).toMatchObject({ conversations: { total: 1 }, messages: { total: 2 } })
  expect(await ask(`${march}&user_id=bob`)).toMatchObject({ conversations: { total: 1 }, users: { unique: 1 } })
  expect((await ask(`${march}&include_evaluations=true`)).messages.total).toBe(10)
  expect(await ask('start_date=2025-01-01&end_date=2025-01-02')).toMatchObject({
    conversations: { total: 0 },
    latency_ms: { p50: null, p95: null, p99: null },
    feedback: { satisfaction_rate: null },
    errors: { total: 0, rate: 0 },
    by_agent: [],
  })
  await here.remove(`/conversations/${first}`)
  expect(await ask(march)).toMatchObject({ messages: { total: 4 }, tools: [], conversations: { total: 2 } })
}, 300_000)

it('names the invalid parameter', async () => {
  const { get } = await stage()
  const wrong = async (query: string) => {
    const { status, body } = await get(`/analytics/conversations?${query}`)
    return [status, body.details?.[0].path]
  }
  expect(await wrong('start_date=yesterday')).toEqual([400, 'start_date'])
  expect(await wrong('start_date=2026-02-02&end_date=2026-02-01')).toEqual([400, 'start_date'])
  expect(await wrong('interval=minute')).toEqual([400, 'interval'])
  expect(await wrong('start_date=2000-01-01&end_date=2026-01-01&interval=hour')).toEqual([400, 'interval'])
  expect(await wrong('color=red')).toEqual([400, 'color'])
  expect((await get('/analytics/conversations')).body.data.timeline.length).toBe(30)
  const times = 'start_date=2026-02-01T10:00:00Z&end_date=2026-02-03T10:00:00Z'
  const { period } = (await get(`/analytics/conversations?${times}`)).body.data
  expect(period).toMatchObject({ start_date: '2026-02-01', end_date: '2026-02-03' })
})

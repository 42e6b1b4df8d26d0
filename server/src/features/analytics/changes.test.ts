import { expect, it, onTestFinished } from 'vitest'
import { asking, cautious } from '../../../test/cautious-stage.ts'
import { type Json, startService } from '../../../test/harness.ts'
import { scriptedProvider } from '../../../test/scripted-provider.ts'
import { stage } from '../../../test/stage.ts'
import { recoverTurns } from '../conversations/turn/recovery.ts'

it('shows every change at once', async () => {
  const { say, talk, provider, post, get, remove, ctx, agent } = await cautious()
  const analytics = async () => (await get('/analytics/conversations')).body.data as Json
  const id = await talk()
  expect((await analytics()).messages.total).toBe(0)
  const { data: hello } = (await say(id, 'Hello')).body
  const first = await analytics()
  expect(first).toMatchObject({ messages: { user: 1, assistant: 1 }, errors: { total: 0 }, users: { unique: 1 } })

  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'down' })
  expect((await analytics()).feedback).toEqual({ up: 0, down: 1, satisfaction_rate: 0 })
  await post(`/conversations/${id}/messages/${hello.id}/feedback`, { rating: 'up' })
  expect((await analytics()).feedback).toEqual({ up: 1, down: 0, satisfaction_rate: 1 })
  await post(`/conversations/${id}/messages/${hello.id}/regenerate`)
  expect(await analytics()).toMatchObject({ messages: { total: 2 }, tokens: { input: 2 * first.tokens.input } })

  provider.next(asking)
  const { data: waiting } = (await say(id, 'Send it')).body
  const paused = await analytics()
  expect(paused).toMatchObject({ messages: { total: 4 }, by_agent: [{ agent_id: agent, messages: 4 }] })
  const failed = { status: 400, body: { error: { message: 'No.' } } }
  await post(`/conversations/${id}/messages/${waiting.id}/cancel`)
  provider.next(failed)
  await say(id, 'Again')
  // Four replies have ended: two completed, one was cancelled while it waited, one failed.
  expect((await analytics()).errors).toEqual({ total: 1, rate: 0.25 })

  const { data: last } = (await say(id, 'Once more')).body
  await ctx.db.updateTable('message').set({ status: 'running', alive_at: 0 }).where('id', '=', last.id).execute()
  await recoverTurns(ctx, 0)
  expect((await analytics()).errors).toEqual({ total: 2, rate: 0.4 })

  await remove(`/conversations/${id}`)
  expect(await analytics()).toMatchObject({
    messages: { total: 0 },
    tokens: { input: 0 },
    users: { unique: 0 },
    tools: [],
  })
})

it('keeps the topic of a question when the topics of its agent change', async () => {
  const { say, talk, get, put, agent } = await stage(undefined, {}, { topics: ['invoices and payment'] })
  const topics = async () =>
    (await get('/analytics/conversations')).body.data.by_topic.map(({ topic, messages }: Json) => [topic, messages])
  const id = await talk()
  await say(id, 'How can I pay my invoice?')
  expect(await topics()).toEqual([['invoices and payment', 1]])
  await put(`/agents/${agent}`, { topics: ['parcel delivery'] })
  await say(id, 'When will the parcel be delivered?')
  await say(id, 'Who delivers the parcel?')
  expect(await topics()).toEqual([
    ['parcel delivery', 2],
    ['invoices and payment', 1],
  ])
})

it('removes the sums of a deleted workspace', async () => {
  const provider = await scriptedProvider()
  onTestFinished(() => provider.close())
  const here = await startService({ own: true })
  const { id: workspace } = (await here.post('/workspaces', { name: 'Other' })).body.data
  const there = { headers: { 'x-workspace': workspace } }
  const model = { name: 'M', provider: 'openai-compatible', model_id: 'm', endpoint: provider.url }
  const { id: model_id } = (await here.post('/models', model, there)).body.data
  const { id: agent_id } = (await here.post('/agents', { name: 'A', model_id }, there)).body.data
  const talk = (await here.post('/conversations', { agent_id, user_id: 'ada' }, there)).body.data.id
  await here.post(`/conversations/${talk}/messages`, { message: 'Hi' }, there)
  expect((await here.get('/analytics/conversations', there)).body.data.users.unique).toBe(1)
  expect((await here.remove(`/workspaces/${workspace}`)).status).toBe(200)
  for (const table of ['message', 'conversation_sums'] as const)
    expect(await here.ctx.db.selectFrom(table).selectAll().execute()).toEqual([])
})
